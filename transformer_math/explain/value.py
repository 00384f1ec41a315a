"""A cell's arithmetic, in symbols and in numbers, with the cells it came from."""

from __future__ import annotations

from transformer_math.graph.trace import Trace
from transformer_math.ops.expression import Expression, Number
from transformer_math.ops.tensor import Index, split_head


def explain(trace: Trace, path: str, index: Index) -> Expression:
    """How a cell arises from the cells that its op read.

    An overridden cell has no arithmetic: it is the number that was set. Leaves are their own
    value.

    Raises:
        KeyError: no such path.
        ValueError: no such cell, or the trace has a batch or sweep axis (take one frame first).
    """
    if trace.leading:
        raise ValueError(f"Explanations are for one example, not for {', '.join(trace.leading)}.")
    stored, head = split_head(path)
    tensor = trace[stored]
    cell = index if head is None else (head, *index)
    if len(cell) != tensor.value.ndim or any(
        not 0 <= i < n for i, n in zip(cell, tensor.value.shape, strict=True)
    ):
        raise ValueError(f"{path} has the shape {trace[path].shape}; there is no cell {index}.")
    overridden = tensor.overridden
    if overridden is not None and overridden[cell]:
        return Number(float(tensor.value[cell]), "overridden")
    return tensor.op.explain(tensor, cell)
