"""Writes the texts of the table of heads or hidden units: its rows, titles and conclusion."""

from typing import NamedTuple

from ...experiments.part_effects import PartEffect, PartEffects
from ...explain import ablation, labels
from ...model.matrices.address import Answer
from ...model.scenario.scenario import Scenario
from ...model.scenario.silences import Silence
from ...number_text import real_minus
from .bar_words import LEAST_TOLD, word
from .head_table import HeadRow

HEADS, UNITS = "heads", "units"
NAMES = {HEADS: "head", UNITS: "hidden unit"}


class FinishedTable(NamedTuple):
    """The measured content of a table."""

    kind: str  # heads or units
    effects: PartEffects  # the measured effects of the parts
    title: str  # the heading of the probabilities


def row(scenario: Scenario, effect: PartEffect, found: PartEffects, *, is_silent: bool) -> HeadRow:
    """Return the row of a part, which may have been silenced or released since it was measured.

    Changes and bars are relative to the measured model. If that model silences the part itself, the
    row shows the values with the part.
    """
    if effect.is_silent:
        right_change, lost = "", 0
        if effect.right is not None and effect.lost is not None:
            right_change = f"with it {effect.right + effect.lost}"
        change, fall = f"with it {effect.probability - effect.change:.3f}", 0.0
    else:
        lost = effect.lost or 0
        right_change = "" if effect.lost is None else _signed(-lost, "d")
        change, fall = _signed(effect.change, ".3f"), max(0.0, -effect.change)
    return {
        "label": part_name(scenario, effect.silence),
        "right": "" if effect.right is None else str(effect.right),
        "right_change": right_change,
        "share": lost / max(1, found.total),
        "probability": f"{effect.probability:.3f}",
        "change": change,
        "fall": fall,
        "writes": word(scenario, effect.writes),
        "is_other": effect.writes != found.writes,
        "reads": _read(scenario, effect),
        "silent": is_silent,
    }


def titles(scenario: Scenario, found: FinishedTable, most: PartEffect) -> dict[str, str]:
    """Return the table's name, column titles, row for the unchanged model, and conclusion.

    ``most`` is the part with the largest effect.
    """
    effects, name = found.effects, NAMES[found.kind]
    return {
        "label": f"Which {name} matters",
        "conclusion": conclusion(scenario, found, most),
        "part": f"with this {name} silenced",
        "right": f"right of {effects.total}" if effects.right is not None else "",
        "probability": found.title,
        "writes": "then writes",
        "reads": "it looks at" if any(e.reads is not None for e in effects.effects) else "",
        "now": "as it is now",
        "right_now": "" if effects.right is None else str(effects.right),
        "probability_now": f"{effects.probability:.3f}",
        "writes_now": word(scenario, effects.writes),
    }


def conclusion(scenario: Scenario, found: FinishedTable, most: PartEffect) -> str:
    """Return a sentence on the part with the largest effect, and the word written without it."""
    effects, name = found.effects, part_name(scenario, most.silence)
    now, then = (f"“{word(scenario, each.writes)}”" for each in (effects, most))
    right = ""
    if most.right is not None and most.lost:
        right = f", and {most.right} of {effects.total} unseen texts come out right"
    if most.is_silent:
        with_it = most.probability - most.change
        return (
            f"{name[:1].upper()}{name[1:]} is silenced: {found.title} is "
            f"{most.probability:.3f}, and {with_it:.3f} with it{right}."
        )
    if most.writes != effects.writes:
        return f"Without {name}, {then} is written in place of {now}{right}."
    if right or abs(most.change) >= LEAST_TOLD:
        return (
            f"Without {name}, {now} is still written; {found.title} is "
            f"{most.probability:.3f} in place of {effects.probability:.3f}{right}."
        )
    return f"Without any one {NAMES[found.kind]}, {now} is still written."


def part_name(scenario: Scenario, part: Silence) -> str:
    """Return the name of a head or a unit, with its place in the model."""
    name = labels.place_words(part.path)
    return name if part.column is None else f"{name}, {ablation.label(scenario, part)}"


def title(scenario: Scenario, answer: Answer) -> str:
    """Return the heading of the probabilities: ``P(“noir”) after “chat”``."""
    position, column = answer
    asked = labels.shown(scenario.output_vocabulary[column])
    said = labels.visible(scenario.output_tokens[position : position + 1])
    where = "after" if scenario.settings.decoder_layers else "at"
    return f"P(“{asked}”) {where} “{(said and said[0]) or '∅'}”"


def _read(scenario: Scenario, effect: PartEffect) -> str:
    """Return the word that a head attends to most from the watched position."""
    if effect.reads is None:
        return ""
    is_target = ".self_attn." in effect.silence.path and scenario.settings.decoder_layers
    tokens = scenario.target if is_target else scenario.source
    shown = labels.visible(tokens[effect.reads : effect.reads + 1])
    return "".join(f"“{each or '∅'}”" for each in shown)


def _signed(value: float, form: str) -> str:
    """Format a change with its sign: ``+3``, ``−0.120``, ``0``."""
    text = f"{value:{form}}"
    if not float(text):
        return "0"
    return f"+{text}" if value > 0 else real_minus(text)
