"""Judges the written words, and offers to undo the edits that make them wrong."""

from __future__ import annotations

from typing import NamedTuple

from transformer_math import Trace

from ..explain import ablation, attend_only
from ..model.inference.right_text import known_right_text, verdict
from ..model.inference.text import can_translate, data_of, text_of
from ..model.scenario.scenario import Scenario

# Reasons why a model's data have no answer to a text, stated instead of a verdict.
UNJUDGED = {
    "phrases": ("no known translation", "The grammar of the phrases cannot translate this."),
    "dates": ("no such date", "There is nothing to compare it with."),
    "own": ("no known answer", "The pairs of this model have no answer to this."),
}
LONGEST_PART = 24  # maximum number of letters in the name of a part on a button


class Verdict(NamedTuple):
    """Whether the written words are right."""

    verdict: str = ""  # begins with a check mark or a cross; empty if unknown
    in_full: str = ""  # the right text, if the words are wrong
    unjudged: str = ""  # states that the verdict is unknown, if a verdict is expected
    unjudged_why: str = ""
    restores: str = ""  # the label of the button that restores numbers and parts set by hand


def judged(scenario: Scenario, trace: Trace, ends: bool) -> Verdict:
    """Judge the written words; ``ends`` is whether the model ended the sentence."""
    right = known_right_text(scenario) if scenario.writes_itself else None
    said = verdict(scenario, right, scenario.target, ends)
    if not said:
        return Verdict("", "", *_unjudged(scenario))
    if said[:1] != "✗":
        return Verdict(said)
    return Verdict(said, f"✗ should be: {right}", restores=_restores(scenario, trace))


def _unjudged(scenario: Scenario) -> tuple[str, str]:
    data = data_of(scenario) if scenario.writes_itself and can_translate(scenario) else None
    if data is None or data.name not in UNJUDGED:
        return "", ""
    said, why = UNJUDGED[data.name]
    try:
        return ("", "") if data.answers(text_of(scenario)) else (said, why)
    except ValueError as error:
        return said, f"{why} {error}"


def _restores(scenario: Scenario, trace: Trace) -> str:
    """Return the label of the button that restores numbers and parts that were set by hand.

    Empty if there is nothing to restore.
    """
    computed = {
        path: values
        for path, values in scenario.overrides().items()
        if not scenario.is_parameter(path)
    }
    numbers, silences = sum(map(len, computed.values())), scenario.silences
    if not silences and attend_only.are_rows(trace, computed):
        return "Let it look everywhere again"
    if not numbers and silences:
        one = ablation.label(scenario, silences[0])
        is_short = len(silences) == 1 and one != "all" and len(one) <= LONGEST_PART
        count = "the silenced part" if len(silences) == 1 else f"{len(silences):,} silenced parts"
        return f"Restore {one if is_short else count}"
    said = []
    if numbers:
        said.append("1 number" if numbers == 1 else f"{numbers:,} numbers")
    if silences:
        said.append(
            "1 silenced part" if len(silences) == 1 else f"{len(silences):,} silenced parts"
        )
    return f"Restore {' and '.join(said)}" if said else ""
