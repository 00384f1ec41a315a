"""Explains the gradient of the loss at one cell."""

import math
from collections.abc import Iterator

from transformer_math import Trace, sweep
from transformer_math.explain import explain_gradient, gradient_cell
from transformer_math.graph.backward import LOSS
from transformer_math.ops import IDENTITY
from transformer_math.ops.expression import Cell, Expression, Sum
from transformer_math.ops.tensor import Index, Tensor

from ..model.inference import cost
from ..model.inference.forward_pass import ForwardPassRunner
from ..model.matrices.address import PROBABILITIES
from ..model.matrices.covering import Rectangle
from ..model.matrices.resolved_cell import ResolvedCell
from ..model.scenario.scenario import Scenario
from ..number_text import real_minus
from . import labels
from .arithmetic import arithmetic, listed, rectangles
from .details import GradientDetails
from .strips import strips

STEP = 0.01  # by how much the page's sentence on the loss changes the cell
RESOLUTION = 2e-6  # relative to the loss; smaller differences are lost in single precision

MAX_WIDTH = 2048  # operands of a gradient; if there are more, none are listed


def details(runner: ForwardPassRunner, scenario: Scenario, cell: ResolvedCell) -> GradientDetails:
    """Return the gradient of a cell, its arithmetic, and the change of the loss with the cell."""
    trace = runner.with_gradients(scenario)
    place = cell.stored, cell.full
    gradient = trace[cell.stored].grad
    loss = float(trace[LOSS].value)
    found: GradientDetails = {
        "path": cell.path,
        "i": cell.row,
        "j": cell.column,
        "loss": loss if math.isfinite(loss) else None,
        "right": "what it writes itself" if scenario.writes_itself else "",
    }
    if gradient is None:
        found["note"] = "This number is given, not learned or computed, so it has no gradient."
        return found
    value = float(gradient[cell.full]) + 0.0  # −0 is 0
    symbol = (cell.tensor if scenario.settings.heads > 1 else trace[cell.stored]).symbol
    found["symbol"] = rf"\frac{{\partial\,\mathrm{{loss}}}}{{\partial {symbol}}}"
    found["value"] = value if math.isfinite(value) else None
    found["note"] = _note(trace, cell)
    if cost.has_cheap_gradients(scenario):
        found["exact"] = exact(trace, *place)
    if not _is_wide(trace, cell.stored):
        expression, tokens = explained(trace, *place), scenario.axis_tokens
        found["arithmetic"] = arithmetic(tokens, gradient_cell(trace, *place), expression, _number)
        found["operands"], found["more_operands"] = listed(tokens, expression)
        found["strips"] = strips(tokens, expression)
    return found


def operands(trace: Trace, cell: ResolvedCell) -> list[Rectangle]:
    """Return the operands of the gradient, as rectangles of drawn matrices."""
    if trace[cell.stored].grad is None or _is_wide(trace, cell.stored):
        return []
    return rectangles(explained(trace, cell.stored, cell.full))


def explained(trace: Trace, path: str, index: Index) -> Expression:
    """Return the arithmetic of a gradient, skipping steps that are switched off."""
    found = explain_gradient(trace, path, index)
    if not isinstance(found, Sum):
        return _opened(trace, found)
    return Sum([_opened(trace, part) for part in found.parts])


def exact(trace: Trace, path: str, index: Index) -> list[float] | None:
    """Return the change of the loss when the cell is raised, and when it is lowered, by ``STEP``.

    None if the change is too small for single precision.
    """
    now = float(trace[path].value[index])
    if not math.isfinite(now) or path == LOSS:
        return None
    moved = sweep(trace, path, index, [now, now + STEP, now - STEP])[LOSS]
    if "sweep" not in moved.dims:
        return None
    before, raised, lowered = moved.value.astype(float).tolist()
    changes = [raised - before, lowered - before]
    return changes if max(map(abs, changes)) > RESOLUTION * max(1.0, abs(before)) else None


def _number(x: float) -> str:
    """Format a number with three digits: gradients are small, so two decimals would show little."""
    text = f"{x:.3g}" if x == 0 or 0.001 <= abs(x) < 1000 else f"{x:.2e}".replace("e-0", "e−")
    return "−∞" if x == -math.inf else real_minus(text).replace("e+0", "e")


def _opened(trace: Trace, part: Expression) -> Expression:
    if isinstance(part, Cell) and part.tensor.op is IDENTITY:
        passed = trace[part.tensor.path]
        if passed.override is None:
            return explained(trace, passed.path, part.index)
    return part


def _readers(trace: Trace, path: str) -> Iterator[Tensor]:
    """Yield the tensors that read a tensor and affect the loss, skipping steps that are off."""
    for reader, _ in trace.readers(path):
        if reader.grad is None or not reader.grad.any():
            continue
        if reader.op is IDENTITY:
            yield from _readers(trace, reader.path)
        else:
            yield reader


def _is_wide(trace: Trace, path: str) -> bool:
    """Return whether a gradient is a sum over thousands of words."""
    found = _readers(trace, path)
    return any(
        source.shape[-1] > MAX_WIDTH for t in found for source in (t, *t.inputs) if source.dims
    )


def _note(trace: Trace, cell: ResolvedCell) -> str:
    head = cell.head
    if cell.stored == LOSS:
        return "All gradients are gradients of this number, the loss."
    found = []
    for reader in _readers(trace, cell.stored):
        of_head = head is not None and "head" in reader.dims
        symbol = (reader.head(head) if of_head and head is not None else reader).symbol
        found.append(labels.plain(symbol))
    names = list(dict.fromkeys(found))
    if cell.stored == PROBABILITIES:
        return "Its gradient is 0: the loss is computed from the logits and uses no probability."
    if not names:
        return "The loss does not depend on this number."
    if len(names) == 1 and len(found) == 1:
        return (
            f"The chain rule: {names[0]} is computed from this number. Its gradient, times the "
            "effect of this number on it, is the gradient here."
        )
    several = ", ".join(names[:-1]) + f" and {names[-1]}" if len(names) > 1 else names[0]
    return (
        f"The chain rule: {several} are computed from this number. Each of their gradients is "
        "multiplied by the effect of this number on it, and the products are added."
    )
