"""The safetensors file format, read with strict checks.

The format (https://huggingface.co/docs/safetensors): eight bytes, little endian, with the length
of a header; the header, a JSON object of name -> dtype, shape and offsets, with strings under
``__metadata__``; then the bytes of the tensors, one after the other without gaps. Unlike a pickle,
a file of this format cannot run code.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

MAX_BYTES = 64 << 20
MAX_HEADER = 1 << 20
METADATA = "__metadata__"

# Dtype in the file -> NumPy's; BF16, which NumPy does not have, is the upper half of a float32.
_DTYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2"}
# Whole numbers and masks, which some libraries store beside the weights.
_WHOLE = {"I64": "<i8", "I32": "<i4", "U8": "u1", "BOOL": "?"}
_NAMES = {"float64": "F64", "float32": "F32"}


class TensorFile(NamedTuple):
    """The content of a file.

    Attributes:
        arrays: name -> array of float32 or float64, in the order of the file; whole numbers and
            masks, if they are read, keep their dtypes.
        metadata: key -> string.
    """

    arrays: dict[str, np.ndarray]
    metadata: dict[str, str]


class CheckpointError(ValueError):
    """A file cannot be read; the message is one sentence with the reason."""


class _TensorHeader(NamedTuple):
    """A tensor's entry in the header; start and end are offsets in bytes after the header."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    start: int
    end: int


def save(
    arrays: Mapping[str, np.ndarray],
    metadata: Mapping[str, str] | None = None,
    limit: int = MAX_BYTES,
) -> bytes:
    """Return the bytes of a safetensors file.

    Raises:
        CheckpointError: an array is neither float32 nor float64, or the file would be too large.
    """
    header: dict[str, Any] = {METADATA: dict(metadata)} if metadata else {}
    chunks, offset = [], 0
    for name, array in arrays.items():
        if array.dtype.name not in _NAMES or name == METADATA:
            raise CheckpointError(f"{name} of {array.dtype.name} has no place in such a file.")
        code = _NAMES[array.dtype.name]
        chunks.append(np.ascontiguousarray(array, _DTYPES[code]).tobytes())
        ends = [offset, offset + len(chunks[-1])]
        header[name] = {"dtype": code, "shape": list(array.shape), "data_offsets": ends}
        offset = ends[1]
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)  # aligns the tensors to eight bytes
    if 8 + len(text) + offset > limit or len(text) > MAX_HEADER:
        raise CheckpointError(f"The model does not fit into {limit >> 20} MB.")
    return b"".join([len(text).to_bytes(8, "little"), text, *chunks])


def load(data: bytes, limit: int = MAX_BYTES, *, with_whole: bool = False) -> TensorFile:
    """Return the arrays and the metadata of a safetensors file; F16 and BF16 become float32.

    Args:
        data: the content of the file.
        limit: the largest size in bytes; the default is for files that are uploaded to a page.
        with_whole: whether arrays of whole numbers and masks are read, too.

    Raises:
        CheckpointError: the file is too large, damaged or of another format.
    """
    if len(data) > limit:
        raise CheckpointError(
            f"The file has {len(data) / (1 << 20):.0f} MB; at most {limit >> 20} MB are read."
        )
    header, body = _split(data)
    about = _metadata(header.pop(METADATA, {}))
    dtypes = {**_DTYPES, **_WHOLE} if with_whole else _DTYPES
    found = (_entry(*item, dtypes) for item in header.items())
    entries = sorted(found, key=lambda e: (e.start, e.end))
    _check_layout(entries, len(body))
    return TensorFile({entry.name: _array(entry, body) for entry in entries}, about)


def metadata(data: bytes) -> dict[str, str]:
    """Return the metadata of a safetensors file, without its arrays.

    Raises:
        CheckpointError: the file is damaged or of another format.
    """
    return _metadata(_split(data)[0].get(METADATA, {}))


