"""What a scenario changes of its model, in words: what a shared link says to whoever opens it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from transformer_math import Trace
from transformer_math.ops.expression import Cell

from ..inference import cost
from ..inference.forward_pass import ForwardPassRunner
from ..scenario.edits import NO_EDITS
from ..scenario.scenario import Scenario
from ..scenario.settings import Settings
from ..scenario.silences import ZERO
from ..typed_text import isolated
from . import labels, silence

MOST_NUMBERS = 4  # numbers that are named; the others are counted
MOST_WORDS = 3  # words that are named; of more the whole text is


def unedited(scenario: Scenario) -> Scenario:
    """The same model and text without the changes of its numbers."""
    return dataclasses.replace(scenario, edits=NO_EDITS, silences=(), training=False)


def changes(first: Scenario, scenario: Scenario, runner: ForwardPassRunner) -> list[str]:
    """Each change in a few words.

    Args:
        first: the scenario that the model opens with.
        scenario: the present one, of the same model.
        runner: computes what the numbers were before.
    """
    return [
        *_texts(first, scenario),
        *_settings(first, scenario),
        *_training(first, scenario),
        *_silences(scenario),
        *_numbers(scenario, runner),
        *(["dropout on"] if scenario.training and not first.training else []),
    ]


def _texts(first: Scenario, scenario: Scenario) -> Iterator[str]:
    before, now = first.source, scenario.source
    moved = [pair for pair in zip(before, now, strict=False) if pair[0] != pair[1]]
    if len(before) == len(now) and 0 < len(moved) <= MOST_WORDS:
        yield from (" → ".join(labels.visible(pair)) for pair in moved)
    elif before != now:
        yield f"it reads “{' '.join(labels.visible(now))}”"
    if first.writes_itself and not scenario.writes_itself:
        yield f"its target is given: “{' '.join(labels.visible(scenario.target))}”"
    elif not scenario.writes_itself and first.target != scenario.target:
        yield f"its target is “{' '.join(labels.visible(scenario.target))}”"


def _settings(first: Scenario, scenario: Scenario) -> Iterator[str]:
    return _differing(first.settings, scenario.settings)


def _differing(first: Settings, settings: Settings) -> Iterator[str]:
    for name in settings.names():
        before, now = getattr(first, name), getattr(settings, name)
        if isinstance(now, Settings):
            yield from _differing(before, now)
        elif before != now:
            yield f"{settings.label(name)} {_said(before)} → {_said(now)}"


def _said(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _training(first: Scenario, scenario: Scenario) -> Iterator[str]:
    before, now = first.weights, scenario.weights
    if scenario.steps_taken != first.steps_taken and scenario.steps_taken:
        yield f"trained for {scenario.steps_taken:,} steps"
    elif now is None and before is not None:
        yield "random weights in place of the trained ones"
    elif now is not None and now is not before and now.name != getattr(before, "name", ""):
        yield f"other weights: {isolated(now.name)}"


def _silences(scenario: Scenario) -> Iterator[str]:
    for each in scenario.silences:
        to = "silenced" if each.to == ZERO else "set to its mean"
        yield f"{silence.words(scenario, each)} {to}"


def _numbers(scenario: Scenario, runner: ForwardPassRunner) -> Iterator[str]:
    given = scenario.overrides()
    count = sum(map(len, given.values()))
    if not count:
        return
    before = None if cost.is_large(scenario) else runner.trace(unedited(scenario))
    trace = before or runner.trace(scenario)
    cells = [(path, index, x) for path, found in given.items() for index, x in found.items()]
    for path, index, now in cells[:MOST_NUMBERS]:
        yield f"{_name(scenario, trace, path, index)} {_moved(before, path, index, now)}"
    if count > MOST_NUMBERS:
        rest = count - MOST_NUMBERS
        yield f"{rest:,} more number{'s' if rest > 1 else ''}"


def _name(scenario: Scenario, trace: Trace, path: str, index: tuple[int, ...]) -> str:
    return labels.cell_name(scenario.axis_tokens, Cell(trace[path], index))


def _moved(before: Trace | None, path: str, index: tuple[int, ...], now: float) -> str:
    if before is None:
        return f"= {_number(now)}"
    return f"{_number(float(before[path].value[index]))} → {_number(now)}"


def _number(x: float) -> str:
    """Three figures, as a plain decimal where that is short."""
    return f"{x:.3g}".replace("-", "−")
