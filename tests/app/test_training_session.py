import asyncio
import dataclasses

import numpy as np
import pytest
from tinkerformer.files import catalog
from tinkerformer.learning import TrainingPlan, TrainingRun, TrainingState
from tinkerformer.learning import session as training_session
from tinkerformer.learning.learned_model import weight_edits
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.inference.writing import with_written_target
from tinkerformer.model.scenario.silences import Silence
from tinkerformer.view_model.learning import Learning

from tests.app.learner import (
    ENDLESS,
    PAGES,
    WORDS,
    bits,
    by_hand,
    numbers,
    on_app,
    others,
    played,
    scripted,
    small,
    trained,
    until,
)
from tests.app.learner import one_step_a_slice as one_step_a_slice

pytestmark = pytest.mark.usefixtures("one_step_a_slice")


# -- play, pause, step, reset ---------------


@PAGES
def test_training_changes_the_model_on_the_page(page):
    async def script(learner):
        session, start = learner.session, learner.scenario
        assert session.state is TrainingState.READY
        await session.play()
        assert session.state is TrainingState.RUNNING
        await learner.until_step(3)
        assert learner.machine.training_now == 1
        await session.pause()
        assert session.state is TrainingState.PAUSED
        assert (learner.machine.queue.tickets, learner.machine.training_now) == ([], 0)
        at = learner.scenario.steps_taken
        assert at == session.run.step >= 3
        assert numbers(learner.scenario) == by_hand(start, at)
        await session.play()
        await learner.over()
        assert session.state is TrainingState.DONE
        assert learner.scenario.steps_taken == 12
        assert numbers(learner.scenario) == by_hand(start, 12)
        assert session.right == (session.run.metrics.evaluations[-1].correct, 1)
        assert not learner.page.learning

    assert played(script, page(small())).told > 12


@PAGES
def test_reset_restores_the_random_weights_of_the_seed(page):
    async def script(learner):
        session, start = learner.session, learner.scenario
        await session.play()
        await learner.until_step(4)
        await session.reset()
        assert not others()
        assert session.state is TrainingState.READY
        assert (learner.scenario.weights, learner.scenario.steps_taken) == (None, 0)
        assert session.current is None
        assert session.previous.step >= 4
        await session.step()
        assert numbers(learner.scenario) == by_hand(start, 1)

    played(script, page(small()))


@scripted(played, lambda: on_app(catalog.first("phrases")))
async def test_reset_of_a_trained_model_removes_its_weights_and_undo_restores_them(learner):
    session, page = learner.session, learner.page
    trained = page.scenario
    assert session.state is TrainingState.TRAINED
    await session.reset()
    assert session.state is TrainingState.READY
    assert page.scenario.weights is None
    page.undo()
    assert page.scenario == trained
    assert session.state is TrainingState.TRAINED


@pytest.mark.parametrize("name", ["document-table", "sandbox", "document-lecture"])
def test_a_model_that_cannot_be_trained_here_remains_unchanged(name):
    async def script(learner):
        session, before = learner.session, learner.scenario
        assert session.state is TrainingState.UNAVAILABLE
        await session.reset()
        await session.play()
        assert "own pairs beside “Train on”" in session.error
        await session.step()
        await session.check_held_out()
        assert "own pairs beside “Train on”" in session.error
        assert learner.says.message == (session.error, "bad")
        assert learner.scenario is before
        assert session.run is None

    played(script, catalog.first(name))


@scripted(played, lambda: small(**ENDLESS))
async def test_play_pressed_twice_plays_once(learner):
    session = learner.session
    await asyncio.gather(session.play(), session.play(), session.step())
    run = session.run
    await learner.until_step(3)
    assert len(learner.machine.queue.tickets) == 1
    assert session.run is run
    assert len(learner.page.past) == 1
    session.controller.pause()  # also right after a pause, while a slice is under way:
    await session.play()
    assert len(learner.machine.queue.tickets) == 1
    await learner.until_step(run.step + 3)
    assert (len(others()), session.state) == (1, TrainingState.RUNNING)
    assert learner.page.given == sorted(learner.page.given)


