"""Reads the bytes of a frame as a browser does."""

from typing import NamedTuple

import numpy as np

MAGIC = 0x524D4654


class Plane(NamedTuple):
    """A matrix in a message: (frames, rows, columns), with its marks and gradients, if any."""

    values: np.ndarray
    marks: np.ndarray | None
    gradients: np.ndarray | None


class Frame(NamedTuple):
    """A message with matrices, by their indices in the manifest."""

    kind: int
    version: int
    seq: int
    holds: int
    matrices: dict[int, Plane]


def read(data: bytes) -> Frame:
    header = np.frombuffer(data, "<i4", 8)
    magic, kind, version, seq, count, frames, holds, second = (int(x) for x in header)
    assert magic == MAGIC
    table = np.frombuffer(data, "<i4", 5 * count, offset=32).reshape(count, 5)
    planes = 2 if second else 1
    floats = sum(frames * int(rows * columns) * planes for _, _, rows, columns, _ in table)
    begin = 32 + 20 * count
    values = np.frombuffer(data, "<f4", floats, offset=begin)
    marks = np.frombuffer(data, np.uint8, offset=begin + 4 * floats)
    matrices = {}
    for index, at, rows, columns, marked in table.tolist():
        cells = frames * rows * columns
        shape = (frames, rows, columns)
        flags = None if marked < 0 else marks[marked : marked + rows * columns]
        matrices[index] = Plane(
            values[at : at + cells].reshape(shape),
            None if flags is None else flags.reshape(rows, columns),
            values[at + cells : at + 2 * cells].reshape(shape) if second else None,
        )
    return Frame(kind, version, seq, holds, matrices)
