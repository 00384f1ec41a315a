"""The binary format of matrices sent to the board.

Little endian: a header of eight int32, five int32 per matrix, the values as float32, the flags as
bytes. If gradients are shown, those of each matrix follow its values, as a second plane. The
browser reads the buffer through typed arrays without parsing; ``data/wire.js`` is the reader.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

MAGIC = 0x524D4654  # "TFMR" as the browser sees the first four bytes
FRAME, ORBIT = 1, 2

_HEADER = np.dtype("<i4")
_NO_FLAGS = -1


class PackedMatrix(NamedTuple):
    """One encoded matrix of a message, which the sender compares with the last one that it sent."""

    matrix: int  # index of the matrix in the manifest
    rows: int
    columns: int
    values: bytes  # float32, (frames ·) rows · columns
    flags: bytes | None  # rows · columns
    gradients: bytes | None = None  # like the values

    @property
    def cells(self) -> int:
        return self.rows * self.columns


def packed_matrix(
    index: int,
    values: np.ndarray,
    flags: np.ndarray | None = None,
    gradients: np.ndarray | None = None,
) -> PackedMatrix:
    """Encode a (rows, columns) matrix, or (T, rows, columns) frames; flags are (rows, columns).

    Gradients have the shape of the values.
    """
    rows, columns = values.shape[-2:]
    if flags is not None:
        if flags.shape != (rows, columns):
            raise ValueError(f"flags of shape {flags.shape} do not fit a {rows} × {columns} matrix")
        # Leave out flags that are all zero, as in most matrices.
        marks = flags.astype(np.uint8).tobytes() if flags.any() else None
    else:
        marks = None
    if gradients is None:
        second = None
    elif gradients.shape != values.shape:
        raise ValueError(f"gradients {gradients.shape} do not fit values {values.shape}")
    else:
        second = gradients.astype("<f4").tobytes()
    return PackedMatrix(index, rows, columns, values.astype("<f4").tobytes(), marks, second)


def pack(
    kind: int, version: int, seq: int, entries: Sequence[PackedMatrix], holds: int = 0
) -> bytes:
    """Join entries into one message.

    All entries of an orbit must have the same number of frames; either all or none must have
    gradients. ``holds`` is the version that the page shows after it has received these entries.
    """
    frames = next((len(e.values) // (4 * e.cells) for e in entries if e.cells), 1)
    second = any(e.gradients is not None for e in entries)
    header = [MAGIC, kind, version, seq, len(entries), frames, holds, int(second)]
    floats = marks = 0
    for e in entries:
        if len(e.values) != 4 * frames * e.cells:
            shape = f"{e.rows} × {e.columns}"
            raise ValueError(f"matrix {e.matrix} does not have {frames} frames of {shape} values")
        if second and e.gradients is None:
            raise ValueError(f"matrix {e.matrix} has no gradients, and others have")
        header += [e.matrix, floats, e.rows, e.columns, _NO_FLAGS if e.flags is None else marks]
        floats += frames * e.cells * (2 if second else 1)
        marks += 0 if e.flags is None else e.cells
    values = (plane for e in entries for plane in (e.values, e.gradients or b""))
    flags = (e.flags for e in entries if e.flags is not None)
    return b"".join([np.array(header, _HEADER).tobytes(), *values, *flags])
