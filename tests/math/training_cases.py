"""Small models and data to train."""

import itertools
from typing import Any

import numpy as np

from transformer_math import DropoutRates, Recipe, Trainer, Transformer
from transformer_math.data.pairs import Pairs, read_csv
from transformer_math.training.trainer import MapShards, Progress, config_for

WORDS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
PAIRS: Pairs = read_csv("\n".join(f"{word},{word[::-1].upper()}" for word in WORDS))
DROPOUT = DropoutRates(0.1, 0.2, 0.1, 0.2, 0.1)


def small(**changes: Any) -> Transformer:
    """Return a model for the pairs with random parameters."""
    settings = {"d_model": 8, "heads": 2, "d_ff": 12, **changes}
    return Transformer.create(config_for(PAIRS, **settings), 3)


def trainer(
    shards: int = 1, map_shards: MapShards = map, model: Transformer | None = None, **recipe: Any
) -> Trainer:
    """Return a trainer of few and small steps."""
    settings = {"steps": 40, "batch": 7, "warmup": 4, **recipe}
    return Trainer(
        small(dropout=DROPOUT) if model is None else model,
        PAIRS,
        Recipe(**settings),
        shards=shards,
        map_shards=map_shards,
    )


def numbers(taken: list[Progress]) -> list[tuple]:
    """Return a step without its time."""
    return [(p.step, p.loss, p.learning_rate, p.norm) for p in taken]


def take(training: Trainer, steps: int) -> list[Progress]:
    return list(itertools.islice(training, steps))


def assert_same(one: Trainer, other: Trainer) -> None:
    """Check that two runs are equal, bit for bit."""
    assert one.step == other.step
    mine, theirs = one.parameters(), other.parameters()
    assert mine.keys() == theirs.keys()
    for path, array in mine.items():
        np.testing.assert_array_equal(array, theirs[path], err_msg=path, strict=True)
