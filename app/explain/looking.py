"""Makes an attention row whose only nonzero weight is on one token, and describes it."""

from __future__ import annotations

import numpy as np

from transformer_math import Trace
from transformer_math.ops.tensor import head_path

from ..matrices.address import PROBABILITIES
from ..matrices.resolved_cell import ResolvedCell
from ..scenario.scenario import Scenario
from ..typed_text import quoted
from . import labels

Answered = tuple[Scenario, Trace]
LEAST = 0.005  # smaller changes of a probability are not seen in two decimals


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


def effect(before: Answered, after: Answered) -> str:
    """What looking so changes, to stand after that sentence; empty where no word is predicted.

    The words that are written, if they are others; else the next word that changes most.

    Args:
        before: the scenario and its pass, before.
        after: the same, with it.
    """
    (then, was), (now, trace) = before, after
    if now.writes_itself and now.target != then.target:
        words = " ".join(labels.visible(now.target[1:])) or "nothing"
        return f" It writes “{words}” now."
    old, new = was[PROBABILITIES].value, trace[PROBABILITIES].value
    if old.shape != new.shape:
        return ""
    with np.errstate(invalid="ignore"):
        moved = np.nan_to_num(np.abs(new - old)).max(-1)
    row = int(moved.argmax())
    column = int(np.nan_to_num(old[row]).argmax())
    word = quoted(labels.visible([then.output_vocabulary[column]])[0] or "∅")
    if not moved.max() >= LEAST:
        return " No next word changes by it."
    kept = "It writes the same words; " if now.writes_itself else "Of the next words, "
    return (
        f" {kept}{word} changes most: its probability is {new[row, column]:.2f}, before "
        f"{old[row, column]:.2f}."
    )


def _sublayer(scenario: Scenario, stored: str) -> str:
    """The shortest name of an attention sublayer that is unambiguous in its model."""
    layer, name = labels.place_words(stored).split(", ")
    stack = layer.split()[0]
    settings = scenario.settings
    if (settings.encoder_layers if stack == "encoder" else settings.decoder_layers) > 1:
        return f"{name} in {layer}"
    return name if name == "cross-attention" else f"the {stack}’s {name}"
