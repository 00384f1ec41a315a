"""The arithmetic of a cell's value, in symbols and in numbers, with the cells it came from."""

from __future__ import annotations

from transformer_math.graph.trace import Trace
from transformer_math.ops.expression import Expression, Number
from transformer_math.ops.tensor import Index


def explain(trace: Trace, path: str, index: Index) -> Expression:
    """How a cell arises from the cells that its op read.

    An overridden cell has no arithmetic: it is the number that was set. Leaves are their own
    value.

    Raises:
        KeyError: no such path.
        ValueError: no such cell, or the trace has a batch or sweep axis (see ``Trace.frame``).
    """
    check_single(trace)
    tensor, cell = trace.locate(path, index)
    overridden = tensor.overridden
    if overridden is not None and overridden[cell]:
        return Number(float(tensor.value[cell]), "overridden")
    return tensor.op.explain(tensor, cell)


def check_single(trace: Trace) -> None:
    """A pass over one example in one setting.

    Raises:
        ValueError: it is over several.
    """
    if trace.leading:
        raise ValueError(f"Explanations are for one example, not for {', '.join(trace.leading)}.")
