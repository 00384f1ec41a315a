"""Changes single numbers of a parameter by their effect on the tensors that read the parameter.

A sweep copies a parameter for every frame, and multiplies every copy. But a tensor that reads the
parameter is linear in each number of the parameter, and the number affects only a column, or the
rows of a word. So the change of these cells is added to that tensor instead.
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
    """The effect of a parameter's numbers on one tensor that reads the parameter.

    Attributes:
        reader: the tensor, in a pass of one example.
        which: the index of the parameter among the tensor's inputs.
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
        """Add to frames of the reader, in place, the effect of changed numbers of the parameter.

        Args:
            frames: (T, …), of the reader.
            which: (k,), the frame of each number.
            cells: the indices of the numbers in the parameter, each (k,).
            by: (k,), the changes of the numbers.
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
    """Return a nudge for each tensor that reads a parameter; None if a sweep is needed instead."""
    found = [Nudge(*each) for each in trace.readers(path)]
    return found if found and not trace.leading and all(map(_is_linear, found)) else None


def _is_linear(nudge: Nudge) -> bool:
    reader, which = nudge
    if reader.override is not None or not which:
        return False
    # Rows (n, d) of one example, which all heads share.
    is_plain = isinstance(reader.op, Linear | ProjectHeads) and reader.inputs[0].value.ndim == 2
    return is_plain or isinstance(reader.op, Embed)
