"""Single numbers of a parameter at other values, put where the parameter is read.

A parameter that is swept is copied for every frame, and every copy is multiplied. But what reads it
is linear in each of its numbers, and only a column, or the rows of a word, differ. So those are
added to what was read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from transformer_math.graph.trace import Trace
from transformer_math.ops.embedding import Embed
from transformer_math.ops.linear import Linear, ProjectHeads
from transformer_math.ops.tensor import Tensor


class Nudge(NamedTuple):
    """What a number of a parameter adds to the tensor that reads it.

    Attributes:
        reader: the tensor, of a pass of one example.
        which: which of its inputs the parameter is.
    """

    reader: Tensor
    which: int

    def add(
        self,
        frames: np.ndarray,
        which: np.ndarray,
        cells: Sequence[np.ndarray],
        by: np.ndarray,
    ) -> None:
        """Add, in place, what numbers of the parameter add to frames of the reader.

        Args:
            frames: (T, …), of the reader.
            which: (k,), the frame of each number.
            cells: the indices of the numbers in the parameter, each (k,).
            by: (k,), how far the numbers move.
        """
        op, source = self.reader.op, self.reader.inputs[0].value
        by = by.astype(frames.dtype)[:, None]
        if isinstance(op, Embed):
            word, column = cells
            there = (source[None] == word[:, None]) * by
            frames[which, :, column] += there * op._factor if op.scaled else there
            return
        is_weight = self.which == 1
        *head, column = [*cells[:-2], cells[-1]] if is_weight else cells
        read = source[:, cells[-2]].T if is_weight else np.ones((1, len(source)), frames.dtype)
        at: tuple[Any, ...] = (which, *head, slice(None), column)
        frames[at] += by * read


def nudges(trace: Trace, path: str) -> list[Nudge] | None:
    """How the numbers of a tensor are put where it is read; None if it has to be swept itself."""
    found = [Nudge(*each) for each in trace.readers(path)]
    return found if found and not trace.leading and all(map(_is_linear, found)) else None


def _is_linear(nudge: Nudge) -> bool:
    reader, which = nudge
    if reader.override is not None or not which:
        return False
    # What stands at all positions alike, of one example.
    is_plain = isinstance(reader.op, Linear | ProjectHeads) and reader.inputs[0].value.ndim == 2
    return is_plain or isinstance(reader.op, Embed)
