"""Describes the differences between two scenarios, for shared links and for the last change."""

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from transformer_math import Trace
from transformer_math.ops.expression import Cell

from ..model.inference import cost
from ..model.inference.forward_pass import ForwardPassRunner
from ..model.inference.other_text import is_other_text
from ..model.scenario.edits import NO_EDITS, Edit
from ..model.scenario.model_settings import SIZES, ModelSettings
from ..model.scenario.scenario import Scenario
from ..model.scenario.silences import ZERO
from ..number_text import counted, real_minus
from ..typed_text import isolated, quoted, upper_first
from . import ablation, attend_only, descent, labels
from .apart import moved
from .effect import effect

RANDOM = "random weights instead of the trained ones"
MOST_CHANGES = 5  # named changes; all others are only counted
MOST_IN_LINE = 2  # named changes in the single line of the last change
FIGURES = 3  # minimum number of significant figures
MOST_WORDS = 3  # if more words are replaced, the whole text is named

# Stored path, index and value of a number that was set; None for a restored number.
_Number: TypeAlias = tuple[str, tuple[int, ...], float | None]


def unedited(scenario: Scenario) -> Scenario:
    """Return the scenario without edits, silenced parts and dropout."""
    return dataclasses.replace(scenario, edits=NO_EDITS, silences=(), training=False)


def changes(
    first: Scenario, scenario: Scenario, runner: ForwardPassRunner, most: int = MOST_CHANGES
) -> list[str]:
    """Describe the changes in a few words each; those beyond ``most`` are only counted."""
    others = [
        *_texts(first, scenario),
        *_settings(first, scenario),
        *_training(first, scenario),
        *_silences(first, scenario),
        *_dropout(first, scenario),
    ]
    named = [*others[:most], *_more(len(others) - most, "change")]
    return [*named, *_numbers(first, scenario, runner, max(1, most - len(named)))]


class LastChange(NamedTuple):
    """The last change and its effect on the written words."""

    cause: str  # the change, without a period
    effect: str  # a sentence; empty if the effect is not known
    # Whether the picture traces the change to the row that the page shows. False if it changed no
    # word, and with dropout, whose effects start at random cells.
    is_traced: bool = False
    # Whether the change replaced the model by a model of a different size, with random weights.
    is_untrained: bool = False


def last_change(
    first: Scenario, scenario: Scenario, runner: ForwardPassRunner
) -> LastChange | None:
    """Return the last change and its effect; None if nothing changed or the text is new.

    A new text cannot be compared word by word with the old one.
    """
    if is_other_text(first, scenario):
        return None
    told = changes(first, scenario, runner, MOST_IN_LINE)
    if not told:
        return None
    if is_resized(first, scenario):
        sizes = [each for each in told if each != RANDOM]
        cause = upper_first(f"{'; '.join(sizes)}. {_random_start(first, scenario)}")
        return LastChange(
            upper_first(cause), effect(first, scenario, runner).sentence, is_untrained=True
        )
    draws = (first.training, first.mask_seed) != (scenario.training, scenario.mask_seed)
    said, row = effect(first, scenario, runner)
    return LastChange(upper_first("; ".join(told)), said, row is not None and not draws)


def is_resized(first: Scenario, scenario: Scenario) -> bool:
    """Return whether a change of the sizes has replaced the weights by random weights."""
    return (
        scenario.weights is None
        and not scenario.steps_taken
        and _sizes(first.settings) != _sizes(scenario.settings)
    )


def _sizes(settings: ModelSettings) -> list[object]:
    return [getattr(settings, name) for name in SIZES]


def _random_start(first: Scenario, scenario: Scenario) -> str:
    """State that the new layers, or all weights, start from random numbers."""
    before, now = first.settings, scenario.settings
    layers = ("encoder_layers", "decoder_layers")
    is_deeper = any(getattr(now, name) > getattr(before, name) for name in layers)
    return f"{'New layers start' if is_deeper else 'The weights start'} from random numbers."


def _texts(first: Scenario, scenario: Scenario) -> Iterator[str]:
    if first.source != scenario.source:
        yield _reworded(first.source, scenario.source, "it reads")
    if first.writes_itself and not scenario.writes_itself:
        yield f"target written by you: “{' '.join(labels.visible(scenario.target))}”"
    elif not scenario.writes_itself and first.target != scenario.target:
        yield _reworded(first.target, scenario.target, "its target is")


def _reworded(before: Sequence[str], now: Sequence[str], what: str) -> str:
    """Return the replaced words if they are few, else ``what`` and the whole new text."""
    others = [pair for pair in zip(before, now, strict=False) if pair[0] != pair[1]]
    if len(before) == len(now) and len(others) <= MOST_WORDS:
        return ", ".join(" → ".join(map(quoted, labels.visible(pair))) for pair in others)
    return f"{what} “{' '.join(labels.visible(now))}”"


