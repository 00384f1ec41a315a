"""Makes an attention row whose only nonzero weight is on one token, and describes it."""

from __future__ import annotations

from transformer_math.ops.tensor import head_path

from ..matrices.resolved_cell import ResolvedCell
from ..scenario.scenario import Scenario
from . import labels


def heads(scenario: Scenario, weight: ResolvedCell, everywhere: bool) -> list[str]:
    """The paths of the weights (query, key) of one head, or of all heads of its sublayer."""
    if not everywhere:
        return [weight.path]
    return [head_path(weight.stored, k) for k in range(scenario.settings.heads)]


def only_at(scenario: Scenario, weight: ResolvedCell, everywhere: bool) -> Scenario:
    """Sets the row of the weight to 1 at its key, else 0; in its head or in all of them."""
    keys = range(weight.tensor.shape[1])
    values: dict[tuple[int, ...], float] = {
        (weight.row, k): float(k == weight.column) for k in keys
    }
    for head in heads(scenario, weight, everywhere):
        scenario = scenario.with_values(head, values)
    return scenario


def sentence(scenario: Scenario, weight: ResolvedCell, everywhere: bool) -> str:
    """The description, given that weight: ``In head 1 of … looks only at …``."""
    query, key = labels.cell_labels(scenario.axis_tokens, weight)
    looks = f"“{query}” looks only at “{key}” now"
    head = weight.head
    count, sublayer = scenario.settings.heads, _sublayer(scenario, weight.stored)
    if count == 1 or head is None:
        return f"In {sublayer} {looks}."
    if everywhere:
        return f"In every head of {sublayer} {looks}."
    others = [k + 1 for k in range(count) if k != head]
    rest = f"head {others[0]} looks" if len(others) == 1 else "the other heads look"
    return f"In head {head + 1} of {sublayer} {looks}; {rest} as before."


def _sublayer(scenario: Scenario, stored: str) -> str:
    """The shortest name of an attention sublayer that is unambiguous in its model."""
    layer, name = labels.place_words(stored).split(", ")
    stack = layer.split()[0]
    settings = scenario.settings
    if (settings.encoder_layers if stack == "encoder" else settings.decoder_layers) > 1:
        return f"{name} in {layer}"
    return name if name == "cross-attention" else f"the {stack}’s {name}"