@scripted(played, lambda: small(**ENDLESS))
async def test_two_trainings_take_turns(learner):
    first, ticket = learner.session, learner.machine.queue.enter()
    await first.play()
    await until(lambda: first.state is TrainingState.WAITING)
    assert Learning(first.page.scenario, first.training).message == (
        "1 training is before yours; yours begins by itself.",
        "",
    )
    assert first.run.step == 0
    ticket.release()
    await learner.until_step(2)
    assert first.state is TrainingState.RUNNING


# -- the written text during a training run --------------


def test_at_the_end_of_a_run_the_sentence_is_rewritten_by_the_model():
    def is_written(scenario):
        return with_written_target(scenario, ForwardPassRunner()).target == scenario.target

    async def script(learner):
        session = learner.session
        await session.play()
        start = learner.scenario.target
        await learner.until_step(20)
        assert learner.scenario.target == start  # the text of the weights before the first step
        await learner.over()
        assert learner.scenario.target != start
        assert is_written(learner.scenario)
        await session.show_step(session.run.snapshots.steps[1])
        assert is_written(learner.scenario)
        await session.show_step(None)
        assert is_written(learner.scenario)
        await session.reset()
        assert is_written(learner.scenario)

    recipe = {"steps": 40, "peak_learning_rate": 0.03}
    played(script, on_app(small(WORDS, "word", **recipe)))


@scripted(played, lambda: on_app(small()))
async def test_steps_of_a_training_run_are_not_steps_of_undo(learner):
    page = learner.page
    page.change(page.scenario.with_value("source.W_e", (0, 0), 3))
    await learner.session.play()
    await learner.over()
    assert page.scenario.steps_taken == 12
    for _ in range(3):
        page.undo()
    assert page.scenario.edits == {}
    assert page.history.past == []


# -- changes of the page during a run -------------------

NOTICE = "The training has ended: the model or its recipe was changed."
OTHERS = {
    "settings": lambda s: s.with_setting("d_model", "12"),
    "a setting that keeps the shapes": lambda s: s.with_setting("activation", "gelu"),
    "the seed": lambda s: s.with_setting("seed", "5"),
    "smoothing": lambda s: s.with_setting("label_smoothing", "0.3"),
    "dropout": lambda s: s.with_training(True),
    "the recipe": lambda s: s.with_recipe(s.recipe.replace(batch=2)),
    "the model": lambda s: catalog.first("sandbox"),
    "the data": lambda s: small(WORDS, "word"),
}


@PAGES
@pytest.mark.parametrize("name", OTHERS)
def test_choosing_another_model_ends_the_run(page, name):
    async def script(learner):
        session = learner.session
        await session.play()
        await learner.until_step(3)
        other = OTHERS[name](learner.scenario)
        learner.page.change(other)
        other = learner.scenario
        await learner.over()
        assert learner.scenario is other
        assert session.error == NOTICE
        assert session.current is None
        assert session.state is not TrainingState.RUNNING
        if session.state is not TrainingState.UNAVAILABLE:
            ended = session.run
            await session.play()
            await learner.until_step(1)
            assert session.run is not ended
            assert session.previous is ended
            assert session.run.plan == TrainingPlan.of(other)
            assert session.error == ""

    played(script, page(small(**ENDLESS)))


SAME = {
    "the text": lambda s: s.with_tokens("source", ["a", "b"]),
    "the target": lambda s: s.with_tokens("target", ["<sos>", "a"]),
    "the view": lambda s: s.with_view("palette", "safe"),
    "the rates of dropout that is off": lambda s: s.with_setting("dropout.activation", "0.3"),
    "an edit": lambda s: s.with_value("source.W_e", (0, 0), 0.5),
    "an override": lambda s: s.with_value("encoder.0.self_attn.scores", (0, 0, 0), 2),
}


@PAGES
@pytest.mark.parametrize("name", SAME)
def test_actions_that_do_not_change_the_model_do_not_end_the_run(page, name):
    async def script(learner):
        session = learner.session
        await session.play()
        await learner.until_step(3)
        learner.page.change(SAME[name](learner.scenario))
        # Changed weights become weights of the run; other edits remain edits.
        asked = learner.scenario
        asked = asked.trained(asked.weights, 0, weight_edits(asked))
        run, at = session.run, session.run.step
        await learner.until_step(at + 3)
        assert session.state is TrainingState.RUNNING
        assert session.run is run
        await session.pause()
        now = learner.scenario
        assert now.steps_taken == run.step
        assert dataclasses.replace(now, weights=None, steps_taken=0) == dataclasses.replace(
            asked, weights=None, steps_taken=0, target=now.target
        )

    played(script, page(small(**ENDLESS)))


