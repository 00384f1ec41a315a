"""What a model that is told no positions would write: its positional encoding is silenced."""

from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

from ..model.inference import cost
from ..model.inference.forward_pass import ForwardPassRunner
from ..model.inference.writing import with_written_target
from ..model.scenario.scenario import Scenario
from ..model.scenario.silences import Silence
from ..model.scenario.vocabulary import Side
from .part_effects import Answer, answered, is_silenced


class PositionEffect(NamedTuple):
    """The model without the positions of some of its texts.

    Attributes:
        sides: those texts.
        is_silent: whether their positions are silenced on the page.
        probability: of the watched answer without them.
        writes: the likeliest candidate at the watched position without them.
        target: what stands in the target then: all that the model writes, if it writes itself.
    """

    sides: tuple[Side, ...]
    is_silent: bool
    probability: float
    writes: int
    target: tuple[str, ...]


class PositionEffects(NamedTuple):
    """The effects of the positions of each text, and of all.

    Attributes:
        effects: the source's, the target's and both; one alone for a model that reads one text.
        told: the model that is told all positions.
    """

    effects: tuple[PositionEffect, ...]
    told: PositionEffect


def position_parts(scenario: Scenario) -> dict[Side, Silence]:
    """The positional encoding of each text as a part that can be silenced; empty if none is."""
    parts: dict[Side, Silence] = {
        side: Silence(f"{side}.positions") for side in ("source", "target")
    }
    return {side: part for side, part in parts.items() if scenario.part_shape(part.path)}


def combinations(scenario: Scenario) -> list[tuple[Side, ...]]:
    """The texts whose positions can be left out: each alone, and both."""
    sides = list(position_parts(scenario))
    return [(side,) for side in sides] + ([(*sides,)] if len(sides) > 1 else [])


def without_positions(scenario: Scenario, sides: tuple[Side, ...] = ()) -> Scenario:
    """The scenario with the positions of these texts silenced to 0; of all texts without any."""
    for side, part in position_parts(scenario).items():
        if not sides or side in sides:
            scenario = scenario.with_silence(part)
    return scenario


def with_positions(scenario: Scenario, sides: tuple[Side, ...] = ()) -> Scenario:
    """The scenario with the positions of these texts told again; of all texts without any."""
    for side, part in position_parts(scenario).items():
        if not sides or side in sides:
            scenario = scenario.without_silence(*part.part)
    return scenario


def multiply_adds(scenario: Scenario) -> int:
    """The cost of all effects: for each, two passes to write and one to read."""
    return 3 * (1 + len(combinations(scenario))) * cost.forward_pass(scenario)


def position_effects(
    runner: ForwardPassRunner,
    scenario: Scenario,
    answer: Answer,
    go_on: Callable[[], None] = lambda: None,
) -> PositionEffects:
    """Silence the positions of each text, and of both.

    Args:
        runner: a runner that nobody else uses meanwhile.
        scenario: the scenario to measure; what it silences of the positions is released first.
        answer: the position and word whose probability is watched.
        go_on: called before each pass; an exception it raises ends the work.
    """
    parts = position_parts(scenario)
    told = with_positions(scenario)

    def measure(sides: tuple[Side, ...], of: Scenario) -> PositionEffect:
        go_on()
        # The words before the answer stay, so that its probability is of the same question.
        probability, writes = answered(runner.trace(of), answer)
        with suppress(ValueError):  # numbers so large that nothing can be written
            of = with_written_target(of, runner)
        is_silent = all(
            is_silenced(scenario, part) == (side in sides) for side, part in parts.items()
        )
        return PositionEffect(sides, is_silent, probability, writes, of.target)

    found = [measure(sides, without_positions(told, sides)) for sides in combinations(scenario)]
    return PositionEffects(tuple(found), measure((), told))
