"""Reports a row of an embedding table that no token of the sentence uses."""

from transformer_math import Trace
from transformer_math.ops import Embed

from ..model.matrices.resolved_cell import ResolvedCell
from ..model.scenario.scenario import Scenario
from ..typed_text import quoted


def unread_row(scenario: Scenario, trace: Trace, cell: ResolvedCell) -> str:
    """Return a sentence if no token in the pass uses the row of this cell; else an empty text."""
    readers = trace.readers(cell.stored)
    if not readers or not all(isinstance(tensor.op, Embed) for tensor, _ in readers):
        return ""
    row = cell.full[0]
    if any((tensor.inputs[0].value == row).any() for tensor, _ in readers):
        return ""
    word = quoted(scenario.vocabulary_of(cell.stored)[row])
    return f"The sentence does not contain {word}, so nothing reads this row now."
