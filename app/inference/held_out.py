"""Some of the pairs that a model did not learn from, to ask it about texts in general."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from ..scenario.scenario import Scenario
from ..scenario.training_data import TrainingData


class HeldOut(NamedTuple):
    """The first held-out pairs, as rows of ids that are padded at their ends.

    Attributes:
        source: (K, n).
        target: (K, m), with start and end.
        source_pad: the id of padding.
        target_pad: the same of the target.
    """

    source: np.ndarray
    target: np.ndarray
    source_pad: int
    target_pad: int

    def by_length(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Sources and targets in batches of equal lengths, without padding and without the end.

        That is what a decoder reads of a pair.
        """
        lengths = (self.source != self.source_pad).sum(1), (self.target != self.target_pad).sum(1)
        each = np.stack(lengths, axis=1)
        for n, m in np.unique(each, axis=0).tolist():
            these = (each == (n, m)).all(1)
            yield self.source[these, :n], self.target[these, : m - 1]


def held_out(scenario: Scenario, count: int) -> HeldOut | None:
    """So many pairs that the model did not learn from; None where there are none."""
    data = _data(scenario)
    if data is None:
        return None
    found = _pairs(data)
    return found._replace(source=found.source[:count], target=found.target[:count])


def is_read(scenario: Scenario) -> bool:
    """Whether they are at hand, or there are none; else they are to be read in a thread."""
    data = _data(scenario)
    return data is None or data in _KNOWN


def _data(scenario: Scenario) -> TrainingData | None:
    """What pairs are asked of, by a model that translates them."""
    both = scenario.settings.encoder_layers and scenario.settings.decoder_layers
    return scenario.data if both and scenario.own_vocabulary is not None else None


# Pairs of one's own are text, which takes a while to read: kept as long as anyone has that text.
_KNOWN: WeakKeyDictionary[TrainingData, HeldOut] = WeakKeyDictionary()


def _pairs(data: TrainingData) -> HeldOut:
    found = _KNOWN.get(data)
    if found is None:
        pairs = data.pairs()
        found = _KNOWN[data] = HeldOut(
            pairs.held_out_source.copy(),  # without the pairs that are learned
            pairs.held_out_target.copy(),
            pairs.source_tokenizer.pad,
            pairs.target_tokenizer.pad,
        )
    return found
