"""Some of the pairs that a model did not learn from, to ask it about texts in general."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import NamedTuple

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
    data, own = scenario.data, scenario.own_vocabulary
    both = scenario.settings.encoder_layers and scenario.settings.decoder_layers
    if data is None or own is None or not both:
        return None
    found = _pairs(data)
    return found._replace(source=found.source[:count], target=found.target[:count])


@functools.lru_cache(maxsize=4)  # pairs of one's own are text, which takes a while to read
def _pairs(data: TrainingData) -> HeldOut:
    pairs = data.pairs()
    return HeldOut(
        pairs.held_out_source,
        pairs.held_out_target,
        pairs.source_tokenizer.pad,
        pairs.target_tokenizer.pad,
    )
