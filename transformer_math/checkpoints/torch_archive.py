"""Files of ``torch.save``, read without PyTorch.

There are two formats: a ZIP archive with a pickle ``data.pkl`` and one member for each storage,
and, before PyTorch 1.6, five pickles followed by the storages. From both, the arrays of a model
are read with their names. Nothing in a file is executed; see ``torch_pickle``.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from transformer_math.checkpoints.safetensors import CheckpointError
from transformer_math.checkpoints.stored_zip import StoredZip
from transformer_math.checkpoints.torch_contents import Contents, checked_name
from transformer_math.checkpoints.torch_pickle import Unread, read_pickle
from transformer_math.checkpoints.torch_tensors import Arrays, Storages, tensor_of

LIMIT = 16 << 30  # bytes in local files; far more than are allowed for uploads
_MAGIC = 0x1950A86A20F9469CFC6C  # the first pickle of the format before PyTorch 1.6
_PROTOCOL = 1001
_FEW = 100  # maximum steps of each pickle that precedes the saved value

_ARCHIVE, _PICKLES = b"PK\3\4", [bytes([0x80, protocol]) for protocol in range(2, 6)]
# First bytes of files that are given by mistake -> the kind of file.
_KINDS = {
    b"GGUF": "a GGUF file of llama.cpp",
    b"\x89HDF": "an HDF5 file, as Keras writes",
    b"\x93NUMPY": "an array of NumPy",
    b"\x1f\x8b": "compressed by gzip",
    b"PK": "an empty ZIP archive",
    b"version https://git-lfs": "a pointer of Git LFS; the file itself was not downloaded",
    b"<": "a web page or XML",
}


class TorchFile(NamedTuple):
    """The state of a model in a file, and the other content of the file.

    Attributes:
        state: name -> array, in the order of the file. bfloat16 and, by default, float16 become
            float32; whole numbers and masks keep their dtypes. Arrays of shared
            storages are views of one memory; the same tensor under two names is the same array.
            Values may be NaN or infinite, as in masks.
        key: the keys that lead to the state, with dots between them; "" if the file is the state
            itself or a whole module.
        other: a description of each other entry of the file, such as ``epoch 12``,
            ``optimizer_state_dict: 3 entries`` and ``args: argparse.Namespace, not read``.
        values: name -> value of each plain entry, such as the settings of the model: None, bool,
            int, float, str, and lists and dicts of these.
    """

    state: dict[str, np.ndarray]
    key: str
    other: list[str]
    values: dict[str, Any]


def is_torch_file(data: bytes | memoryview) -> bool:
    """Return whether a file is a ZIP archive or a pickle, like the files of ``torch.save``."""
    return data[:4] == _ARCHIVE or (data[:2] in _PICKLES and not _is_safetensors(data))


def _is_safetensors(data: bytes | memoryview) -> bool:
    return data[8:9] == b"{"


def read_torch_file(
    source: bytes | str | PathLike[str],
    *,
    key: str | None = None,
    limit: int = LIMIT,
    keep_float16: bool = False,
) -> TorchFile:
    """Read a state, a checkpoint or a whole module from a file of ``torch.save``.

    Args:
        source: the content of the file, or its path. From a path, only the state is loaded, and
            the file must not change until it is read.
        key: the key of the state, such as ``model`` or ``ema.state_dict``; by default the key of
            the state with the most floats.
        limit: the largest size of the file in bytes; the arrays may have twice as many.
        keep_float16: whether float16 stays float16; else it becomes float32.

    Raises:
        ValueError: the file is damaged, too large, of another format, or has no state; the message
            is one sentence with the reason.
        OSError: the file cannot be opened.
    """
    data = _content(source)
    if len(data) > limit:
        raise CheckpointError(
            f"The file has {len(data) / (1 << 20):.0f} MB; at most {limit >> 20} MB are read."
        )
    root, storages, order = _opened(data)
    contents = Contents(root)
    found = contents.state(key)
    arrays = Arrays(storages, order, keep_float16=keep_float16, limit=2 * limit)
    state: dict[str, np.ndarray] = {}
    for name, value in found.entries:
        checked_name(name)
        tensor = tensor_of(value)
        if isinstance(tensor, Unread):
            raise CheckpointError(f"{name} is {tensor.words}, which is not read.")
        if tensor is not None:
            state[name] = arrays.array(name, tensor)
    return TorchFile(state, found.key, [*contents.other(found.path)], contents.values(found.path))


def _content(source: bytes | str | PathLike[str]) -> memoryview:
    """Return the bytes of a file, mapped so that only used parts are loaded."""
    if isinstance(source, bytes):
        return memoryview(source)
    path = Path(source)
    if not path.stat().st_size:
        return memoryview(b"")
    return np.memmap(path, mode="r").data


def _opened(data: memoryview) -> tuple[Any, Mapping[str, memoryview], str]:
    """Return the saved value, key -> bytes of its storages, and their byte order, < or >."""
    if not is_torch_file(data):
        raise CheckpointError(f"The file is not one of torch.save: {kind_of(data)}.")
    return _zip(data) if data[:4] == _ARCHIVE else _legacy(data)


def kind_of(data: bytes | memoryview) -> str:
    """Return the kind of a file that PyTorch did not write, by its first bytes."""
    start = bytes(data[:512])
    if not start:
        return "it is empty"
    if _is_safetensors(data):
        return "it is a safetensors file"
    if start[257:262] == b"ustar":
        return "it is a tar archive, which PyTorch wrote before 0.1.10 and a later one can convert"
    found = [words for mark, words in _KINDS.items() if start.startswith(mark)]
    return f"it is {found[0]}" if found else "it starts with other bytes"


def _zip(data: memoryview) -> tuple[Any, Mapping[str, memoryview], str]:
    """Return the content of a ZIP archive of PyTorch, whose members are in a folder of any name."""
    archive = StoredZip(data)
    names = archive.names
    folders = [name.removesuffix("data.pkl") for name in names if name.endswith("/data.pkl")]
    if len(folders) != 1:
        held = ", ".join(f"{name:.40}" for name in islice(names, 3)) or "nothing"
        raise CheckpointError(
            "The file is not one of torch.save: it is a ZIP archive with "
            f"{len(folders)} members data.pkl, not one; it has {held}."
        )
    folder = folders[0]
    if f"{folder}constants.pkl" in names or any(n.startswith(f"{folder}code/") for n in names):
        raise CheckpointError(
            "The file is an archive of TorchScript, with code; save the state_dict of the model."
        )
    order = b"little"
    if f"{folder}byteorder" in names:
        order = bytes(archive.read(f"{folder}byteorder")[:10])
    if order not in (b"little", b"big"):
        raise CheckpointError(f"The file has the byte order {order!r}, which is not known.")
    storages = Storages()
    root, _ = read_pickle(archive.read(f"{folder}data.pkl"), 0, storages.of)
    members = {key: f"{folder}data/{key}" for key in storages}
    content = {key: archive.read(name) for key, name in members.items() if name in names}
    return root, content, "<" if order == b"little" else ">"


def _legacy(data: memoryview) -> tuple[Any, Mapping[str, memoryview], str]:
    """Return the content of a file before PyTorch 1.6: pickles, then size and bytes of storages.

    The pickles: a magic number, a version, a description of the computer, the value, and the keys
    of the storages in the order of the file. Storages are little endian on all computers.
    """
    magic, at = read_pickle(data, 0, most=_FEW)
    if magic != _MAGIC:
        raise CheckpointError("The file is a pickle, but not one of torch.save.")
    version, at = read_pickle(data, at, most=_FEW)
    if version != _PROTOCOL:
        raise CheckpointError("The file is of an unknown version of the format of torch.save.")
    _, at = read_pickle(data, at, most=_FEW)
    storages = Storages()
    root, at = read_pickle(data, at, storages.of)
    keys, at = read_pickle(data, at)
    content: dict[str, memoryview] = {}
    for key in keys if type(keys) is list else ():
        storage = storages.get(key) if type(key) is str else None
        if storage is None or key in content:
            raise CheckpointError("The file lists a storage twice, or one that it does not use.")
        size = int.from_bytes(data[at : at + 8], "little")
        end = at + 8 + storage.byte_count
        if end > len(data):
            raise CheckpointError(f"The file is truncated: the storage {key:.60} ends beyond it.")
        if size != storage.size:
            raise CheckpointError(
                f"The storage {key:.60} has {size:,} elements, "
                f"and {storage.size:,} by its description."
            )
        content[key] = data[at + 8 : end]
        at = end
    return root, content, "<"
