"""The bytes in which matrices travel to the board.

Little endian: a header of eight int32, five int32 for each matrix, the values as float32, the
flags as bytes. Where gradients are shown, each matrix has a second plane behind its values. The
browser lays typed arrays over the buffer it received and parses nothing.
``data/wire.js`` reads what is written here.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

MAGIC = 0x524D4654  # "TFMR" as the browser sees the first four bytes
FRAME, ORBIT = 1, 2

_HEADER = np.dtype("<i4")
_NO_FLAGS = -1


class PackedMatrix(NamedTuple):
    """One matrix of a message, as bytes already: a sender can compare it with what it sent last."""

    matrix: int  # its index in the manifest
    rows: int
    columns: int
    values: bytes  # float32, (frames ·) rows · columns
    flags: bytes | None  # rows · columns
    gradients: bytes | None = None  # as the values

    @property
    def cells(self) -> int:
        return self.rows * self.columns


def packed_matrix(
    index: int,
    values: np.ndarray,
    flags: np.ndarray | None = None,
    gradients: np.ndarray | None = None,
) -> PackedMatrix:
    """A (rows, columns) matrix, or (T, rows, columns) frames of one; flags are (rows, columns).

    Gradients are of the shape of the values.
    """
    rows, columns = values.shape[-2:]
    if flags is not None:
        if flags.shape != (rows, columns):
            raise ValueError(f"flags of shape {flags.shape} do not fit a {rows} × {columns} matrix")
        # A matrix without a single mark is the rule; it then costs no byte.
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

    Those of an orbit must all have the same number of frames, and all gradients or none. ``holds``
    is the version of what the page shows when it has these.
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
