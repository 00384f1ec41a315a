"""Converts tensors in PyTorch's pickles to arrays.

A tensor is a call of ``torch._utils._rebuild_tensor_v2`` with a storage, an offset, sizes and
strides, all counted in elements. Several tensors can be views of one storage.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from transformer_math.checkpoints.safetensors import CheckpointError
from transformer_math.checkpoints.torch_pickle import Instance, Named, Unread

MOST_AXES = 8
_WRAPPED = 4  # maximum number of nested calls that make a tensor
_SHARED = 64  # tensors of one storage, on average
_SMALL = 16 << 20  # bytes of arrays that a file of any size may describe

# PyTorch's dtype -> NumPy's; bfloat16, which NumPy does not have, is the upper half of a float32.
_DTYPES = {
    **{"float64": "f8", "float32": "f4", "float16": "f2", "bfloat16": "u2", "bool": "u1"},
    **{"int64": "i8", "int32": "i4", "int16": "i2", "int8": "i1"},
    **{"uint64": "u8", "uint32": "u4", "uint16": "u2", "uint8": "u1"},
}
_FLOATS = ("float64", "float32", "float16", "bfloat16")
# Class of storage -> its dtype and the bytes of an element; dtypes beyond ``_DTYPES`` are refused.
_STORAGES = {
    **{"DoubleStorage": ("float64", 8), "FloatStorage": ("float32", 4)},
    **{"HalfStorage": ("float16", 2), "BFloat16Storage": ("bfloat16", 2)},
    **{"LongStorage": ("int64", 8), "IntStorage": ("int32", 4), "ShortStorage": ("int16", 2)},
    **{"CharStorage": ("int8", 1), "ByteStorage": ("uint8", 1), "BoolStorage": ("bool", 1)},
    **{"UntypedStorage": ("uint8", 1), "ComplexDoubleStorage": ("complex128", 16)},
    **{"ComplexFloatStorage": ("complex64", 8), "QInt8Storage": ("qint8", 1)},
    **{"QUInt8Storage": ("quint8", 1), "QInt32Storage": ("qint32", 4)},
    **{"QUInt4x2Storage": ("quint4x2", 1), "QUInt2x4Storage": ("quint2x4", 1)},
}
_UTILS = "torch._utils."
_REBUILT = {_UTILS + name for name in ("_rebuild_tensor", "_rebuild_tensor_v2")}
_PARAMETERS = {_UTILS + name for name in ("_rebuild_parameter", "_rebuild_parameter_with_state")}
_WITH_DTYPE = _UTILS + "_rebuild_tensor_v3"
_WITH_ATTRIBUTES = "torch._tensor._rebuild_from_type_v2"
_OTHER = {
    "_rebuild_sparse_tensor": "a sparse tensor",
    "_rebuild_sparse_csr_tensor": "a sparse tensor",
    "_rebuild_qtensor": "a quantized tensor",
    "_rebuild_nested_tensor": "a nested tensor",
    "_rebuild_meta_tensor_no_storage": "a tensor of the device meta, which has no numbers",
}


@dataclass(frozen=True, slots=True, eq=False)
class Storage:
    """A storage that a pickle refers to.

    Attributes:
        key: the name of the storage in the file.
        dtype: PyTorch's name of the dtype.
        item_size: the bytes of an element.
        size: the number of elements.
    """

    key: str
    dtype: str
    item_size: int
    size: int

    @property
    def byte_count(self) -> int:
        return self.item_size * self.size


@dataclass(frozen=True, slots=True, eq=False)
class Tensor:
    """A tensor in a pickle, not checked; offset and strides are counted in elements."""

    storage: Any
    dtype: str
    offset: Any
    shape: Any
    strides: Any

    @property
    def float_count(self) -> int:
        """The number of floats; 0 for other numbers or a damaged shape."""
        shape = _sizes(self.shape) if self.dtype in _FLOATS else None
        return 0 if shape is None else math.prod(shape)


class Storages(dict[str, Storage]):
    """The storages that a pickle refers to, by their keys."""

    def of(self, value: Any) -> Storage | Named:
        """Return the storage of a persistent id; in old files, it may be a class.

        Raises:
            CheckpointError: the id is not one of PyTorch's.
        """
        match value:
            case ("storage", Named(name=name), str(key), _, int(size), *view) if size >= 0:
                found = _STORAGES.get(name.rpartition(".")[2])
                if found is None or not name.startswith("torch."):
                    raise CheckpointError(f"The file has storages of an unknown class {name:.60}.")
                if view not in ([], [None]):
                    raise CheckpointError(f"The storage {key:.60} is a part of another one.")
                storage = Storage(key, *found, size)
                if self.setdefault(key, storage).byte_count != storage.byte_count:
                    raise CheckpointError(f"The file gives two sizes of its storage {key:.60}.")
                return storage
            case ("module", Named() as kind, _, _):  # with the source of its class
                return kind
        raise CheckpointError("The file refers to something that is no storage.")


def tensor_of(value: Any) -> Tensor | Unread | None:
    """Return the tensor of a value; ``Unread`` for an unsupported kind, None if it is no tensor."""
    for _ in range(_WRAPPED):
        if not isinstance(value, Instance):
            return None
        name, args = value.name, value.args
        if name in _PARAMETERS and args:
            value = args[0]
        elif name == _WITH_ATTRIBUTES and len(args) > 2 and isinstance(args[0], Named):
            value = Instance(args[0].name, args[2] if type(args[2]) is tuple else ())
        elif name in _REBUILT and len(args) > 3:
            return _tensor(args, args[0], *args[6:7])
        elif name == _WITH_DTYPE and len(args) > 6:
            return _tensor(args, args[6], *args[7:8])
        elif name.startswith(_UTILS + "_rebuild"):
            return Unread(_OTHER.get(name.removeprefix(_UTILS), f"made by {name:.60}"))
        else:
            return None
    return None


def _tensor(args: tuple[Any, ...], dtype: Any, metadata: Any = None) -> Tensor | Unread:
    """Return the tensor of a call's arguments; ``dtype`` is a dtype, or a storage with a dtype."""
    if isinstance(dtype, Named):
        name = dtype.name.removeprefix("torch.")
    elif isinstance(dtype, Storage):
        name = dtype.dtype
    else:
        return Unread("a tensor without a storage")
    if name not in _DTYPES:
        return Unread(f"a tensor of {name:.60}")
    if metadata:
        return Unread("a tensor that is conjugated or negated when it is read")
    return Tensor(args[0], name, *args[1:4])


