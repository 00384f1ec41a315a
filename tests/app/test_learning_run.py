"""A run: the same again from the same seed, a memory that stays flat, and what it tells."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from tinkerformer.learning import Example, LearnSettings, Run
from tinkerformer.learning.history import History, Timeline
from tinkerformer.learning.inspection import Looking
from tinkerformer.learning.moment import moment

from transformer_math import Progress, Recipe, Trainer, Transformer
from transformer_math.data.dates import dates
from transformer_math.data.pairs import read_csv

PAIRS = dates()
SMALL = LearnSettings(d_model=8, heads=2, steps=12, warmup=2, batch=4)
OWN = read_csv("".join(f"{a}{b},{b}{a}\n" for a in "abcd" for b in "abcd"))


class Clock:
    """A clock on which every look takes so long."""

    def __init__(self, tick: float) -> None:
        self.now, self.tick = 0.0, tick

    def __call__(self) -> float:
        self.now += self.tick
        return self.now


def losses(run: Run) -> list[float]:
    while run.goes_on:
        run.advance(1.0)
    return run.history.loss


def test_two_runs_of_one_seed_are_the_same_and_of_another_are_not():
    first = losses(Run(SMALL, PAIRS))
    assert losses(Run(SMALL, PAIRS)) == first
    assert losses(Run(SMALL.changed("seed", 1), PAIRS)) != first


def test_it_goes_on_by_whole_steps_for_as_long_as_it_was_given():
    run = Run(SMALL, PAIRS)
    assert run.advance(0.0) == 1
    # The clock is read once at the beginning and once after each step.
    assert run.advance(3.0, Clock(1.0)) == 3
    assert run.step == 4
    assert run.seconds_left is not None
    assert len(run.history) == len(run.history.rate) == len(run.history.norm) == 4


def test_it_ends_with_all_held_out_pairs():
    run = Run(SMALL, PAIRS)
    assert run.advance(1e9) == 12
    assert not run.goes_on
    assert run.advance(1e9) == 0
    assert run.history.checks[-1][::2] == (12, 1000)
    assert run.history.tokens_per_second > 0


def test_the_checks_between_are_of_two_hundred():
    run = Run(SMALL.changed("steps", 80), PAIRS)
    run.advance(4.0, Clock(1.0))
    assert [(check.step, check.of) for check in run.history.checks] == [(2, 200), (4, 200)]
    assert run.check().of == 1000
    assert [check.of for check in run.history.checks] == [200, 1000]


def test_divergence_is_told_and_the_last_good_parameters_stay():
    run = Run(SMALL, PAIRS)
    run.advance(0.0)
    good = run.parameters()
    run.trainer._packed.flat[:] = np.nan
    assert run.advance(1.0) == 0
    assert run.problem.startswith("Training stopped at step 2: the loss is no longer a finite")
    assert not run.goes_on
    kept = run.parameters()
    assert all(np.isfinite(array).all() for array in kept.values())
    assert kept.keys() == good.keys()


def test_a_saved_run_goes_on_bit_for_bit():
    whole = losses(Run(SMALL, PAIRS))
    begun = Run(SMALL, PAIRS)
    begun.advance(5.0, Clock(1.0))
    again = Run.opened(begun.trainer.save(), PAIRS)
    assert (again.step, again.settings) == (5, SMALL)
    assert losses(again) == whole[5:]
    assert again.history.start == 5


def test_a_run_of_other_pairs_or_none_is_refused():
    data = Run(SMALL, PAIRS).trainer.save()
    with pytest.raises(ValueError, match="68 with 67"):
        Run.opened(data, OWN)
    with pytest.raises(ValueError, match=r"\."):
        Run.opened(b"not a run", PAIRS)


# -- the timeline --------------------------------------------------------------------------------


def test_snapshots_are_few_evenly_apart_and_begin_with_the_first():
    timeline = Timeline()
    kept = {"W": np.zeros(3, np.float32)}
    for step in range(1000):
        if timeline.wants(step):
            timeline.keep(step, kept)
    steps = timeline.steps
    assert len(steps) <= Timeline.MOST
    assert len(steps) > Timeline.MOST // 2
    assert steps[0] == 0
    assert len(set(np.diff(steps))) == 1
    assert steps[-1] > 1000 - 2 * timeline.stride


def test_of_a_large_model_fewer_are_kept():
    timeline = Timeline()
    large = {"W": np.zeros(Timeline.BYTES // 16, np.float32)}  # a quarter of all there is
    for step in range(100):
        if timeline.wants(step):
            timeline.keep(step, large)
    assert Timeline.LEAST // 2 < len(timeline.steps) <= Timeline.LEAST


def test_a_run_that_goes_on_from_a_file_keeps_its_first_step():
    timeline = Timeline()
    for step in range(37, 300):
        if timeline.wants(step):
            timeline.keep(step, {"W": np.zeros(1)})
    assert timeline.steps[0] == 37
    assert len(timeline.steps) <= Timeline.MOST


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
    run = Run(SMALL, OWN, trainer=Fast(10_000))
    sizes = []
    while run.goes_on:
        run.advance(500.0, Clock(1.0))
        kept = [run.timeline[step] for step in run.timeline.steps]
        sizes.append(sum(array.nbytes for snapshot in kept for array in snapshot.values()))
    assert run.step == 10_000
    one = sum(array.nbytes for array in run.parameters().values())
    assert max(sizes) <= Timeline.MOST * one
    assert max(sizes[10:]) <= max(sizes[:10])
    assert len(run.history.checks) == 31
    assert len(run.history._recent) == History.RECENT


# -- the moment ----------------------------------------------------------------------------------


def test_a_moment_shows_the_model_of_its_step():
    run = Run(SMALL, PAIRS)
    example = Example.first(PAIRS)
    begin = moment(run, example)
    run.advance(4.0, Clock(1.0))
    now, back = moment(run, example), moment(run, example, 0)
    assert (begin.step, now.step, back.step) == (0, 4, 0)
    path = "decoder.0.cross_attn.weights"
    assert np.array_equal(begin.trace[path].value, back.trace[path].value)
    assert not np.array_equal(now.trace[path].value, back.trace[path].value)
    # What comes later does not change a moment that is looked at.
    kept = now.trace["output.W_out"].value.copy()
    run.advance(2.0, Clock(1.0))
    assert np.array_equal(now.trace["output.W_out"].value, kept)


def test_its_gradients_are_those_of_the_smoothed_loss():
    run = Run(SMALL, PAIRS)
    example = Example.of_date("1845-01-05", PAIRS)
    seen = moment(run, example).with_gradients()
    path, step = "decoder.0.cross_attn.W_q", 1e-2
    changed = {name: array.astype(np.float64) for name, array in seen.parameters.items()}
    model = run.trainer.model.config
    wide = dataclasses.replace(model, dtype="float64")

    def loss(by: float) -> float:
        parameters = {**changed, path: changed[path].copy()}
        parameters[path][0, 1, 2] += by
        trace = Transformer(wide, parameters)(
            example.source, example.target[:-1], labels=example.target[1:], label_smoothing=0.1
        )
        return float(trace["output.loss"].value)

    slope = (loss(step) - loss(-step)) / (2 * step)
    assert seen.trace[path].grad[0, 1, 2] == pytest.approx(slope, rel=1e-2, abs=1e-6)


def test_letters_are_right_or_wrong_by_their_place():
    run = Run(SMALL, PAIRS)
    seen = moment(run, Example.of_date("1845-01-05", PAIRS))
    object.__setattr__(seen, "written", "June 5, 18")
    letters = seen.letters
    assert [letter.text for letter in letters[:4]] == list("June")
    assert [letter.right for letter in letters[:4]] == [True, False, True, False]
    assert len(letters) == len("January 5, 1845")
    assert letters[-1] == ("", False)
    object.__setattr__(seen, "written", "January 5, 18450")
    assert [letter.right for letter in seen.letters] == [True] * 15 + [False]


def test_an_example_is_a_date_or_a_held_out_pair():
    assert Example.first(PAIRS).answer == "July 20, 1969"
    with pytest.raises(ValueError, match="The month lies from 01 to 12, not 13"):
        Example.of_date("1969-13-20", PAIRS)
    own = Example.first(OWN)
    assert own.answer == own.text[::-1]
    assert OWN.source_tokenizer.decode(own.source) == own.text


def test_what_is_looked_at_stays_with_the_example_and_the_step():
    run = Run(SMALL, PAIRS)
    looking = Looking(run)
    run.advance(4.0, Clock(1.0))
    looking.look()
    assert (looking.live.step, looking.start.step) == (4, 0)
    looking.go_back(2)
    assert looking.seen.step == 2
    assert not looking.ask("1969-02-30")
    assert looking.problem.startswith("A day of February 1969")
    assert looking.example.text == "1969-07-20"
    assert looking.ask("1845-01-05")
    looking.again()
    assert (looking.problem, looking.options) == ("", [])
    assert {moment.example.text for moment in (looking.seen, looking.live, looking.start)} == {
        "1845-01-05"
    }
    assert looking.seen.step == 2
    looking.go_back(3000)
    assert looking.seen is looking.live
    looking.take(Run(SMALL, PAIRS))
    assert (looking.example.text, looking.seen.step) == ("1845-01-05", 0)
    looking.take(Run(SMALL, OWN))
    assert len(looking.options) == len(OWN.held_out_source)
    assert not looking.ask("99")