def _split(data: bytes) -> tuple[dict[str, Any], memoryview]:
    """Return the header, and the bytes after it."""
    if len(data) < 8:
        raise CheckpointError("This is not a safetensors file: it ends before its header.")
    length = int.from_bytes(data[:8], "little")
    if data[8:9] != b"{":
        raise CheckpointError("This is not a safetensors file: no header stands at its start.")
    if length > MAX_HEADER:
        raise CheckpointError(
            f"The header of the file claims {length:,} bytes; at most {MAX_HEADER:,} are read."
        )
    if len(data) < 8 + length:
        raise CheckpointError("The file is truncated: it ends within its header.")
    try:
        header = json.loads(data[8 : 8 + length].decode(), object_pairs_hook=_unique)
    except CheckpointError:
        raise
    except (ValueError, RecursionError):
        raise CheckpointError("The header of the file is not JSON.") from None
    if not isinstance(header, dict):
        raise CheckpointError("The header of the file is no JSON object.")
    return header, memoryview(data)[8 + length :]


def _unique(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object as a dict; duplicate keys are an error."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise CheckpointError(f"The file names {_short(name)} twice.")
        found[name] = value
    return found


def _metadata(raw: Any) -> dict[str, str]:
    """Return the metadata of a header, checked."""
    if not isinstance(raw, dict) or not all(isinstance(text, str) for text in raw.values()):
        raise CheckpointError("The metadata of the file is more than text by name.")
    return raw


def _entry(name: str, raw: Any, dtypes: Mapping[str, str]) -> _TensorHeader:
    """Return a tensor's entry in the header, checked."""
    if len(name) > 200:
        raise CheckpointError(f"A name in the file has {len(name):,} characters; at most 200 do.")
    if not isinstance(raw, dict) or set(raw) != {"dtype", "shape", "data_offsets"}:
        raise CheckpointError(f"{name} is not described by dtype, shape and data_offsets.")
    dtype, shape, offsets = raw["dtype"], raw["shape"], raw["data_offsets"]
    if not isinstance(dtype, str) or dtype not in dtypes:
        kinds = ", ".join(dtypes)
        raise CheckpointError(f"{name} has the unknown dtype {_short(dtype)}; read are {kinds}.")
    if not _are_sizes(shape) or len(shape) > 8:
        raise CheckpointError(f"{name} has no shape but {_short(shape)}.")
    if not _are_sizes(offsets) or len(offsets) != 2 or offsets[0] > offsets[1]:
        raise CheckpointError(f"{name} has no offsets but {_short(offsets)}.")
    size = math.prod(shape) * np.dtype(dtypes[dtype]).itemsize
    if offsets[1] - offsets[0] != size:
        raise CheckpointError(
            f"{name} takes {size:,} bytes by its shape "
            f"and {offsets[1] - offsets[0]:,} by its offsets."
        )
    return _TensorHeader(name, dtype, tuple(shape), *offsets)


def _are_sizes(raw: Any) -> bool:
    return isinstance(raw, list) and all(type(size) is int and size >= 0 for size in raw)


def _check_layout(entries: list[_TensorHeader], size: int) -> None:
    """Check that the tensors fill the ``size`` bytes after the header without gap or overlap."""
    at, before = 0, ""
    for entry in entries:
        if entry.start < at:
            raise CheckpointError(f"{entry.name} overlaps {before} in the file.")
        if entry.start > at:
            raise CheckpointError(f"The file has a gap before {entry.name}.")
        at, before = entry.end, entry.name
        if at > size:
            raise CheckpointError(f"The file is truncated: {entry.name} reaches beyond its end.")
    if at < size:
        raise CheckpointError(f"The file has {size - at:,} bytes beyond its last tensor.")


def _array(entry: _TensorHeader, body: memoryview) -> np.ndarray:
    """Return the array of an entry, whose numbers must be finite."""
    if entry.dtype in _WHOLE:
        whole = np.frombuffer(body[entry.start : entry.end], _WHOLE[entry.dtype])
        return whole.reshape(entry.shape)
    raw = np.frombuffer(body[entry.start : entry.end], _DTYPES[entry.dtype])
    if entry.dtype == "BF16":
        raw = (raw.astype(np.uint32) << 16).view(np.float32)
    array = raw.astype(np.float64 if entry.dtype == "F64" else np.float32).reshape(entry.shape)
    bad = array.size - np.count_nonzero(np.isfinite(array))
    if bad:
        raise CheckpointError(f"{entry.name} holds {bad:,} values that are NaN or infinite.")
    return array


def _short(raw: Any) -> str:
    """Return a value for a message, cut to 60 characters."""
    text = raw if isinstance(raw, str) else repr(raw)
    return text if len(text) <= 60 else f"{text[:59]}…"
