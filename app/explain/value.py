"""Explains the value of one cell with the op that computed it."""

import math

import numpy as np

from transformer_math import Trace, explain
from transformer_math.ops import SOFTMAX, TokenLoss
from transformer_math.ops.expression import (
    FOLD,
    Apply,
    Cell,
    Difference,
    Expression,
    Named,
    Number,
    Quotient,
    Sum,
)
from transformer_math.ops.tensor import Index, Tensor

from ..model.inference.forward_pass import ForwardPassRunner
from ..model.matrices.address import PROBABILITIES
from ..model.matrices.covering import Rectangle
from ..model.matrices.resolved_cell import ResolvedCell
from ..model.matrices.scale import is_share, span
from ..model.matrices.values import shown_tensor
from ..model.scenario.scenario import Scenario
from . import ablation, gradient, labels
from .arithmetic import arithmetic, listed, rectangles
from .details import CellDetails
from .mask_note import mask_note
from .strips import strips

OVERRIDDEN_ANSWER = (
    "The model chooses the word by the logits, so a different probability here changes no "
    "word. Drag the bar of a word at the top of the page instead: the page then moves numbers "
    "that make it likelier."
)
MAX_SOFTMAX_WIDTH = 2048  # terms; a longer sum is shortened
ROUNDING = 1e-5  # tolerance of the sum of a softmax


def details(
    runner: ForwardPassRunner, scenario: Scenario, cell: ResolvedCell, swing: float = 0.0
) -> CellDetails:
    """Return symbol, place, formula and arithmetic of a cell, and whether it can be edited.

    ``swing`` is the amplitude of the cell's oscillation.
    """
    tensor, index, stored, full = cell.tensor, cell.index, cell.stored, cell.full
    tokens = scenario.axis_tokens
    stack = runner.trace(scenario)[stored]
    symbol = tensor.symbol if scenario.settings.heads > 1 else stack.symbol
    found: CellDetails = {
        "path": cell.path,
        "i": cell.row,
        "j": cell.column,
        "symbol": symbol,
        "title": labels.place_words(cell.path),
        "where": labels.cell_words(tokens, stored, tensor, index),
        "place": labels.place_in_short(tokens, stored, tensor, index),
        "editable": scenario.shape(stored) is not None,
        "parameter": scenario.is_parameter(stored),
    }
    if found["editable"]:
        found["edited"] = scenario.edit_at(stored, full) in scenario.edits
        found["edited_here"] = any(edit.path == stored for edit in scenario.edits)
        found["silence"] = ablation.choices(scenario, cell)
    silence = ablation.covering(scenario, cell)
    quiet = None if found.get("edited") else silence
    if quiet is not None:
        found["silenced"] = ablation.sentence(scenario, quiet)
    elif silence is None and (unheard := ablation.unheard(scenario, runner.trace(scenario), cell)):
        found["unheard"] = unheard
    looks = stored.endswith(".weights") and bool(found["editable"])
    if looks:
        _add_row_edits(found, scenario, stored, full)
    if found["parameter"]:
        found["original"] = runner.original(scenario, stored, full)
        found["note"] = _note_of_parameter(bool(found.get("edited")), scenario.is_trained)
    elif tensor.is_leaf:
        found["note"] = mask_note(scenario, tensor, index) or "Given, not computed."
    else:
        if found.get("edited") or quiet is not None:
            assert tensor.computed is not None
            found["original"] = float(tensor.computed[index])
            is_of_one = looks or stored == PROBABILITIES
            found["renormalizes"] = (
                is_of_one and abs(float(tensor.value[cell.row].sum()) - 1) > ROUNDING
            )
        # For an overridden cell, this is the arithmetic of the replaced value.
        expression = _explained(stack, full)
        found["formula"] = f"{symbol} = {_formula(tensor, cell.head)}"
        found["note"] = mask_note(scenario, stack, full) or tensor.op.note
        if stored == PROBABILITIES and found.get("edited"):
            found["note"] = OVERRIDDEN_ANSWER
        found["operands"], found["more_operands"] = listed(tokens, expression)
        found["strips"] = strips(tokens, expression)
        found["arithmetic"] = arithmetic(tokens, Cell(stack, full), expression)
    if found["editable"]:
        found["low"], found["high"] = span(tensor, index, found.get("original"), swing)
        found["share"] = is_share(tensor)
    return found


