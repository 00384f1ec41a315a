import functools
import math

import numpy as np
import pytest
from tinkerformer.files import catalog
from tinkerformer.learning import TrainingPlan, TrainingRun, pace
from tinkerformer.learning.learned_model import changed_numbers, learned_model, weight_edits
from tinkerformer.learning.snapshots import Snapshots

from tests.app.learner import WORDS, small
from transformer_math import Labels, Progress, Recipe, Trainer
from transformer_math.ops.loss import smoothed_targets


@functools.cache
def phrases_in_short(**recipe):
    """Return the phrases, with a recipe of 12 steps."""
    scenario = catalog.first("phrases").trained(None, 0)
    steps = {"steps": 12, "warmup": 2, "batch": 4, **recipe}
    return scenario.with_recipe(scenario.recipe.replace(**steps))


def run_of(scenario) -> TrainingRun:
    return TrainingRun(TrainingPlan.of(scenario))


class Clock:
    """A clock that advances by ``tick`` at each reading."""

    def __init__(self, tick: float) -> None:
        self.now, self.tick = 0.0, tick

    def __call__(self) -> float:
        self.now += self.tick
        return self.now


def losses(run: TrainingRun) -> list[float]:
    while run.can_continue:
        run.advance(1.0)
    return run.metrics.loss


def test_a_slice_takes_whole_steps_within_its_time():
    run = run_of(small())
    assert run.seconds_left is None
    assert run.advance(0.0) == 1
    # The clock is read once at the beginning, and after each step and its test.
    assert run.advance(3.0, Clock(0.5)) == 3
    assert run.step == 4
    assert run.seconds_left is not None
    assert len(run.metrics) == len(run.metrics.learning_rate) == len(run.metrics.gradient_norm) == 4
    assert run.advance(1e9, Clock(0.5), until=7) == 3
    assert run.step == 7


def test_a_run_ends_with_a_test_of_all_held_out_pairs():
    run = run_of(phrases_in_short())
    assert run.advance(1e9) == 12
    assert not run.can_continue
    assert run.advance(1e9) == 0
    assert run.metrics.evaluations[-1][::2] == (12, 1000)


def test_tests_during_a_run_use_two_hundred_pairs_and_count_in_the_remaining_time():
    run = run_of(phrases_in_short(steps=80))
    run.advance(4.0, Clock(0.5))
    found = [(check.step, check.total) for check in run.metrics.evaluations]
    assert found == [(1, 200), (3, 200), (4, 200)]
    run.seconds, run._test_seconds = 12.0, 9.0  # of four steps, and three of the thirty tests
    to_come = len([step for step in pace.moments(80, 31) if step > 4])
    assert run.seconds_left == pytest.approx(3 / 4 * 76 + 3 * to_come)
    assert run.evaluate().total == 1000
    assert [check.total for check in run.metrics.evaluations] == [200, 200, 1000]


def test_the_weights_of_a_step_do_not_change_with_later_steps():
    run = run_of(small())
    before = run.weights()
    run.advance(4.0, Clock(0.5))
    assert run.weights(0) == before != run.weights()
    assert run.weights(4) == run.weights()
    with pytest.raises(KeyError):
        run.weights(99)


# -- the plan ---------------


def test_a_plan_has_only_the_learned_words():
    scenario = small(WORDS, "word")
    typed = scenario.with_tokens("source", ["zebra", "red"]).with_tokens("target", ["<sos>", "x"])
    assert typed.config != scenario.config
    assert TrainingPlan.of(typed) == TrainingPlan.of(scenario)


def test_a_model_is_trained_with_dropout_only_if_dropout_is_on():
    scenario = small()
    assert scenario.settings.dropout.rates.embedding > 0
    off, on = TrainingPlan.of(scenario), TrainingPlan.of(scenario.with_training(True))
    assert off.config.dropout.embedding == 0
    assert on.config.dropout == scenario.settings.dropout.rates
    assert losses(TrainingRun(off)) != losses(TrainingRun(on))


def test_the_first_loss_of_a_run_is_the_loss_of_the_initial_model():
    """It is of the batch of step 1, with the chosen label smoothing."""
    run = run_of(small().with_setting("label_smoothing", "0.25"))
    source, target = run.pairs.batch(1, 4, run.plan.seed)
    trace = run.plan.model()(source, target[:, :-1], labels=Labels(target[:, 1:], 0.25))
    run.advance()
    assert run.metrics.loss[0] == pytest.approx(float(trace["output.loss"].value), rel=1e-5)


@pytest.mark.parametrize("form", ["paper", "torch"])
@pytest.mark.parametrize("smoothing", [0, 0.1, 0.5])
def test_the_lowest_loss_is_the_entropy_of_the_labels(smoothing, form):
    scenario = small().with_setting("label_smoothing", smoothing)
    plan = TrainingPlan.of(scenario.with_setting("smoothing_form", form))
    size = len(plan.vocabulary.target)
    right, other = smoothed_targets(smoothing, form, size)
    assert right + (size - 1) * other == pytest.approx(1)
    shares = np.array([right] + [other] * (size - 1))
    shares = shares[shares > 0]
    assert plan.minimum_loss() == pytest.approx(-(shares * np.log(shares)).sum())
    assert plan.minimum_loss() < math.log(size)


