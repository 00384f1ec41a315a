"""Scenario -> Trace, with the model and the last trace kept.

One runner belongs to one session; nothing here is shared.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np

from transformer_math import Labels, Trace, Transformer
from transformer_math.config import Config
from transformer_math.graph.backward import LOSS
from transformer_math.graph.overrides import Overrides

from ..scenario.scenario import Scenario
from ..scenario.weights import Weights
from .silencing import Averages, overrides

ModelKey = tuple[Config, int, tuple[str, ...], tuple[str, ...], Weights | None]


class ForwardPassRunner:
    """Runs the model that a scenario asks for."""

    def __init__(self, beside: ForwardPassRunner | None = None) -> None:
        """A runner that shares the model of another one where both ask for the same."""
        self._beside = beside
        self._key: ModelKey | None = None
        self._model: Transformer | None = None
        self._scenario: Scenario | None = None
        self._trace: Trace | None = None
        self._averages = Averages()
        self.before_pass: Callable[[], None] = lambda: None  # raises if none is wanted any more

    def model(self, scenario: Scenario) -> Transformer:
        """The model of the settings and the vocabulary, before any edit."""
        key = _key(scenario)
        if self._model is None or key != self._key:
            self.release()  # before the next one is made: there is never room for two large ones
            shared = self._beside.has(key) if self._beside else None
            self._model, self._key = shared or _model(*key), key
        return self._model

    def overrides(self, scenario: Scenario) -> Overrides:
        """All that is set in the scenario's pass: edited cells, and silenced parts."""
        return overrides(scenario, self.model(scenario), self._averages)

    def has(self, key: ModelKey) -> Transformer | None:
        """The model at hand, if it is this one."""
        return self._model if key == self._key else None

    def has_model_of(self, scenario: Scenario) -> bool:
        """Whether the model of a scenario is at hand."""
        return self.has(_key(scenario)) is not None

    def release(self) -> None:
        """Let go of the model and its pass."""
        self._key = self._model = self._scenario = self._trace = None

    def aside(self) -> ForwardPassRunner:
        """Another one with what is known of the model, for another thread."""
        other = ForwardPassRunner()
        other._key, other._model = self._key, self._model
        other._averages = self._averages.copy()
        return other

    def adopt(self, other: ForwardPassRunner) -> None:
        """Go on with the model and the pass of another one."""
        if other._trace is not None:
            self._key, self._model = other._key, other._model
            self._scenario, self._trace = other._scenario, other._trace
            self._averages = other._averages.copy()

    def has_pass_of(self, scenario: Scenario) -> bool:
        """Whether the pass of a scenario is at hand."""
        return self._trace is not None and self._is_known(scenario)

    def trace(self, scenario: Scenario) -> Trace:
        """The forward pass of a scenario, every number of it."""
        if self._trace is None or not self._is_known(scenario):
            model = self.model(scenario)
            self.before_pass()
            self._trace = model(
                np.array(scenario.ids("source")),
                np.array(scenario.ids("target")),
                training=scenario.training,
                seed=scenario.mask_seed,
                overrides=self.overrides(scenario),
                with_unprojected=True,
                labels=Labels(np.array(scenario.labels()), scenario.settings.label_smoothing),
            )
        self._scenario = scenario
        return self._trace

    def _is_known(self, scenario: Scenario) -> bool:
        """Whether the pass at hand is of this scenario, perhaps drawn in another way."""
        known = self._scenario
        return scenario is known or (
            known is not None and dataclasses.replace(scenario, view=known.view) == known
        )

    def with_gradients(self, scenario: Scenario) -> Trace:
        """The same with the gradient of the loss in every tensor, computed once for a pass."""
        trace = self.trace(scenario)
        if not self.has_gradients(scenario):
            trace.backward()
        return trace

    def has_gradients(self, scenario: Scenario) -> bool:
        """Whether the gradients of a scenario are there already."""
        return self.trace(scenario)[LOSS].grad is not None

    def original(self, scenario: Scenario, path: str, index: tuple[int, ...]) -> float:
        """What a parameter's cell was before it was edited."""
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
