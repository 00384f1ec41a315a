"""A tensor of a forward pass: its value, and the op and inputs from which it was computed."""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NoReturn, TypedDict, Unpack

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin
from numpy.typing import DTypeLike

from transformer_math.arguments import checked
from transformer_math.checks import NoSuchPath, check_whole, described

if TYPE_CHECKING:
    from transformer_math.ops.base import Op
    from transformer_math.ops.override import Override

Index = tuple[int, ...]
LEADING = ("sweep", "batch")  # names of the axes that can precede a tensor's own, in this order


class Changes(TypedDict, total=False):
    """The attributes that ``Tensor.replace`` can change."""

    value: np.ndarray
    op: Op
    inputs: tuple[Tensor, ...]
    path: str
    dims: tuple[str, ...]
    symbol: str
    override: Override | None


class Tensor(NDArrayOperatorsMixin):
    """An array with a path, named axes, and the op and inputs from which it was computed.

    NumPy, Pandas and plotting libraries use a tensor as its value: it has ``__array__``, and its
    length, items, arithmetic and comparisons are those of the value. As a key of a dict or an item
    of a set, a tensor is identified by itself and not by its value.

    Attributes:
        value: the array that the forward pass computed.
        op: the operation that computed it; it also explains cells and gives the LaTeX.
        inputs: the inputs of that operation.
        path: the path in the model, for instance ``encoder.0.self_attn.q``.
        dims: the names of the axes.
        symbol: LaTeX of the tensor's name in the paper.
        override: the overrides of this tensor; None if there are none.
        computed: the value before overriding; None without overrides.
        grad: the gradient of the loss, once a backward pass has run.
    """

    # ``__dict__`` holds override, computed and grad, which few tensors have; it is made on demand.
    __slots__ = ("__dict__", "dims", "inputs", "op", "path", "symbol", "value")

    override: Override | None = None
    computed: np.ndarray | None = None
    grad: np.ndarray | None = None

    def __init__(
        self,
        value: np.ndarray,
        op: Op,
        inputs: tuple[Tensor, ...],
        path: str,
        dims: tuple[str, ...],
        symbol: str,
    ) -> None:
        self.value = value
        self.op = op
        self.inputs = inputs
        self.path = path
        self.dims = dims
        self.symbol = symbol

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the value; axis i has the name ``dims[i]``."""
        return self.value.shape

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the value's numbers."""
        return self.value.dtype

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self.value.ndim

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> np.ndarray:
        return np.asarray(self.value, dtype, copy=copy)

    def __getitem__(self, index: Any) -> Any:
        return self.value[index]

    def __setitem__(self, index: Any, value: Any) -> NoReturn:
        raise self._unchangeable()

    def __len__(self) -> int:
        return len(self.value)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.value)

    def __contains__(self, value: object) -> bool:
        return value in self.value

    def __bool__(self) -> bool:
        return bool(self.value)

    def __float__(self) -> float:
        return float(self.value)

    def __array_ufunc__(
        self, function: np.ufunc, method: str, *inputs: Any, **settings: Any
    ) -> Any:
        """Call a NumPy function, also one that an operator calls, with the values of tensors."""
        if any(isinstance(out, Tensor) for out in settings.get("out", ())):
            raise self._unchangeable()
        values = [each.value if isinstance(each, Tensor) else each for each in inputs]
        return getattr(function, method)(*values, **settings)

    def _unchangeable(self) -> TypeError:
        return TypeError(
            "The numbers of a pass are not changed in place: compute another pass, as "
            f"model(…, overrides={{{self.path!r}: {{(0, 0): 1.5}}}})."
        )

    __hash__ = object.__hash__

    @property
    def is_leaf(self) -> bool:
        """Whether the tensor is given, not computed: a parameter, ids or a mask."""
        return not self.inputs

    @property
    def formula(self) -> str:
        """LaTeX of the computation from the inputs: the right-hand side of the equation."""
        return self.op.latex(*[tensor.symbol for tensor in self.inputs])

    @property
    def overridden(self) -> np.ndarray | None:
        """Boolean array of the value's shape, True for overridden cells; None without overrides.

        Cells that a hook changed count as overridden.
        """
        if self.override is None:
            return None
        own = self.value.shape[sum(name in LEADING for name in self.dims) :]
        head = split_head(self.path)[1]
        if head is None:
            covered = self.override.mask(own)
        else:
            stack = (max([head, *self.override.heads, *(c[0] for c in self.override.cells)]) + 1,)
            covered = self.override.mask(stack + own)[head]
        if self.override.hooks and self.computed is not None:
            changed: np.ndarray = covered | (self.value != self.computed)
            return changed
        return np.broadcast_to(covered, self.value.shape)

    @checked()
    def head(self, number: int) -> Tensor:
        """Return the slice of one head, a view without the ``head`` axis.

        Raises:
            NoSuchPath: there is no head axis or no such head.
        """
        if "head" not in self.dims:
            raise NoSuchPath(f"{self.path} has no axis called head.")
        axis = self.dims.index("head")
        if not 0 <= number < self.value.shape[axis]:
            raise NoSuchPath(
                f"{self.path} has {self.value.shape[axis]} heads; there is no number {number}."
            )
        pick: tuple[Any, ...] = (slice(None),) * axis + (number,)
        mark = f"_{{{number + 1}}}"
        view = self.replace(
            value=self.value[pick],
            path=head_path(self.path, number),
            dims=self.dims[:axis] + self.dims[axis + 1 :],
            symbol=self.symbol.replace("^", f"{mark}^", 1)
            if "^" in self.symbol
            else self.symbol + mark,
        )
        if self.grad is not None:
            view.grad = self.grad[pick]
        if self.computed is not None:
            view.computed = self.computed[pick]
        return view

    @checked()
    def gradient(self, value: np.ndarray) -> Tensor:
        """Return a gradient of this tensor, given as an array, as a tensor with the symbol ∂…."""
        return self.replace(value=value, symbol=rf"\partial {self.symbol}", override=None)

    @checked()
    def frame(self, axis: str, t: int) -> Tensor:
        """Return frame t along a leading axis, a view; the tensor itself if it has no such axis.

        If the axis has length 1, all frames are the same.
        """
        if axis not in self.dims:
            return self
        at = self.dims.index(axis)
        if self.value.shape[at] > 1:
            check_whole("t", t, 0, self.value.shape[at] - 1)
        place: tuple[Any, ...] = (*[slice(None)] * at, t if self.value.shape[at] > 1 else 0)
        part = np.asarray(self.value[place])  # a number if the tensor has one number for each frame
        new = self.replace(value=part, dims=(*self.dims[:at], *self.dims[at + 1 :]))
        if self.computed is not None and self.computed.shape == self.value.shape:
            new.computed = self.computed[place]
        return new

    def as_computed(self) -> Tensor:
        """Return the tensor without overrides, as its op computes it; itself if it has none."""
        if self.override is None:
            return self
        value = self.op.forward(*[source.value for source in self.inputs])
        return self.replace(value=value, override=None)

    def replace(self, **changes: Unpack[Changes]) -> Tensor:
        """Return a copy with some attributes replaced; ``grad`` and ``computed`` are not copied."""
        copy = Tensor(
            changes.get("value", self.value),
            changes.get("op", self.op),
            changes.get("inputs", self.inputs),
            changes.get("path", self.path),
            changes.get("dims", self.dims),
            changes.get("symbol", self.symbol),
        )
        override = changes.get("override", self.override)
        if override is not None:
            copy.override = override
        return copy

    def __repr__(self) -> str:
        axes = ", ".join(f"{d}={n}" for d, n in zip(self.dims, self.value.shape, strict=True))
        return f"Tensor({self.path}: {axes})"


