"""A run: the same again from the same seed, flat memory, and what is inspected of it."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from tinkerformer.learning import Example, TrainingRun, TrainingSettings
from tinkerformer.learning.example_pass import run_example
from tinkerformer.learning.inspection import Inspection
from tinkerformer.learning.metrics import Metrics
from tinkerformer.learning.snapshots import Snapshots

from transformer_math import Labels, Progress, Recipe, Trainer, Transformer
from transformer_math.data.dates import dates
from transformer_math.data.pairs import read_csv

PAIRS = dates()
SMALL = TrainingSettings(d_model=8, heads=2, steps=12, warmup=2, batch=4)
OWN = read_csv("".join(f"{a}{b},{b}{a}\n" for a in "abcd" for b in "abcd"))


class Clock:
    """A clock on which every reading takes so long."""

    def __init__(self, tick: float) -> None:
        self.now, self.tick = 0.0, tick

    def __call__(self) -> float:
        self.now += self.tick
        return self.now


def losses(run: TrainingRun) -> list[float]:
    while run.can_continue:
        run.advance(1.0)
    return run.metrics.loss


def test_two_runs_of_one_seed_are_the_same_and_of_another_are_not():
    first = losses(TrainingRun(SMALL, PAIRS))
    assert losses(TrainingRun(SMALL, PAIRS)) == first
    assert losses(TrainingRun(SMALL.changed("seed", 1), PAIRS)) != first


def test_it_goes_on_by_whole_steps_for_as_long_as_it_was_given():
    run = TrainingRun(SMALL, PAIRS)
    assert run.advance(0.0) == 1
    # The clock is read once at the beginning and once after each step.
    assert run.advance(3.0, Clock(1.0)) == 3
    assert run.step == 4
    assert run.seconds_left is not None
    assert len(run.metrics) == len(run.metrics.learning_rate) == len(run.metrics.gradient_norm) == 4


def test_it_ends_with_all_held_out_pairs():
    run = TrainingRun(SMALL, PAIRS)
    assert run.advance(1e9) == 12
    assert not run.can_continue
    assert run.advance(1e9) == 0
    assert run.metrics.evaluations[-1][::2] == (12, 1000)
    assert run.metrics.tokens_per_second > 0


def test_the_checks_between_are_of_two_hundred():
    run = TrainingRun(SMALL.changed("steps", 80), PAIRS)
    run.advance(4.0, Clock(1.0))
    assert [(check.step, check.total) for check in run.metrics.evaluations] == [(2, 200), (4, 200)]
    assert run.evaluate().total == 1000
    assert [check.total for check in run.metrics.evaluations] == [200, 1000]


def test_divergence_is_reported_and_the_last_good_parameters_stay():
    run = TrainingRun(SMALL, PAIRS)
    run.advance(0.0)
    good = run.parameters()
    run.trainer._vector.flat[:] = np.nan
    assert run.advance(1.0) == 0
    assert run.problem.startswith("Training stopped at step 2: the loss is no longer a finite")
    assert not run.can_continue
    kept = run.parameters()
    assert all(np.isfinite(array).all() for array in kept.values())
    assert kept.keys() == good.keys()


def test_a_saved_run_goes_on_bit_for_bit():
    whole = losses(TrainingRun(SMALL, PAIRS))
    begun = TrainingRun(SMALL, PAIRS)
    begun.advance(5.0, Clock(1.0))
    again = TrainingRun.from_file(begun.trainer.save(), PAIRS)
    assert (again.step, again.settings) == (5, SMALL)
    assert losses(again) == whole[5:]
    assert again.metrics.start == 5


def test_a_run_of_other_pairs_or_none_is_refused():
    data = TrainingRun(SMALL, PAIRS).trainer.save()
    with pytest.raises(ValueError, match="68 with 67"):
        TrainingRun.from_file(data, OWN)
    with pytest.raises(ValueError, match=r"\."):
        TrainingRun.from_file(b"not a run", PAIRS)


# -- the snapshots --------------------------------------------------------------------------------


def test_snapshots_are_few_evenly_apart_and_begin_with_the_first():
    snapshots = Snapshots()
    kept = {"W": np.zeros(3, np.float32)}
    for step in range(1000):
        if snapshots.is_due(step):
            snapshots.add(step, kept)
    steps = snapshots.steps
    assert len(steps) <= Snapshots.MAX_COUNT
    assert len(steps) > Snapshots.MAX_COUNT // 2
    assert steps[0] == 0
    assert len(set(np.diff(steps))) == 1
    assert steps[-1] > 1000 - 2 * snapshots.stride


def test_of_a_large_model_fewer_are_kept():
    snapshots = Snapshots()
    large = {"W": np.zeros(Snapshots.MAX_BYTES // 16, np.float32)}  # a quarter of all there is
    for step in range(100):
        if snapshots.is_due(step):
            snapshots.add(step, large)
    assert Snapshots.MIN_COUNT // 2 < len(snapshots.steps) <= Snapshots.MIN_COUNT


def test_a_run_that_goes_on_from_a_file_keeps_its_first_step():
    snapshots = Snapshots()
    for step in range(37, 300):
        if snapshots.is_due(step):
            snapshots.add(step, {"W": np.zeros(1)})
    assert snapshots.steps[0] == 37
    assert len(snapshots.steps) <= Snapshots.MAX_COUNT


class Fast:
    """A trainer whose steps cost nothing: ten thousand real ones would take half a minute."""

    def __init__(self, steps: int) -> None:
        self._real = Trainer(Transformer.create(SMALL.config(OWN), 0), OWN, Recipe(steps=steps))
        self.model, self.recipe, self.step = self._real.model, self._real.recipe, 0
        self.parameters = self._real.parameters

    def __next__(self) -> Progress:
        self.step += 1
        return Progress(self.step, 1.0 / self.step, 1e-3, 0.5, 1e4, 1e-3)


def test_memory_stays_flat_over_ten_thousand_steps():
    run = TrainingRun(SMALL, OWN, trainer=Fast(10_000))
    sizes = []
    while run.can_continue:
        run.advance(500.0, Clock(1.0))
        kept = [run.snapshots[step] for step in run.snapshots.steps]
        sizes.append(sum(array.nbytes for snapshot in kept for array in snapshot.values()))
    assert run.step == 10_000
    one = sum(array.nbytes for array in run.parameters().values())
    assert max(sizes) <= Snapshots.MAX_COUNT * one
    assert max(sizes[10:]) <= max(sizes[:10])
    assert len(run.metrics.evaluations) == 31
    assert len(run.metrics._recent) == Metrics.SPEED_WINDOW


# -- the example ----------------------------------------------------------------------------------


def test_a_pass_shows_the_model_of_its_step():
    run = TrainingRun(SMALL, PAIRS)
    example = Example.default(PAIRS)
    begin = run_example(run, example)
    run.advance(4.0, Clock(1.0))
    now, back = run_example(run, example), run_example(run, example, 0)
    assert (begin.step, now.step, back.step) == (0, 4, 0)
    path = "decoder.0.cross_attn.weights"
    assert np.array_equal(begin.trace[path].value, back.trace[path].value)
    assert not np.array_equal(now.trace[path].value, back.trace[path].value)
    # What comes later does not change a moment that is looked at.
    kept = now.trace["output.W_out"].value.copy()
    run.advance(2.0, Clock(1.0))
    assert np.array_equal(now.trace["output.W_out"].value, kept)


def test_its_gradients_are_those_of_the_smoothed_loss():
    run = TrainingRun(SMALL, PAIRS)
    example = Example.of_date("1845-01-05", PAIRS)
    shown = run_example(run, example).with_gradients()
    path, step = "decoder.0.cross_attn.W_q", 1e-2
    changed = {name: array.astype(np.float64) for name, array in shown.parameters.items()}
    model = run.trainer.model.config
    wide = dataclasses.replace(model, dtype="float64")

    def loss(by: float) -> float:
        parameters = {**changed, path: changed[path].copy()}
        parameters[path][0, 1, 2] += by
        trace = Transformer(wide, parameters)(
            example.source, example.target[:-1], labels=Labels(example.target[1:], 0.1)
        )
        return float(trace["output.loss"].value)

    derivative = (loss(step) - loss(-step)) / (2 * step)
    assert shown.trace[path].grad[0, 1, 2] == pytest.approx(derivative, rel=1e-2, abs=1e-6)


def test_letters_are_right_or_wrong_by_their_place():
    run = TrainingRun(SMALL, PAIRS)
    shown = run_example(run, Example.of_date("1845-01-05", PAIRS))
    object.__setattr__(shown, "written", "June 5, 18")
    letters = shown.letters
    assert [letter.text for letter in letters[:4]] == list("June")
    assert [letter.is_correct for letter in letters[:4]] == [True, False, True, False]
    assert len(letters) == len("January 5, 1845")
    assert letters[-1] == ("", False)
    object.__setattr__(shown, "written", "January 5, 18450")
    assert [letter.is_correct for letter in shown.letters] == [True] * 15 + [False]


def test_an_example_is_a_date_or_a_held_out_pair():
    assert Example.default(PAIRS).reference == "July 20, 1969"
    with pytest.raises(ValueError, match="The month lies from 01 to 12, not 13"):
        Example.of_date("1969-13-20", PAIRS)
    own = Example.default(OWN)
    assert own.reference == own.text[::-1]
    assert OWN.source_tokenizer.decode(own.source) == own.text


def test_what_is_inspected_stays_with_the_example_and_the_step():
    run = TrainingRun(SMALL, PAIRS)
    inspection = Inspection(run)
    run.advance(4.0, Clock(1.0))
    inspection.update()
    assert (inspection.latest.step, inspection.initial.step) == (4, 0)
    inspection.choose_step(2)
    assert inspection.shown.step == 2
    assert not inspection.choose_example("1969-02-30")
    assert inspection.problem.startswith("A day of February 1969")
    assert inspection.example.text == "1969-07-20"
    assert inspection.choose_example("1845-01-05")
    inspection.recompute()
    assert (inspection.problem, inspection.options) == ("", [])
    assert {
        one.example.text for one in (inspection.shown, inspection.latest, inspection.initial)
    } == {"1845-01-05"}
    assert inspection.shown.step == 2
    inspection.choose_step(3000)
    assert inspection.shown is inspection.latest
    inspection.switch_run(TrainingRun(SMALL, PAIRS))
    assert (inspection.example.text, inspection.shown.step) == ("1845-01-05", 0)
    inspection.switch_run(TrainingRun(SMALL, OWN))
    assert len(inspection.options) == len(OWN.held_out_source)
    assert not inspection.choose_example("99")
