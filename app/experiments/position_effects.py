"""Measures the effect of the positional encoding by silencing it."""

from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

from ..model.inference import cost
from ..model.inference.forward_pass import ForwardPassRunner
from ..model.inference.writing import with_written_target
from ..model.matrices.address import Answer
from ..model.scenario.scenario import Scenario
from ..model.scenario.silences import Silence
from ..model.scenario.vocabulary import Side
from .part_effects import answered, is_silenced


class PositionEffect(NamedTuple):
    """The effect of silencing the positional encoding of some texts."""

    sides: tuple[Side, ...]  # the texts
    is_silent: bool  # whether the page silences the positions of just these texts
    probability: float  # of the watched answer without the positions
    writes: int  # the likeliest candidate without the positions
    target: tuple[str, ...]  # generated again if the model writes it


class PositionEffects(NamedTuple):
    """The effects of the positions of each text, and of all texts."""

    # The effects for source, target and both; a single effect if the model reads only one text.
    effects: tuple[PositionEffect, ...]
    told: PositionEffect  # the measurement with all positions


def position_parts(scenario: Scenario) -> dict[Side, Silence]:
    """Return the positional encoding of each text as a part to silence; none without encoding."""
    parts: dict[Side, Silence] = {
        side: Silence(f"{side}.positions") for side in ("source", "target")
    }
    return {side: part for side, part in parts.items() if scenario.part_shape(part.path)}


def combinations(scenario: Scenario) -> list[tuple[Side, ...]]:
    """Return the combinations of texts whose positions can be silenced: each alone, and both."""
    sides = list(position_parts(scenario))
    return [(side,) for side in sides] + ([(*sides,)] if len(sides) > 1 else [])


def without_positions(scenario: Scenario, sides: tuple[Side, ...] = ()) -> Scenario:
    """Return the scenario with the positions of these texts, by default of all, silenced to 0."""
    for side, part in position_parts(scenario).items():
        if not sides or side in sides:
            scenario = scenario.with_silence(part)
    return scenario


def with_positions(scenario: Scenario) -> Scenario:
    """Return the scenario with the positions of all texts restored."""
    for part in position_parts(scenario).values():
        scenario = scenario.without_silence(*part.part)
    return scenario


def multiply_adds(scenario: Scenario) -> int:
    """Return the cost of all effects, with three passes each: one measures, two write a target."""
    return 3 * (1 + len(combinations(scenario))) * cost.forward_pass(scenario)


def position_effects(
    runner: ForwardPassRunner,
    scenario: Scenario,
    answer: Answer,
    go_on: Callable[[], None] = lambda: None,
) -> PositionEffects:
    """Silence the positions of each text, and of both texts.

    Silenced positions are restored first. Nothing else may use the runner. ``go_on`` is called
    before each pass; it raises an exception to cancel the work.
    """
    parts = position_parts(scenario)
    told = with_positions(scenario)

    def measure(sides: tuple[Side, ...], of: Scenario) -> PositionEffect:
        go_on()
        # Measure before the target is generated again, so that the answer keeps its context.
        probability, writes = answered(runner.trace(of), answer)
        with suppress(ValueError):  # the numbers may be too large to generate a target
            of = with_written_target(of, runner)
        is_silent = all(
            is_silenced(scenario, part) == (side in sides) for side, part in parts.items()
        )
        return PositionEffect(sides, is_silent, probability, writes, of.target)

    found = [measure(sides, without_positions(told, sides)) for sides in combinations(scenario)]
    return PositionEffects(tuple(found), measure((), told))