def _settings(first: Scenario, scenario: Scenario) -> Iterator[str]:
    return scenario.settings.changes_from(first.settings)


def _training(first: Scenario, scenario: Scenario) -> Iterator[str]:
    before, now = first.weights, scenario.weights
    if scenario.descents > first.descents and scenario.steps_taken == first.steps_taken:
        yield descent.words(first, scenario)
    elif scenario.steps_taken != first.steps_taken and scenario.steps_taken:
        yield f"trained for {counted(scenario.steps_taken, 'step')}"
    elif now is None and before is not None:
        yield RANDOM
    elif now is not None and now is not before and now.name != getattr(before, "name", ""):
        yield f"other weights: {isolated(now.name)}"


def _silences(first: Scenario, scenario: Scenario) -> Iterator[str]:
    for each in scenario.silences:
        if each not in first.silences:
            to = "silenced" if each.to == ZERO else "set to its mean"
            yield f"{ablation.words(scenario, each)} {to}"
    silent = {each.part for each in scenario.silences}
    for each in first.silences:
        if each.part not in silent:
            yield f"{ablation.words(first, each)} works again"


def _dropout(first: Scenario, scenario: Scenario) -> Iterator[str]:
    if scenario.training != first.training:
        yield "dropout on" if scenario.training else "dropout off"
    elif scenario.training and scenario.mask_seed != first.mask_seed:
        yield "different numbers dropped"


def _numbers(
    first: Scenario, scenario: Scenario, runner: ForwardPassRunner, most: int
) -> Iterator[str]:
    was, given = dict(first.edits), dict(scenario.edits)
    changed = {edit: x for edit, x in given.items() if was.get(edit) != x}
    # If new weights replaced an edited weight, its former value is not restored.
    has_weights = first.weights == scenario.weights
    restored = {
        edit: x
        for edit, x in was.items()
        if edit not in given and (has_weights or not scenario.is_parameter(edit.path))
    }
    cells = [*_cells(scenario, changed), *_cells(scenario, restored, is_restored=True)]
    if not cells:
        return
    base = first  # the pass of ``first`` is usually cached
    if first.inputs != scenario.inputs:
        base = dataclasses.replace(scenario, edits=first.edits, silences=(), training=False)
    before = None if cost.is_large(scenario) else runner.trace(base)
    trace = before or runner.trace(scenario)
    set_to = [(path, index, x) for path, index, x in cells if x is not None]
    looks = attend_only.only(scenario, trace, set_to)
    if looks:
        yield looks
        return
    if len(cells) > most:
        drawn = {Cell(trace[path], index).address[0] for path, index, _ in cells}
        if len(drawn) == 1:
            path, index, _ = cells[0]
            symbol = labels.symbol(Cell(trace[path], index))
            yield f"{len(cells):,} numbers of {symbol}, {labels.place_words(drawn.pop())}"
            return
        if before is not None:
            cells = _largest_first(cells, before, runner.trace(scenario))
    for path, index, now in cells[:most]:
        name = labels.cell_in_words(scenario.axis_tokens, Cell(trace[path], index))
        yield f"{name}: {'restored' if now is None else _moved(before, path, index, now)}"
    yield from _more(len(cells) - most, "number")


def _more(count: int, what: str) -> Iterator[str]:
    """Yield a text with the number of further changes, if there are any."""
    if count > 0:
        yield counted(count, f"more {what}")


def _largest_first(cells: list[_Number], before: Trace, now: Trace) -> list[_Number]:
    """Sort the numbers by the magnitude of their change, largest first."""

    def shift(cell: _Number) -> float:
        path, index, _ = cell
        return abs(float(now[path].value[index]) - float(before[path].value[index]))

    return sorted(cells, key=shift, reverse=True)


def _cells(
    scenario: Scenario, edits: Mapping[Edit, float], is_restored: bool = False
) -> Iterator[_Number]:
    """Yield stored path, index and value of the edits whose cells exist in the present text."""
    if not edits:
        return
    for path, found in dataclasses.replace(scenario, edits=edits).overrides().items():
        for index, x in found.items():
            yield path, index, None if is_restored else x


def _moved(before: Trace | None, path: str, index: tuple[int, ...], now: float) -> str:
    if before is None:
        return f"now {_number(now)}"
    return moved(float(before[path].value[index]), now, _number, FIGURES)


def _number(x: float, figures: int = FIGURES) -> str:
    """Format a number with ``figures`` significant figures, as a plain decimal if that is short."""
    return real_minus(f"{x:.{figures}g}")