def test_undo_during_a_run_ends_it_and_redo_continues_it():
    async def script(learner):
        session, page = learner.session, learner.page
        trained = page.scenario
        await session.play()
        await learner.until_step(3)
        page.undo()
        await learner.over()
        assert page.scenario == trained
        assert (session.error, session.state) == (NOTICE, TrainingState.TRAINED)
        run = session.run
        page.redo()
        assert session.state is TrainingState.PAUSED
        assert page.scenario.steps_taken >= 1  # without the results of the last slices
        await session.play()
        await learner.until_step(run.step + 2)
        await session.pause()
        assert session.run is run
        assert page.scenario.steps_taken == run.step
        assert numbers(page.scenario) == by_hand(page.scenario, run.step)

    tiny = catalog.first("phrases")
    tiny = tiny.with_recipe(tiny.recipe.replace(batch=1, steps=400))
    played(script, on_app(tiny))


# -- edited numbers ---------------------


W_1, CELL = "decoder.0.feed_forward.W_1", (1, 2)
SCORES = "encoder.0.self_attn.scores"
HEAD = Silence("encoder.0.self_attn.head.0.context", None, None, "zero")


def edited(scenario):
    """Return the scenario with a changed weight, a changed computed number and a silenced head."""
    return scenario.with_silence(HEAD).with_value(W_1, CELL, 2).with_value(SCORES, (0, 0, 0), 3)


@PAGES
@pytest.mark.parametrize("begin", ["play", "step", "reset"])
def test_a_new_run_starts_from_the_random_numbers_of_the_seed(page, begin):
    async def script(learner):
        session = learner.session
        await getattr(session, begin)()
        await learner.over()
        assert learner.scenario.overrides() == {SCORES: {(0, 0, 0): 3.0}}
        assert learner.scenario.silences == (HEAD,)
        assert learner.page.notice == (
            "All weights are random again, without your changed number. Undo restores them."
        )
        steps = learner.scenario.steps_taken
        assert steps == {"play": 12, "step": 1, "reset": 0}[begin]
        if steps:
            assert numbers(learner.scenario) == by_hand(small(), steps)

    played(script, page(edited(small())))


@PAGES
def test_a_run_that_continues_learns_from_the_edited_weights(page):
    async def script(learner):
        session = learner.session
        for _ in range(3):
            await session.step()
        by_itself = trained(small(), 3)
        learner.page.change(edited(learner.scenario))
        by_itself.set_cell(W_1, CELL, 2)
        await session.step()
        next(by_itself)
        assert numbers(learner.scenario) == bits(by_itself)
        assert learner.scenario.weights.arrays[W_1][CELL] != 2  # the edited weight is trained, too
        assert learner.scenario.overrides() == {SCORES: {(0, 0, 0): 3.0}}
        assert learner.scenario.silences == (HEAD,)
        assert session.current.can_continue
        assert session.page.moments.are_of(learner.scenario)

    played(script, page(small()))


@scripted(played, small)
async def test_the_result_of_a_test_is_hidden_after_a_change_of_the_weights(learner):
    session = learner.session
    await session.play()
    await learner.over()
    assert session.right is not None
    learner.page.change(learner.scenario.with_value(W_1, CELL, 2))
    assert session.right is None
    await session.show_step(4)
    assert learner.scenario.overrides() == {W_1: {CELL: 2.0}}
    assert session.right is None


def test_an_edited_number_of_a_word_that_is_not_learned_does_not_affect_training():
    async def script(learner):
        await learner.session.step()
        assert learner.scenario.edits
        assert numbers(learner.scenario) == by_hand(start, 1)

    start = small(WORDS, "word")
    typed = start.with_tokens("source", ["red", "zebra"])
    row = typed.vocabulary.row("source", "zebra")
    played(script, typed.with_value("source.W_e", (row, 0), 4))


# -- tests and examples ----------------


