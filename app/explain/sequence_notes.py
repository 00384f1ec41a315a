"""Writes notes about a sequence of tokens: its ids, its padding, and its length."""

from transformer_math.data import phrases
from transformer_math.data.tokenizer import EOS

from ..model.inference.padding import lengths
from ..model.inference.writing import looks_ahead
from ..model.scenario.scenario import Scenario
from ..model.scenario.shown_ids import has_printed_ids
from ..model.scenario.vocabulary import Side

_MAX_IDS = 24

AT_ONCE = "Read at once, as in the picture, each row sees later words, too."


def sequence_ids(scenario: Scenario, side: Side) -> str:
    """List the ids of the sequence, padded as in training: ``[65, 1, 6, …, 67, 67]``."""
    if scenario.own_vocabulary is None:
        is_printed = has_printed_ids(scenario.model, side, scenario.source)
        return f"ids as printed {scenario.shown_ids(side)}" if is_printed else ""
    found = scenario.ids(side)
    if len(found) > _MAX_IDS:
        return ""
    known = scenario.vocabulary
    if side == "target":
        end = known.row(side, known.end)
        if end is not None and scenario.target[-1] not in (known.end or EOS, known.pad):
            found = [*found, end]
    return f"ids {_padded(scenario, side, found)}"


def _padded(scenario: Scenario, side: Side, ids: list[int]) -> str:
    pad, to = scenario.vocabulary.row(side, scenario.vocabulary.pad), lengths(scenario)
    length = 0 if to is None else to.source if side == "source" else to.target
    more = length - len(ids)
    if pad is None or more <= 0:
        return f"[{', '.join(map(str, ids))}]"
    return f"[{', '.join(map(str, [*ids, *[pad] * more]))}], padded to {length}"


def length_note(scenario: Scenario) -> str:
    """Return a note if the source is longer than any in the training data, else an empty text."""
    data = scenario.data
    if data is None or data.name != "phrases" or len(scenario.source) <= phrases.SOURCE_LENGTH:
        return ""
    return (
        f"{len(scenario.source)} words: training had at most {phrases.SOURCE_LENGTH}, "
        "so the last positions are unseen."
    )


def struck_note(scenario: Scenario) -> str:
    """Explain struck-through words, which appear with dropout or if rows see later words."""
    if not scenario.writes_itself:
        return ""
    if scenario.training:
        return "With dropout. Struck through: without it."
    if not looks_ahead(scenario):
        return ""
    return "Here rows also see the words after them. Struck through: as written word by word."
