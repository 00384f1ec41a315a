"""Counts the numbers that dropout sets to 0 in a pass."""

from typing import NamedTuple

from transformer_math import Trace
from transformer_math.ops.elementwise import Dropout


class Dropped(NamedTuple):
    """Counts over all dropout sites of a pass."""

    dropped: int
    of: int  # the count of numbers that dropout is applied to
    sites: int  # the count of matrices that dropout is applied to


def dropped(trace: Trace) -> Dropped:
    """Count the dropped numbers of a pass."""
    kept = [tensor.op.kept for tensor in trace.tensors.values() if isinstance(tensor.op, Dropout)]
    return Dropped(sum(int((~mask).sum()) for mask in kept), sum(m.size for m in kept), len(kept))