class Arrays:
    """Makes arrays of tensors; tensors that share a storage are views of one array.

    Args:
        content: key -> bytes of each storage.
        order: the byte order, ``<`` or ``>``.
        keep_float16: whether float16 stays float16; else it becomes float32.
        limit: the most bytes of all arrays together; shared storages count repeatedly.
    """

    def __init__(
        self, content: Mapping[str, memoryview], order: str, *, keep_float16: bool, limit: int
    ) -> None:
        self._content = content
        self._order = order
        self._keep_float16 = keep_float16
        total = sum(len(part) for part in content.values())
        self._left = min(limit, _SHARED * total + _SMALL)
        self._storages: dict[str, tuple[str, np.ndarray]] = {}
        self._views: dict[tuple[Any, ...], np.ndarray] = {}

    def array(self, name: str, tensor: Tensor) -> np.ndarray:
        """Return the array of a tensor.

        Raises:
            CheckpointError: the tensor reaches beyond its storage, or is too large.
        """
        storage, shape, strides = tensor.storage, _sizes(tensor.shape), _sizes(tensor.strides)
        if not isinstance(storage, Storage) or shape is None or strides is None:
            raise CheckpointError(
                f"{name} has no storage, shape and strides of at most {MOST_AXES} axes."
            )
        if len(shape) != len(strides):
            raise CheckpointError(f"{name} has {len(shape)} axes and {len(strides)} strides.")
        numbers, offset = self._numbers(name, storage, tensor.dtype), tensor.offset
        last = sum((n - 1) * stride for n, stride in zip(shape, strides, strict=True))
        if type(offset) is not int or offset < 0:
            raise CheckpointError(f"{name} has an offset that is no number of elements.")
        if 0 not in shape and offset + last >= len(numbers):
            raise CheckpointError(f"{name} reaches beyond its storage {storage.key:.60}.")
        self._left -= math.prod(max(n, 1) for n in shape) * numbers.itemsize
        if self._left < 0:
            raise CheckpointError(f"The arrays up to {name} take more memory than is allowed.")
        view = (storage.key, offset, shape, strides)
        if view not in self._views:
            self._views[view] = _view(numbers, offset, shape, strides)
        return self._views[view]

    def _numbers(self, name: str, storage: Storage, dtype: str) -> np.ndarray:
        """Return all elements of a storage, of the dtype of the tensor."""
        if storage.key not in self._storages:
            raw = self._content.get(storage.key)
            if raw is None:
                raise CheckpointError(f"The file has no storage {storage.key:.60} for {name}.")
            if len(raw) != storage.byte_count:
                raise CheckpointError(
                    f"{name} has a storage of {len(raw):,} bytes, "
                    f"and of {storage.byte_count:,} by its description."
                )
            self._storages[storage.key] = dtype, self._decoded(name, raw, dtype)
        first, numbers = self._storages[storage.key]
        if first != dtype:
            raise CheckpointError(f"The storage of {name} is read as {first} and as {dtype}.")
        return numbers

    def _decoded(self, name: str, raw: memoryview, dtype: str) -> np.ndarray:
        """Return the numbers of the bytes of a storage; copied, so that the file can be closed."""
        code = np.dtype(self._order + _DTYPES[dtype])
        if len(raw) % code.itemsize:
            raise CheckpointError(f"{name} has a storage of {len(raw):,} bytes, no whole numbers.")
        numbers = np.frombuffer(raw, code)
        if dtype == "bfloat16":
            found = (numbers.astype(np.uint32) << 16).view(np.float32)
        elif dtype == "bool":
            found = numbers != 0
        elif dtype == "float16" and not self._keep_float16:
            found = numbers.astype(np.float32)
        else:
            found = numbers.astype(code.newbyteorder("="))
        return found


def _sizes(value: Any) -> tuple[int, ...] | None:
    """Return a tuple or a ``torch.Size`` of a few numbers from 0 on; None for anything else."""
    if isinstance(value, Instance) and value.name == "torch.Size" and value.args:
        value = value.args[0]
    if type(value) is not tuple or len(value) > MOST_AXES:
        return None
    return value if all(type(n) is int and n >= 0 for n in value) else None


def _view(
    numbers: np.ndarray, offset: int, shape: tuple[int, ...], strides: tuple[int, ...]
) -> np.ndarray:
    """Return a view of the numbers; NumPy checks its bounds once more."""
    if 0 in shape:
        return np.empty(shape, numbers.dtype)
    used = tuple(
        stride * numbers.itemsize if n > 1 else 0 for n, stride in zip(shape, strides, strict=True)
    )
    return np.ndarray(shape, numbers.dtype, numbers, offset * numbers.itemsize, used)
