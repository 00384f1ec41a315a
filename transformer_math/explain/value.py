"""The arithmetic of a cell's value."""

from __future__ import annotations

from transformer_math.arguments import checked
from transformer_math.graph.one_text import check_one_text
from transformer_math.graph.trace import Trace
from transformer_math.ops.expression import Expression, Number
from transformer_math.ops.tensor import Index


@checked()
def explain(trace: Trace, path: str, index: Index | int) -> Expression:
    """Return the arithmetic of a cell, in terms of the cells from which it was computed.

    For an overridden cell, this is the number that was set; for a cell of a leaf, the cell itself.

    Raises:
        NoSuchPath: no such path.
        ValueError: no such cell, or the trace has a batch or sweep axis (see ``Trace.frame``).
    """
    check_one_text(trace)
    tensor, cell = trace.locate(path, index)
    overridden = tensor.overridden
    if overridden is not None and overridden[cell]:
        return Number(float(tensor.value[cell]), "overridden")
    return tensor.op.explain(tensor, cell)
