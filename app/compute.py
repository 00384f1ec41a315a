"""Scenario -> Trace, with the model and the last trace kept. Pure: no panel.

One computer belongs to one visitor; nothing here is shared.
"""

from __future__ import annotations

import numpy as np

from app.scenario import Scenario
from app.weights import Weights
from transformer_math import Trace, Transformer
from transformer_math.config import Config

ModelKey = tuple[Config, int, tuple[str, ...], tuple[str, ...], Weights | None]


class Computer:
    """Runs the model that a scenario asks for."""

    def __init__(self) -> None:
        self._key: ModelKey | None = None
        self._model: Transformer | None = None
        self._scenario: Scenario | None = None
        self._trace: Trace | None = None

    def model(self, scenario: Scenario) -> Transformer:
        """The model of the settings and the vocabulary, before any edit."""
        key = (
            scenario.config,
            scenario.settings.seed,
            scenario.source_vocabulary,
            scenario.target_vocabulary,
            scenario.weights,
        )
        if self._model is None or key != self._key:
            self._model, self._key = _model(*key), key
        return self._model

    def trace(self, scenario: Scenario) -> Trace:
        """The forward pass of a scenario, every number of it."""
        if self._trace is None or scenario is not self._scenario:
            source = [scenario.source_vocabulary.index(t) for t in scenario.source]
            target = [scenario.target_vocabulary.index(t) for t in scenario.target]
            self._trace = self.model(scenario)(
                np.array(source),
                np.array(target),
                training=scenario.training,
                seed=scenario.mask_seed,
                overrides=scenario.overrides(),
                with_unprojected=True,
            )
            self._scenario = scenario
        return self._trace

    def original(self, scenario: Scenario, path: str, index: tuple[int, ...]) -> float:
        """What a parameter's cell was before it was edited."""
        return float(self.model(scenario).parameters[path][index])


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