def _add_row_edits(
    found: CellDetails, scenario: Scenario, stored: str, full: tuple[int, ...]
) -> None:
    """Record whether the row of an attention weight is edited, in its own and in other heads."""
    rows = {edit.place[:-1] for edit in scenario.edits if edit.path == stored}
    found["looks"] = True
    found["row_edited"] = full[:-1] in rows
    found["heads"] = scenario.settings.heads
    found["row_edited_elsewhere"] = any(
        place[1:] == full[1:-1] and place != full[:-1] for place in rows
    )


def _note_of_parameter(is_edited: bool, is_trained: bool) -> str:
    if is_edited:
        return "A learned number that you set. Training leaves it as it is."
    if is_trained:
        return "A learned number: training found its value."
    return (
        "A learned number: training would find its value. This model is not trained, "
        "so it is random (drawn from the seed)."
    )


def operands(trace: Trace, cell: ResolvedCell) -> list[Rectangle]:
    """Return the operands of a cell, as rectangles of drawn matrices."""
    tensor = cell.tensor
    if tensor.is_leaf:
        return []
    if _is_wide(tensor):
        source, n = shown_tensor(tensor.inputs[0]), cell.index[0]
        return [(source.path, n, 0, n, source.shape[-1] - 1)]
    return rectangles(explain(trace, cell.stored, cell.full))


def shown_operands(
    runner: ForwardPassRunner, scenario: Scenario, cell: ResolvedCell
) -> list[Rectangle]:
    """Return the operands of a cell's value or, if gradients are shown, of its gradient."""
    if scenario.view.plane == "gradient":
        return gradient.operands(runner.with_gradients(scenario), cell)
    return operands(runner.trace(scenario), cell)


def _is_wide(tensor: Tensor) -> bool:
    """Return whether a cell is a softmax or a loss over thousands of words."""
    if not (tensor.op is SOFTMAX or isinstance(tensor.op, TokenLoss)):
        return False
    return tensor.inputs[0].shape[-1] > MAX_SOFTMAX_WIDTH and tensor.overridden is None


def _explained(tensor: Tensor, index: Index) -> Expression:
    """Return the arithmetic of a cell, with a few terms of a softmax over thousands of words.

    The page would fold the other terms anyway; ``max`` is the largest score of all terms.
    """
    if not _is_wide(tensor):
        return tensor.op.explain(tensor, index)
    if isinstance(tensor.op, TokenLoss):
        return _wide_loss(tensor, tensor.op, index)
    scores = tensor.inputs[0]
    *row, j = index
    highest = float(scores.value[tuple(row)].max())
    peak = Named("max", Number(highest, "max"))

    def term(m: int) -> Expression:
        return Apply("exp", math.exp, Difference(Cell(scores, (*row, m)), peak))

    last = scores.shape[-1] - 1
    return Quotient(term(j), Sum([term(m) for m in (*range(FOLD), last)]))


def _wide_loss(tensor: Tensor, op: TokenLoss, index: Index) -> Expression:
    """Return the loss over thousands of words, with the sum over all logits as one number."""
    (n,) = index
    logits, label = tensor.inputs[0], int(tensor.inputs[1].value[n])
    if label == op.pad:
        return op.explain(tensor, index)
    everything = float(np.logaddexp.reduce(logits.value[n].astype(float)))
    wanted: Expression = Cell(logits, (n, label))
    if op.smoothing:
        wanted = Number(everything - float(tensor.value[n]), "Σ t·L")
    return Difference(Number(everything, "log Σ exp"), wanted)


def _formula(tensor: Tensor, head: int | None) -> str:
    inputs = [shown_tensor(source) for source in tensor.inputs]
    return tensor.op.latex(
        *[
            t.head(head).symbol if head is not None and t.dims[0] == "head" else t.symbol
            for t in inputs
        ]
    )
