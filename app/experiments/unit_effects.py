"""Measures the importance of each hidden unit of the feed-forward networks, by sweeps."""

from collections.abc import Callable

import numpy as np

from transformer_math import Trace
from transformer_math.experiments import Unit, every_unit, loudest_units, without_units

from ..model.inference import cost
from ..model.matrices.address import PROBABILITIES, Answer
from ..model.scenario.scenario import Scenario
from ..model.scenario.silences import MEAN, Silence
from .part_effects import PartEffect, PartEffects, Runners, answered, is_silenced, likeliest

MOST_WORK = 20_000_000_000  # maximum multiply-adds, about 10 s; limits the units to the most active
LEAST_UNITS = 8


def multiply_adds(scenario: Scenario) -> int:
    """Return the cost of the measured effects: at most one pass over the text per unit."""
    config = scenario.config
    count = (config.encoder_layers + config.decoder_layers) * config.feed_forward_width
    each = cost.forward_pass(scenario)
    return each * min(count, max(LEAST_UNITS, MOST_WORK // max(1, each)))


def unit_effects(
    runners: Runners,
    scenario: Scenario,
    answer: Answer,
    to: str,
    go_on: Callable[[], None] = lambda: None,
) -> PartEffects:
    """Silence each hidden unit separately, at all tokens, in addition to the silenced parts.

    Nothing else may use the runners; ``to`` is the value that replaces the unit's activation.
    ``go_on`` is called before each sweep; it raises an exception to cancel the work.
    """
    trace = runners.text.trace(scenario)
    probability, writes = answered(trace, answer)
    parts = every_unit(trace)
    if not parts:
        return PartEffects((), None, 0, probability, writes, 0)
    paths = list(dict.fromkeys(unit.path for unit in parts))
    value = runners.text.means(scenario, paths) if to == MEAN else 0.0
    most = max(LEAST_UNITS, MOST_WORK // max(1, cost.forward_pass(scenario)))
    units = loudest_units(trace, most, value)
    rows = without_units(trace, units, lambda swept: _rows(swept, answer[0]), value, go_on)
    found = []
    for unit, row in zip(units, rows, strict=True):
        part = Silence(unit.path, column=unit.column, to=to)
        now, is_silent = probability, is_silenced(scenario, part)
        if _holds_more(scenario, unit):
            # Run a full pass, as the page does, if edits or other silences set cells of the unit.
            go_on()
            row = runners.text.trace(scenario.with_silence(part))[PROBABILITIES].value[answer[0]]
        if is_silent:
            without = runners.text.trace(scenario.without_silence(*part.part))
            now = answered(without, answer)[0]
        then = float(row[answer[1]])
        found.append(PartEffect(part, is_silent, None, None, then, then - now, likeliest(row)))
    return PartEffects(tuple(found), None, 0, probability, writes, len(parts))


def _rows(swept: Trace, row: int) -> np.ndarray:
    found: np.ndarray = swept[PROBABILITIES].value[..., row, :]
    return found


def _holds_more(scenario: Scenario, unit: Unit) -> bool:
    """Return whether some cells of a unit are edited, or silenced for a single token."""
    cells = scenario.overrides().get(unit.path, {})
    edited = any(index[-1] == unit.column for index in cells)
    narrower = any(
        each.path == unit.path and each.row is not None and each.column in (None, unit.column)
        for each in scenario.silences
    )
    return edited or narrower