REFUSED = {
    "sandbox": ("sandbox", None, "The sandbox has words but nothing to learn"),
    "paper": ("paper-base", None, "The paper trained this model for 12 hours"),
    "big": ("paper-big", None, "nothing here that this model could be trained on"),
    "document": ("document-table", None, "nothing here that this model could be trained on"),
    "no decoder": ("phrases", "decoder_layers", "an encoder and a decoder: one of them is off"),
    "no encoder": ("phrases", "encoder_layers", "an encoder and a decoder: one of them is off"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_model_that_cannot_be_trained_is_refused_with_the_reason(case):
    name, layers, sentence = REFUSED[case]
    scenario = catalog.first(name)
    scenario = scenario.with_setting(layers, 0) if layers else scenario
    with pytest.raises(ValueError, match=sentence) as raised:
        TrainingPlan.of(scenario)
    assert str(raised.value).endswith(".")
    with pytest.raises(ValueError, match=sentence):
        learned_model(scenario)


def test_long_pairs_in_large_batches_are_refused_before_they_fill_the_memory():
    long = small("\n".join(f"{k:064},{k:064}" for k in range(20)))
    large = long.with_recipe(long.recipe.replace(batch=256))
    for name, raw in (("heads", 8), ("d_model", 64), ("encoder_layers", 3), ("decoder_layers", 3)):
        large = large.with_setting(name, raw)
    with pytest.raises(ValueError, match="choose a smaller batch"):
        run_of(large)
    run_of(long)
    plan = TrainingPlan.of(catalog.first("dates"))
    plan.check_size(plan.data.pairs())
    assert plan.data.pairs() is plan.data.pairs()  # the pairs are read only once


def test_the_duration_of_a_run_is_estimated():
    phrases = TrainingPlan.of(catalog.first("phrases"))
    assert 1 < phrases.seconds() < 30
    scenario = catalog.first("phrases")
    twice = scenario.with_recipe(scenario.recipe.replace(steps=2 * scenario.recipe.steps))
    assert TrainingPlan.of(twice).seconds() == pytest.approx(2 * phrases.seconds())
    wider = scenario.with_setting("d_model", "64")
    assert TrainingPlan.of(wider).seconds() > phrases.seconds()


# -- the model that is learned ---------------


def test_the_learned_model_has_the_edited_numbers():
    scenario = catalog.first("phrases").with_tokens("source", ["the", "zebra"])
    row = scenario.vocabulary.row("source", "zebra")
    edited = scenario.with_value("source.W_e", (1, 2), 5).with_value("source.W_e", (row, 0), 7)
    edited = edited.with_value("encoder.0.self_attn.scores", (0, 0, 0), 3)
    assert list(weight_edits(edited).values()) == [(1, 2)]
    assert changed_numbers(edited) == "your changed number"
    model = learned_model(edited)
    table = model.parameters["source.W_e"]
    assert table.shape == (25, 8)
    expected = scenario.weights.arrays["source.W_e"].copy()
    expected[1, 2] = 5
    np.testing.assert_array_equal(table, expected)
    assert scenario.weights.arrays["source.W_e"][1, 2] != 5


def test_before_training_the_learned_model_is_the_model_of_the_page():
    scenario = small()
    from tinkerformer.model.inference.forward_pass import ForwardPassRunner

    shown = ForwardPassRunner().model(scenario).parameters
    for path, array in TrainingPlan.of(scenario).model().parameters.items():
        np.testing.assert_array_equal(array, shown[path])


# -- the snapshots ---------------


def test_snapshots_are_few_and_evenly_spaced_on_the_timeline_and_include_both_ends():
    snapshots = Snapshots(1000)
    kept = {"W": np.zeros(3, np.float32)}
    for step in range(1001):
        if snapshots.is_due(step):
            snapshots.add(step, kept)
    steps = snapshots.steps
    assert steps == snapshots.moments
    assert Snapshots.MAX_COUNT // 2 < len(steps) <= Snapshots.MAX_COUNT
    assert steps[:8] == [*range(8)]
    assert steps[-1] == 1000
    apart = np.diff([pace.place(step, 1000) for step in steps])
    # The first snapshots are farther apart, because steps are whole numbers.
    assert apart.max() < 2 / Snapshots.MAX_COUNT
    assert np.diff(steps).max() < 40


def test_short_runs_keep_every_step_and_large_models_keep_fewer():
    assert Snapshots(50).moments == [*range(51)]
    snapshots = Snapshots(100, Snapshots.MAX_BYTES // 4)
    assert Snapshots.MIN_COUNT // 2 < len(snapshots.moments) <= Snapshots.MIN_COUNT
    assert (snapshots.moments[0], snapshots.moments[-1]) == (0, 100)


def test_a_run_that_continues_from_a_file_keeps_its_first_step():
    snapshots = Snapshots(300)
    for step in range(37, 300):
        if snapshots.is_due(step):
            snapshots.add(step, {"W": np.zeros(1)})
    assert snapshots.steps[0] == 37
    assert len(snapshots.steps) <= Snapshots.MAX_COUNT


class Fast:
    """A trainer whose steps take no time; ten thousand real ones would take half a minute."""

    def __init__(self, plan: TrainingPlan) -> None:
        self._real = Trainer(plan.model(), plan.data.pairs(), Recipe(steps=10_000))
        self.model, self.recipe, self.step = self._real.model, self._real.recipe, 0
        self.parameters, self.pairs = self._real.parameters, self._real.pairs

    def __next__(self) -> Progress:
        self.step += 1
        return Progress(self.step, 1.0 / self.step, 1e-3, 0.5, 1e4, 1e-3)


def test_the_memory_of_snapshots_is_limited_over_ten_thousand_steps():
    plan = TrainingPlan.of(small())
    run = TrainingRun(plan, Fast(plan))
    sizes = []
    while run.can_continue:
        run.advance(500.0, Clock(0.5))
        kept = [run.snapshots[step] for step in run.snapshots.steps]
        sizes.append(sum(array.nbytes for snapshot in kept for array in snapshot.values()))
    assert run.step == 10_000
    one = sum(array.nbytes for array in run.weights().arrays.values())
    assert max(sizes) <= Snapshots.MAX_COUNT * one
    assert len(run.metrics.evaluations) == 30
