"""The arithmetic of a cell's gradient, by the chain rule."""

from __future__ import annotations

from transformer_math.arguments import checked
from transformer_math.graph.backward import LOSS, gradient_for_inputs
from transformer_math.graph.one_text import check_one_text
from transformer_math.graph.trace import Trace
from transformer_math.ops.expression import Cell, Expression, Number, Sum
from transformer_math.ops.tensor import Index


@checked()
def explain_gradient(trace: Trace, path: str, index: Index | int) -> Expression:
    """Return the arithmetic of a cell's gradient, from gradients of tensors that depend on it.

    Call ``trace.backward()`` first. The gradient of the loss itself is 1.

    Raises:
        NoSuchPath: no such path.
        ValueError: there is no such cell or no gradient, or the trace has a batch or sweep axis.
    """
    check_one_text(trace)
    gradient_cell(trace, path, index)  # raises if there is no gradient
    tensor, cell = trace.locate(path, index)
    if tensor.path == LOSS:
        return Number(1.0, "1", exact=True)
    parts = []
    for reader, which in trace.readers(path):
        # A gradient of 0 everywhere would only add terms that are 0.
        if reader.grad is None or not reader.grad.any():
            continue
        gradient = gradient_for_inputs(reader, reader.grad)
        if gradient is not None:
            flow, output = reader.gradient(gradient), reader.as_computed()
            parts.append(reader.op.explain_gradient(flow, output, which, cell))
    if not parts:
        return Number(0.0, "0 (the loss does not depend on it)", exact=True)
    return parts[0] if len(parts) == 1 else Sum(parts)


def gradient_cell(trace: Trace, path: str, index: Index | int) -> Cell:
    """Return the gradient of a cell as a ``Cell``, for the left-hand side of a formula.

    Raises:
        NoSuchPath: no such path.
        ValueError: there is no such cell or no gradient.
    """
    tensor, cell = trace.locate(path, index)
    if tensor.grad is None:
        raise ValueError(
            f"{path} has no gradient in this trace: give labels to the pass, and call "
            "trace.backward()."
        )
    return Cell(tensor.gradient(tensor.grad), cell)