@scripted(played, lambda: on_app(catalog.first("phrases")))
async def test_a_test_uses_the_model_of_the_page(learner):
    session, page = learner.session, learner.page
    assert session.right is None
    await session.check_held_out()
    assert session.right == (1000, 1000)
    assert session.state is TrainingState.TRAINED
    page.change(page.scenario.with_tokens("source", ["a", "cat"]))
    assert session.right is None
    for column in range(8):
        page.change(page.scenario.with_value("output.W_out", (column, 0), 9))
    await session.check_held_out()
    assert session.right[0] < 1000
    assert session.right[1] == 1000


def test_a_test_requested_several_times_during_a_test_is_done_once_more(monkeypatch):
    found = []

    def counted(model, pairs):
        found.append(float(model.parameters["output.W_out"][0, 0]))
        return len(found), 9

    monkeypatch.setattr(training_session, "exact_matches", counted)

    async def script(learner):
        session, page = learner.session, learner.page
        checks = [asyncio.ensure_future(session.check_held_out()) for _ in range(20)]
        await asyncio.sleep(0)
        page.change(page.scenario.with_value("output.W_out", (0, 0), 9))
        await asyncio.gather(*checks)
        assert len(found) == 2
        assert found[1] == 9
        assert session.right == (2, 9)
        await session.check_held_out()
        assert len(found) == 3

    played(script, on_app(catalog.first("phrases")))


def test_waiting_tasks_of_a_closed_page_are_not_computed(monkeypatch):
    found = []
    monkeypatch.setattr(training_session, "exact_matches", lambda *_: found.append(1) or (1, 1))
    monkeypatch.setattr(training_session, "examples", lambda *_: found.append(1) or [])

    async def script(learner):
        learner.machine.watched = False
        await learner.session.check_held_out()
        await learner.session.find_examples()
        assert found == []
        assert learner.session.check is None

    played(script, on_app(catalog.first("phrases")))


@scripted(played, lambda: catalog.first("phrases"))
async def test_examples_are_held_out_pairs_with_the_answers_of_the_model(learner):
    session = learner.session
    await session.find_examples()
    assert len(session.examples) == 8
    for source, right, written in session.examples:
        assert right == written
        assert learner.scenario.data.answers(source) == (right,)
    learner.page.change(learner.scenario.trained(None, 0))
    await session.find_examples()
    assert not any(one.right == one.written for one in session.examples)


def test_numbers_that_are_too_large_are_reported_in_a_sentence():
    async def script(learner):
        session = learner.session
        await session.check_held_out()
        assert session.error.endswith(".")
        await session.find_examples()
        assert session.error.endswith(".")

    scenario = small()
    assert scenario.weights is None
    run = TrainingRun(TrainingPlan.of(scenario))
    arrays = {path: np.full_like(x, 3e38) for path, x in run.weights().arrays.items()}
    with np.errstate(all="ignore"):
        played(script, scenario.trained(run.plan.weights(arrays), 1))


# -- divergence ---------------


@PAGES
def test_a_diverged_run_states_it_and_restores_the_last_good_weights(page):
    async def script(learner):
        session = learner.session
        await session.step()
        session.run.trainer._vector.flat[:] = np.inf
        await session.play()
        await learner.over()
        assert session.state is TrainingState.DIVERGED
        sentence, tone = learner.says.message
        assert "no longer a finite number" in sentence
        assert sentence.endswith("A lower learning rate helps.")
        assert tone == "bad"
        assert session.run.step == 1
        assert all(np.isfinite(x).all() for x in learner.scenario.weights.arrays.values())
        run = session.run
        await session.play()  # a new run starts
        assert session.run is not run

    played(script, page(small()))


@PAGES
def test_after_training_at_the_largest_rate_the_page_can_be_shown(page):
    """At a constant rate of 1 the numbers grow without bound, whether or not the run diverges."""

    async def script(learner):
        session = learner.session
        await session.play()
        await learner.over()
        assert session.state in (TrainingState.DONE, TrainingState.DIVERGED)
        assert all(np.isfinite(x).all() for x in learner.scenario.weights.arrays.values())
        assert learner.scenario.steps_taken == session.run.step
        ForwardPassRunner().trace(learner.scenario)

    wild = small(schedule="constant", warmup=0, peak_learning_rate=1.0, steps=25, clip=0.0)
    played(script, page(wild.with_setting("norm", "pre").with_setting("residual", False)))
