"""Pulls an answer: changes a few numbers of a scenario so that a word becomes likelier."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from transformer_math import Trace, Transformer
from transformer_math.experiments import Free, Pulled, Wish, pull

from ..inference.forward_pass import ForwardPassRunner
from ..scenario.scenario import Scenario


class PulledScenario(NamedTuple):
    """One step of a pull.

    Attributes:
        scenario: the scenario with the changed numbers as edits.
        pulled: the probability reached, and the size of the change.
    """

    scenario: Scenario
    pulled: Pulled


def pulling(
    runner: ForwardPassRunner,
    scenario: Scenario,
    wishes: Sequence[Wish],
    free: Free,
    *,
    few: bool = False,
) -> Iterator[PulledScenario]:
    """All steps of a pull, starting from the scenario; cells that were edited stay fixed.

    Raises:
        KeyError, ValueError: as in ``pull``.
    """
    model, given = runner.model(scenario), runner.overrides(scenario)
    start: dict[str, np.ndarray] = {}

    def forward(arrays: Mapping[str, np.ndarray]) -> Trace:
        trace = _pass(model, scenario, {**given, **arrays})
        if not start:
            start.update({path: trace[path].value for path in free})
        return trace

    for pulled in pull(forward, wishes, free, few=few):
        yield PulledScenario(_with_moved(scenario, start, pulled.arrays), pulled)


def _pass(model: Transformer, scenario: Scenario, overrides: Mapping[str, object]) -> Trace:
    ids = (np.array(scenario.ids(side)) for side in ("source", "target"))
    return model(
        *ids,
        training=scenario.training,
        seed=scenario.mask_seed,
        overrides=overrides,  # type: ignore[arg-type]
    )


def _with_moved(
    scenario: Scenario, start: Mapping[str, np.ndarray], arrays: Mapping[str, np.ndarray]
) -> Scenario:
    masks = scenario.mask_seed
    for path, array in arrays.items():
        moved = np.argwhere(array != start[path])
        if len(moved):
            cells = {tuple(map(int, index)): float(array[tuple(index)]) for index in moved}
            scenario = scenario.with_values(path, cells)
    # With new dropout masks the result would not reach the answer that was found.
    return dataclasses.replace(scenario, mask_seed=masks)
