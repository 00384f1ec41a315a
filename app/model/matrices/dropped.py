"""Counts the numbers that dropout sets to 0 in a pass."""

from typing import NamedTuple

from transformer_math import Trace
from transformer_math.ops.elementwise import Dropout


class Dropped(NamedTuple):
    """Counts over all dropout sites of a pass.

    Attributes:
        dropped: the numbers that are set to 0.
        of: the numbers that dropout is applied to.
        sites: the matrices that dropout is applied to.
    """

    dropped: int
    of: int
    sites: int


def dropped(trace: Trace) -> Dropped:
    """Count the dropped numbers of a pass."""
    kept = [tensor.op.kept for tensor in trace.tensors.values() if isinstance(tensor.op, Dropout)]
    return Dropped(sum(int((~mask).sum()) for mask in kept), sum(m.size for m in kept), len(kept))
