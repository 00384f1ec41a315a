"""Held-out pairs, on which a model is evaluated."""

from collections.abc import Iterator
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from ..scenario.scenario import Scenario
from ..scenario.training_data import TrainingData


class HeldOut(NamedTuple):
    """The first held-out pairs, as ids padded at the end."""

    source: np.ndarray  # (K, n), token ids
    target: np.ndarray  # (K, m), token ids with start and end tokens
    source_pad: int
    target_pad: int

    def by_length(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield batches of equal source and target lengths, without padding or the end token.

        The targets are thus the decoder's inputs.
        """
        lengths = (self.source != self.source_pad).sum(1), (self.target != self.target_pad).sum(1)
        each = np.stack(lengths, axis=1)
        for n, m in np.unique(each, axis=0).tolist():
            these = (each == (n, m)).all(1)
            yield self.source[these, :n], self.target[these, : m - 1]


def held_out(scenario: Scenario, count: int) -> HeldOut | None:
    """Return the first ``count`` held-out pairs; None if the model has no training data."""
    data = _data(scenario)
    if data is None:
        return None
    found = _pairs(data)
    return found._replace(source=found.source[:count], target=found.target[:count])


def is_read(scenario: Scenario) -> bool:
    """Return whether the pairs are cached or absent; if not, the caller reads them in a thread."""
    data = _data(scenario)
    return data is None or data in _KNOWN


def _data(scenario: Scenario) -> TrainingData | None:
    """Return the data of a model that translates; None for any other model."""
    both = scenario.settings.encoder_layers and scenario.settings.decoder_layers
    return scenario.data if both and scenario.own_vocabulary is not None else None


# Parsing the user's own pairs is slow, so the result is cached as long as the data exist.
_KNOWN: WeakKeyDictionary[TrainingData, HeldOut] = WeakKeyDictionary()


def _pairs(data: TrainingData) -> HeldOut:
    found = _KNOWN.get(data)
    if found is None:
        pairs = data.pairs()
        found = _KNOWN[data] = HeldOut(
            pairs.held_out_source.copy(),  # a copy, so that the training pairs can be freed
            pairs.held_out_target.copy(),
            pairs.source_tokenizer.pad,
            pairs.target_tokenizer.pad,
        )
    return found
