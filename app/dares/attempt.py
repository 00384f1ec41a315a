"""Compares an attempt at a dare with the given model."""

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ..lessons.format import Dare
from ..model.inference.forward_pass import ForwardPassRunner
from ..model.scenario.edits import NO_EDITS
from ..model.scenario.scenario import Scenario
from ..model.scenario.silences import Silence, heads

WEIGHTS = "weights"  # the leaf of attention weights
UNITS = ("hidden", "activation")  # of a feed-forward network, before and after the activation


class Attempt(NamedTuple):
    """The given scenario of a dare, and the scenario of the attempt."""

    given: Scenario
    scenario: Scenario


def free_fields(scenario: Scenario) -> frozenset[str]:
    """Return the fields that do not affect a score: drawing, dropout masks, written words."""
    written = {"target"} if scenario.writes_itself else set()
    return frozenset({"view", "mask_seed", "keep_masks", *written})


def essence(dare: Dare, scenario: Scenario) -> Scenario:
    """Return the scenario for comparing attempts, with default values in the free fields."""
    first = Scenario()
    free = free_fields(scenario) - {"target"}
    found = dataclasses.replace(scenario, **{name: getattr(first, name) for name in free})
    if scenario.writes_itself:
        found = found.with_written(())
    return found.trained(None, found.steps_taken) if dare.may == "training" else found


class SetNumber(NamedTuple):
    """A number that an attempt sets."""

    path: str  # the path of the stored tensor
    cell: tuple[int, ...]  # the index of the number in the tensor
    before: float  # the number in the given model, for the same words
    now: float  # the number in the attempt


def set_numbers(scenario: Scenario, runner: ForwardPassRunner) -> list[SetNumber]:
    """Return the numbers that an attempt sets, including those set to their original value.

    A computed number that is set to its original value is fixed while others change, so it counts
    as changed. The scenario has the target that its model writes.
    """
    set_to = scenario.overrides()
    if not set_to:
        return []
    before: Mapping[str, np.ndarray] = runner.model(scenario).parameters
    computed = [path for path in set_to if path not in before]
    if computed:
        unedited = dataclasses.replace(scenario, edits=NO_EDITS, silences=())
        trace = ForwardPassRunner(beside=runner).trace(unedited)
        before = {**before, **{path: trace[path].value for path in computed}}
    return [
        SetNumber(path, cell, float(before[path][cell]), float(np.float32(value)))
        for path, cells in set_to.items()
        for cell, value in cells.items()
    ]


def moved(numbers: Sequence[SetNumber]) -> list[SetNumber]:
    """Return the set numbers that differ from their original values."""
    return [each for each in numbers if each.now != each.before]


def distance(numbers: Sequence[SetNumber]) -> float:
    """Return the Euclidean distance between the numbers before and now."""
    return math.sqrt(math.fsum((each.now - each.before) ** 2 for each in numbers))


def heads_of(numbers: Sequence[SetNumber]) -> set[tuple[str, int]] | None:
    """Return the heads whose attention weights are set; None if anything else is set, too."""
    if any(each.path.rpartition(".")[2] != WEIGHTS for each in numbers):
        return None
    return {(each.path, each.cell[0]) for each in numbers}


def silenced_parts(scenario: Scenario) -> set[tuple[str, int]] | None:
    """Return the silenced heads and units, without duplicates; None if anything else is silenced.

    A unit of a feed-forward network counts once, whether silenced before or after its activation.
    """
    known = {path: n for n, path in enumerate(heads(scenario.config))}
    found = [_part(each, known) for each in scenario.silences]
    return None if None in found else {each for each in found if each is not None}


def _part(silence: Silence, known: Mapping[str, int]) -> tuple[str, int] | None:
    path, row, column, _ = silence
    if row is not None:
        return None
    if column is None:
        return (path, known[path]) if path in known else None
    scope, _, leaf = path.rpartition(".")
    is_unit = scope.endswith(".feed_forward") and leaf in UNITS
    return (scope, column) if is_unit else None
