import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.math.training_cases import DROPOUT, PAIRS, assert_same, numbers, small, take, trainer
from transformer_math import DropoutRates, Trainer


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("shards", [1, 2])
@pytest.mark.parametrize("dropout", [DROPOUT, DropoutRates()], ids=["new pass", "recomputed"])
def test_a_run_that_is_saved_and_loaded_continues_with_the_same_numbers(
    dropout: DropoutRates, shards: int, dtype: str
) -> None:
    """As if it had not stopped."""
    model = small(dropout=dropout, dtype=dtype)
    whole = trainer(shards, model=model)
    expected = take(whole, 12)
    first = trainer(shards, model=model)
    taken = take(first, 5)
    second = Trainer.load(first.save(), PAIRS, shards=shards)
    assert second.step == 5
    assert second.model.config == first.model.config
    assert second.recipe == first.recipe
    taken += take(second, 3)
    third = Trainer.load(second.save(), PAIRS, shards=shards)
    taken += take(third, 4)
    assert numbers(taken) == numbers(expected)
    assert_same(third, whole)
    assert third.save() == whole.save()


@pytest.mark.parametrize("dropout", [DROPOUT, DropoutRates()], ids=["new pass", "recomputed"])
def test_threads_give_the_same_bits(dropout: DropoutRates) -> None:
    model = small(dropout=dropout)
    with ThreadPoolExecutor(2) as pool:
        threaded, alone = trainer(2, pool.map, model), trainer(2, model=model)
        assert numbers(take(threaded, 6)) == numbers(take(alone, 6))
    assert_same(threaded, alone)


def test_a_training_without_threads_starts_none() -> None:
    before = threading.active_count()
    take(trainer(3), 2)
    assert threading.active_count() == before


@pytest.mark.parametrize("shards", [2, 3, 7, 50])
def test_shards_add_up_to_one_batch(shards: int) -> None:
    """Also with more shards than examples. Sums in another order may differ in the last digits."""
    whole, cut = (trainer(n, model=small(dtype="float64")) for n in (1, shards))
    for one, other in zip(take(whole, 5), take(cut, 5), strict=True):
        assert one.loss == pytest.approx(other.loss, rel=1e-12)
        assert one.norm == pytest.approx(other.norm, rel=1e-10)
