"""Runs a scenario's forward pass, caching the last model and its last traces.

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
from . import cost
from .silencing import Averages, overrides

T = TypeVar("T")

ModelKey = tuple[Config, int, tuple[str, ...], tuple[str, ...], Weights | None]

KEPT = 3  # traces: the shown one, the previous one, and the one before the current edit


@dataclasses.dataclass
class Pass:
    """A scenario, the trace of its forward pass, and the values computed from that trace."""

    scenario: Scenario
    trace: Trace
    derived: dict[Hashable, Any] = dataclasses.field(default_factory=dict)

    def is_of(self, scenario: Scenario) -> bool:
        """Return whether the trace belongs to this scenario, ignoring view settings."""
        return scenario.has_numbers_of(self.scenario)


class ForwardPassRunner:
    """Runs forward passes of scenarios, caching one model and its last passes."""

    def __init__(self, beside: ForwardPassRunner | None = None) -> None:
        """Create an empty runner; it reuses the model of ``beside`` if both need the same model."""
        self._beside = beside
        self._key: ModelKey | None = None
        self._model: Transformer | None = None
        self._passes: list[Pass] = []  # most recent first
        self._averages = Averages()
        self.before_pass: Callable[[], None] = lambda: None  # may raise, which cancels the pass

    def model(self, scenario: Scenario) -> Transformer:
        """Return the scenario's model before any edit, building it if it is not cached."""
        key = _key(scenario)
        if self._model is None or key != self._key:
            self.release()  # first, because memory may not hold two large models
            shared = self._beside.has(key) if self._beside else None
            self._model, self._key = shared or _model(*key), key
        return self._model

    def overrides(self, scenario: Scenario) -> Overrides:
        """Return all overrides of the scenario's pass: edited cells and ablated parts."""
        return overrides(scenario, self.model(scenario), self._averages)

    def means(self, scenario: Scenario, paths: Iterable[str]) -> Mapping[str, np.ndarray]:
        """Return the mean row of each path, the value used by mean ablation (see `Averages.of`)."""
        return self._averages.of(scenario, self.model(scenario), paths)

    def has(self, key: ModelKey) -> Transformer | None:
        """Return the cached model if it has this key, else None."""
        return self._model if key == self._key else None

    def has_model_of(self, scenario: Scenario) -> bool:
        """Return whether the scenario's model is cached."""
        return self.has(_key(scenario)) is not None

    def release(self) -> None:
        """Drop the cached model and passes."""
        self._key = self._model = None
        self._passes = []

    def aside(self) -> ForwardPassRunner:
        """Return a new runner for another thread, with this runner's model but not its passes."""
        other = ForwardPassRunner()
        other._key, other._model = self._key, self._model
        other._averages = self._averages.copy()
        return other

    def adopt(self, other: ForwardPassRunner) -> None:
        """Take over the cached model and passes of another runner."""
        if other._passes:
            self._key, self._model = other._key, other._model
            self._passes = [
                Pass(each.scenario, each.trace, {**each.derived}) for each in other._passes
            ]
            self._averages = other._averages.copy()

    def has_pass_of(self, scenario: Scenario) -> bool:
        """Return whether the scenario's trace is cached."""
        return any(each.is_of(scenario) for each in self._passes)

    def trace(self, scenario: Scenario) -> Trace:
        """Return the trace of the scenario's forward pass, computed if it is not cached."""
        return self._pass(scenario).trace

    def _pass(self, scenario: Scenario) -> Pass:
        found = next((each for each in self._passes if each.is_of(scenario)), None)
        if found is None:
            model = self.model(scenario)
            self.before_pass()
            # Memory cannot hold two passes of a large model, not even while the second is computed.
            self._passes = [] if cost.is_large(scenario) else self._passes[: KEPT - 1]
            trace = model(
                *scenario.inputs,
                training=scenario.training,
                seed=scenario.mask_seed,
                overrides=self.overrides(scenario),
                with_unprojected=True,
                labels=Labels(np.array(scenario.labels()), scenario.settings.label_smoothing),
                before=self._passes[0].trace if self._passes else None,
            )
            found = Pass(scenario, trace)
        found.scenario = scenario  # for the current view settings; also makes ``is_of`` fast
        self._passes = [found, *(each for each in self._passes if each is not found)]
        return found

    def once(self, scenario: Scenario, name: Hashable, compute: Callable[[Trace], T]) -> T:
        """Return a value computed from the scenario's pass, cached with the pass under ``name``."""
        known = self._pass(scenario)
        if name not in known.derived:
            known.derived[name] = compute(known.trace)
        found: T = known.derived[name]
        return found

    def with_gradients(self, scenario: Scenario) -> Trace:
        """Return the trace with the loss gradient in every tensor, computed once per pass."""
        trace = self.trace(scenario)
        if not self.has_gradients(scenario):
            trace.backward()
        return trace

    def has_gradients(self, scenario: Scenario) -> bool:
        """Return whether the scenario's gradients are cached."""
        return self.trace(scenario)[LOSS].grad is not None

    def original(self, scenario: Scenario, path: str, index: tuple[int, ...]) -> float:
        """Return the value of a parameter's cell before any edit."""
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
