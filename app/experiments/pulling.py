"""Pulls an answer: changes a few numbers of a scenario so that a word becomes likelier."""

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from transformer_math import Trace
from transformer_math.experiments import Free, Pulled, Wish, pull, pull_by

from ..model.inference.forward_pass import ForwardPassRunner
from ..model.scenario.scenario import Scenario
from .passes import pass_of


class PulledScenario(NamedTuple):
    """One step of a pull."""

    scenario: Scenario  # has the changed numbers as edits
    pulled: Pulled  # the reached probability, and the size of the change
    start: Mapping[str, np.ndarray]  # stored path -> initial values of the tensors that may move


def pulling(
    runner: ForwardPassRunner,
    scenario: Scenario,
    wishes: Sequence[Wish],
    free: Free,
    most: int | None = None,
) -> Iterator[PulledScenario]:
    """Yield the steps of a pull from a scenario; edited cells stay fixed.

    At most ``most`` numbers change, or all if it is None, each as little as possible. Raise the
    errors of ``pull`` and ``pull_by``.
    """
    model, given = runner.model(scenario), runner.overrides(scenario)
    start: dict[str, np.ndarray] = {}

    def forward(arrays: Mapping[str, np.ndarray]) -> Trace:
        trace = pass_of(model, scenario, {**given, **arrays})
        if not start:
            start.update({path: trace[path].value for path in free})
        return trace

    steps = pull(forward, wishes, free) if most is None else pull_by(forward, wishes, free, most)
    for pulled in steps:
        yield PulledScenario(_with_moved(scenario, start, pulled.arrays), pulled, start)


def _with_moved(
    scenario: Scenario, start: Mapping[str, np.ndarray], arrays: Mapping[str, np.ndarray]
) -> Scenario:
    masks = scenario.mask_seed
    for path, array in arrays.items():
        moved = np.argwhere(array != start[path])
        if len(moved):
            cells = {tuple(map(int, index)): float(array[tuple(index)]) for index in moved}
            scenario = scenario.with_values(path, cells)
    # Keep the dropout masks, because with new masks the result may have another answer.
    return dataclasses.replace(scenario, mask_seed=masks)