def head_path(path: str, number: int) -> str:
    """Return a head's path: ``encoder.0.self_attn.q`` -> ``encoder.0.self_attn.head.2.q``."""
    scope, _, leaf = path.rpartition(".")
    return f"{scope}.head.{number}.{leaf}" if scope else f"head.{number}.{leaf}"


def check_cell(path: str, shape: tuple[int, ...], index: Index | int) -> None:
    """Check that a tensor of this shape has this cell.

    Raises:
        ValueError: the tensor has no such cell.
    """
    index = as_index(path, index)
    if len(index) != len(shape) or any(not 0 <= i < n for i, n in zip(index, shape, strict=True)):
        raise ValueError(f"{path} has the shape {shape}; there is no cell of the index {index}.")


def as_index(path: str, index: Index | int) -> Index:
    """Return a cell's index as a tuple of integers; 3 becomes (3,).

    Raises:
        ValueError: the argument is not an index.
    """
    try:
        if not isinstance(index, tuple):
            return (operator.index(index),)
        return tuple([operator.index(i) for i in index])
    except TypeError:
        raise ValueError(
            f"The index of a cell of {path} is a tuple of whole numbers such as (0, 2), not "
            f"{described(index)}; a word is named by its id."
        ) from None


@functools.lru_cache(4096)  # called for every matrix of every frame
def split_head(path: str) -> tuple[str, int | None]:
    """Return the stored tensor's path, and the head that a path selects; None for all heads."""
    parts = path.split(".")
    if len(parts) >= 3 and parts[-3] == "head" and parts[-2].isdigit():
        return ".".join([*parts[:-3], parts[-1]]), int(parts[-2])
    return path, None
