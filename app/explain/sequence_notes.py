"""Notes about a sequence of tokens: its ids, its padding, and its length."""

from __future__ import annotations

from transformer_math.data import dates, phrases
from transformer_math.data.tokenizer import EOS

from ..scenario.scenario import Scenario
from ..scenario.vocabulary import Side

# Data -> the lengths of its sources and targets in tokens.
_LENGTHS = {
    "phrases": (phrases.SOURCE_LENGTH, phrases.TARGET_LENGTH),
    "dates": (dates.SOURCE_LENGTH, dates.TARGET_LENGTH),
}
_MAX_IDS = 24


def sequence_ids(scenario: Scenario, side: Side) -> str:
    """``[65, 1, 6, …, 67, 67]``: the ids of the sequence, padded as in training."""
    if scenario.own_vocabulary is None:
        return ""
    found = scenario.ids(side)
    if len(found) > _MAX_IDS:
        return ""
    known = scenario.vocabulary
    if side == "target":
        end = known.row(side, known.end)
        if end is not None and scenario.target[-1] != (known.end or EOS):
            found = [*found, end]
    return f"ids {_padded(scenario, side, found)}"


def _padded(scenario: Scenario, side: Side, ids: list[int]) -> str:
    data, pad = scenario.data, scenario.vocabulary.row(side, scenario.vocabulary.pad)
    length = _LENGTHS[data.name][side == "target"] if data and data.name in _LENGTHS else 0
    more = length - len(ids)
    if pad is None or more <= 0:
        return f"[{', '.join(map(str, ids))}]"
    return f"[{', '.join(map(str, [*ids, *[pad] * more]))}], padded to {length}"


def length_note(scenario: Scenario) -> str:
    """A note if the source is longer than any in the training data."""
    data = scenario.data
    if data is None or data.name != "phrases" or len(scenario.source) <= phrases.SOURCE_LENGTH:
        return ""
    return f"{len(scenario.source)} words: it learned {phrases.SOURCE_LENGTH} at most."


def dropout_note(scenario: Scenario) -> str:
    """A note about the words that are struck while dropout is on."""
    if not (scenario.training and scenario.writes_itself):
        return ""
    return "Struck: what it wrote without dropout."
