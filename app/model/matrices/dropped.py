"""How many numbers of a pass dropout has set to 0."""

from typing import NamedTuple

from transformer_math import Trace
from transformer_math.ops.elementwise import Dropout


class Dropped(NamedTuple):
    """Counts over all dropout of a pass.

    Attributes:
        dropped: numbers that are set to 0.
        of: numbers that dropout was applied to.
        sites: matrices that it was applied to.
    """

    dropped: int
    of: int
    sites: int


def dropped(trace: Trace) -> Dropped:
    """Count the dropped numbers of a pass."""
    kept = [tensor.op.kept for tensor in trace.tensors.values() if isinstance(tensor.op, Dropout)]
    return Dropped(sum(int((~mask).sum()) for mask in kept), sum(m.size for m in kept), len(kept))
