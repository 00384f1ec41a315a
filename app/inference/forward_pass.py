"""Runs a scenario's forward pass, caching the last model and trace.

Each session has its own runner; runners of different sessions share nothing.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, TypeVar

import numpy as np

from transformer_math import Labels, Trace, Transformer
from transformer_math.config import Config
from transformer_math.graph.backward import LOSS
from transformer_math.graph.overrides import Overrides

from ..scenario.scenario import Scenario
from ..scenario.weights import Weights
from .silencing import Averages, overrides

T = TypeVar("T")

ModelKey = tuple[Config, int, tuple[str, ...], tuple[str, ...], Weights | None]


class ForwardPassRunner:
    """Runs forward passes of scenarios, caching one model and one trace."""

    def __init__(self, beside: ForwardPassRunner | None = None) -> None:
        """Create an empty runner; it reuses the model of ``beside`` where both need the same."""
        self._beside = beside
        self._key: ModelKey | None = None
        self._model: Transformer | None = None
        self._scenario: Scenario | None = None
        self._trace: Trace | None = None
        self._averages = Averages()
        self._derived: dict[Hashable, Any] = {}  # from the cached trace
        self.before_pass: Callable[[], None] = lambda: None  # raises to cancel the pass

    def model(self, scenario: Scenario) -> Transformer:
        """The scenario's model before any edit, built if it is not the cached one."""
        key = _key(scenario)
        if self._model is None or key != self._key:
            self.release()  # first, because there is no room for two large models
            shared = self._beside.has(key) if self._beside else None
            self._model, self._key = shared or _model(*key), key
        return self._model

    def overrides(self, scenario: Scenario) -> Overrides:
        """All overrides of the scenario's pass: edited cells and ablated parts."""
        return overrides(scenario, self.model(scenario), self._averages)

    def means(self, scenario: Scenario, paths: Iterable[str]) -> Mapping[str, np.ndarray]:
        """The mean row of each path, which mean ablation sets it to (see `Averages.of`)."""
        return self._averages.of(scenario, self.model(scenario), paths)

    def has(self, key: ModelKey) -> Transformer | None:
        """The cached model if it has this key, else None."""
        return self._model if key == self._key else None

    def has_model_of(self, scenario: Scenario) -> bool:
        """Whether the scenario's model is cached."""
        return self.has(_key(scenario)) is not None

    def release(self) -> None:
        """Drop the cached model and trace."""
        self._key = self._model = self._scenario = self._trace = None
        self._derived = {}

    def aside(self) -> ForwardPassRunner:
        """A new runner for another thread, with this one's model but without its trace."""
        other = ForwardPassRunner()
        other._key, other._model = self._key, self._model
        other._averages = self._averages.copy()
        return other

    def adopt(self, other: ForwardPassRunner) -> None:
        """Take over the cached model and trace of another runner."""
        if other._trace is not None:
            self._key, self._model = other._key, other._model
            self._scenario, self._trace = other._scenario, other._trace
            self._averages = other._averages.copy()
            self._derived = {**other._derived}

    def has_pass_of(self, scenario: Scenario) -> bool:
        """Whether the scenario's trace is cached."""
        return self._trace is not None and self._is_known(scenario)

    def trace(self, scenario: Scenario) -> Trace:
        """The trace of the scenario's forward pass, computed if it is not cached."""
        if self._trace is None or not self._is_known(scenario):
            model = self.model(scenario)
            self.before_pass()
            self._derived = {}
            self._trace = model(
                *scenario.inputs,
                training=scenario.training,
                seed=scenario.mask_seed,
                overrides=self.overrides(scenario),
                with_unprojected=True,
                labels=Labels(np.array(scenario.labels()), scenario.settings.label_smoothing),
            )
        self._scenario = scenario
        return self._trace

    def once(self, scenario: Scenario, name: Hashable, compute: Callable[[Trace], T]) -> T:
        """What follows from the scenario's pass, computed once for each pass."""
        trace = self.trace(scenario)
        if name not in self._derived:
            self._derived[name] = compute(trace)
        found: T = self._derived[name]
        return found

    def _is_known(self, scenario: Scenario) -> bool:
        """Whether the cached trace is this scenario's; view settings do not matter."""
        known = self._scenario
        return scenario is known or (
            known is not None and dataclasses.replace(scenario, view=known.view) == known
        )

    def with_gradients(self, scenario: Scenario) -> Trace:
        """The trace with the gradient of the loss in every tensor, computed once per pass."""
        trace = self.trace(scenario)
        if not self.has_gradients(scenario):
            trace.backward()
        return trace

    def has_gradients(self, scenario: Scenario) -> bool:
        """Whether the scenario's gradients are cached."""
        return self.trace(scenario)[LOSS].grad is not None

    def original(self, scenario: Scenario, path: str, index: tuple[int, ...]) -> float:
        """The value of a parameter's cell before any edit."""
        return float(self.model(scenario).parameters[path][index])


def _key(scenario: Scenario) -> ModelKey:
    return (
        scenario.config,
        scenario.settings.seed,
        scenario.source_vocabulary,
        scenario.target_vocabulary,
        scenario.weights,
    )


def _model(
    config: Config,
    seed: int,
    source: tuple[str, ...],
    target: tuple[str, ...],
    weights: Weights | None,
) -> Transformer:
    if weights is None:
        return Transformer.create(config, seed, source, target)
    return Transformer(config, weights.parameters(config, seed, source, target))
