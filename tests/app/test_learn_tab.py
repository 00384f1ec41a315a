import asyncio
import dataclasses
import itertools
import math

import numpy as np
import pytest
from tinkerformer.features.learn import tab as tabs
from tinkerformer.features.learn.tab import LearnTab
from tinkerformer.features.learn.view import LearnView
from tinkerformer.features.training.view import TrainingView
from tinkerformer.files import catalog
from tinkerformer.files.open_model import opened as opened_files
from tinkerformer.learning import TrainingPlan, TrainingRun
from tinkerformer.learning.curves import curves as curves_of
from tinkerformer.learning.experiments import COUNTED, EXPERIMENTS, NOT_YET
from tinkerformer.model.inference.text import text_of
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.model.scenario.silences import Silence
from tinkerformer.model.scenario.training_data import TrainingData

from tests.app.learner import ENDLESS, TEXT, WORDS, on_app, played, scripted, small, until
from tests.app.learner import one_step_a_slice as one_step_a_slice
from tests.app.trained import dates_file

pytestmark = pytest.mark.usefixtures("one_step_a_slice", "at_once")


@pytest.fixture
def at_once(monkeypatch):
    """Update the examples after every step."""
    monkeypatch.setattr(tabs, "UPDATE_SECONDS", 0.0)


def opened(learner) -> LearnTab:
    tab = LearnTab(learner.page, learner.session)
    tab.show(True)
    return tab


@scripted(played, lambda: on_app(catalog.first("phrases")))
async def test_the_tab_shows_the_progress_of_a_run(learner):
    tab = opened(learner)
    await learner.over()
    scenario = learner.scenario
    assert tab._form.value == scenario.recipe
    assert tab._experiments.value == "none"
    assert [name for name, _ in tab._experiments.options] == [
        "none",
        *(one.name for one in EXPERIMENTS),
    ]
    curves = tab.curves_view.curves
    assert (curves.kept, curves.curves["step"], curves.steps) == ([], (), 1000)
    plan = TrainingPlan.of(scenario)
    assert curves.chance == pytest.approx(math.log(len(plan.vocabulary.target)))
    assert 0 < curves.floor == plan.minimum_loss() < curves.chance
    assert len(curves.schedule) > 100
    assert curves.ahead.startswith("Press Train again. Pure guessing has a loss of ")
    assert [row[1] == row[2] for row in tab._examples.rows] == [True] * 8
    assert tab._examples.unit == "word"
    learner.page.change(catalog.first("sandbox"))
    await learner.over()
    assert (curves.chance, curves.schedule) == (0, [])
    assert curves.ahead.endswith(".")
    assert "Press" not in curves.ahead
    assert (tab._experiments.options, tab._examples.rows) == ([], [])
    learner.page.change(small())
    await learner.over()
    assert curves.ahead.startswith("Press Train it. ")
    assert len(tab._examples.rows) == 1


@scripted(played, lambda: on_app(small()))
async def test_curves_and_examples_follow_a_run(learner):
    tab, session = opened(learner), learner.session
    curves = tab.curves_view.curves
    await session.play()
    await learner.over()
    run = session.run
    assert curves.kept == run.snapshots.steps == [*range(13)]
    assert curves.step == curves.kept[-1]
    assert curves.curves["step"] == tuple(range(1, 13))
    assert curves.curves["loss"] == pytest.approx(run.metrics.loss, rel=1e-3)
    assert curves.curves["right"][-1][0] == 12
    assert (curves.steps, curves.before["step"], curves.notes) == (12, (), [])
    (row,) = tab._examples.rows
    assert row == list(session.examples[0])
    learner.page.change(learner.scenario.with_recipe(learner.scenario.recipe.replace(batch=2)))
    # The weights are still those of the run, but further steps would use another recipe.
    assert (curves.kept, len(curves.curves["step"])) == ([], 12)
    await session.step()
    assert curves.notes == ["Dashed: the run before; it had pairs in a batch: 4."]
    assert curves.curves["step"] == (1,)
    assert curves.before["step"] == tuple(range(1, 13))


OTHER_MODELS = {
    "other data": lambda _: small(WORDS, "word"),
    "no data": lambda _: catalog.first("sandbox"),
    "a trained model": lambda _: catalog.first("phrases"),
    "a model of a file": lambda _: opened_files({"a.safetensors": dates_file()}, Scenario()),
    "random weights": lambda s: s.trained(None, 0),
    "no positions": lambda s: s.with_setting("positions", "none"),
    "other sizes": lambda s: s.trained(None, 0).with_setting("d_model", "12"),
}


@pytest.mark.parametrize("name", OTHER_MODELS)
@scripted(played, lambda: on_app(small()))
async def test_measurements_of_a_run_are_shown_only_beside_its_model(learner, name):
    page, session = learner.page, learner.session
    view = TrainingView(page, session)
    view.show(is_learn=True)
    tab, bar = opened(learner), view.bar
    curves = tab.curves_view.curves
    await session.play()
    await learner.over()
    assert "loss" in bar.shown["facts"]
    assert bar.shown["step"] == len(curves.curves["step"]) == 12
    other = OTHER_MODELS[name](page.scenario)
    page.change(other)
    await learner.over()
    assert not any(curves.curves.values())
    assert not any(curves.before.values())
    assert (curves.kept, curves.marks) == ([], [])
    assert (bar.shown["facts"], bar.shown["message"]) != ("", "")
    assert "loss" not in bar.shown["facts"]
    assert session.right is None
    with pytest.raises(ValueError, match="This model has no run yet"):
        await session.save()
    page.undo()
    await learner.over()
    assert len(curves.curves["step"]) == len(curves.kept) - 1 == 12
    assert "loss" in bar.shown["facts"]


@pytest.mark.parametrize("of_same_data", [True, False])
@scripted(played, lambda: on_app(small()))
async def test_a_run_is_drawn_over_the_one_before_only_if_both_learn_the_same_data(
    learner, of_same_data
):
    page, curves = learner.page, opened(learner).curves_view.curves
    await learner.session.play()
    await learner.over()
    page.change(small() if of_same_data else small(WORDS, "word"))
    page.change(page.scenario.with_setting("seed", "5"))
    await learner.session.step()
    assert bool(curves.before["step"]) == bool(curves.notes) == of_same_data


@scripted(played, lambda: on_app(small()))
async def test_a_closed_tab_computes_nothing_and_is_up_to_date_when_it_opens_again(learner):
    tab = opened(learner)
    tab.show(False)
    await learner.session.play()
    await learner.over()
    assert tab.curves_view.curves.kept == []
    assert learner.session.shows_examples is False
    tab.show(True)
    assert tab.curves_view.curves.kept[-1] == 12


@scripted(played, lambda: on_app(small()))
async def test_the_tab_is_created_when_it_is_first_opened(learner):
    view = LearnView(learner.page, learner.session)
    view.show(False)
    assert list(view.column.objects) == []
    view.show(True)
    parts = view.line, view.curves, view.column
    assert [len(part.objects) for part in parts] == [1, 1, 1]
    assert all(part.visible for part in parts)
    view.show(False)
    assert not any(part.visible for part in parts)
    await learner.over()


def go(curves, step):
    assert curves.receive({"type": "step", "step": step}) == ""


@scripted(played, lambda: on_app(small()))
async def test_only_the_last_of_several_quick_steps_is_shown(learner):
    curves = opened(learner).curves_view.curves
    for _ in range(4):
        await learner.session.step()
    for step in (2, 3, 1, 4, 2):  # as a slider that is dragged back and forth
        go(curves, None if step == 4 else step)
    await learner.over()
    assert learner.scenario.steps_taken == curves.step == 2
    # Show the earlier step again, before the page has updated.
    go(curves, 3)
    go(curves, 2)
    await learner.over()
    assert learner.scenario.steps_taken == curves.step == 2


def test_bar_and_curves_state_the_step_of_the_shown_numbers_at_every_turn():
    """During a run, and while an earlier step is shown."""

    async def script(learner):
        session, page = learner.session, learner.page
        curves, view = opened(learner).curves_view.curves, TrainingView(page, session)
        view.show(is_learn=True)
        seen = []

        def look():
            told = view.bar.shown["step"], curves.step, curves.kept[-1], view.bar.kept[-1]
            seen.append((*told, page.scenario.steps_taken))

        session.listen(look)
        await session.play()
        await learner.over()
        assert all(len({*steps}) == 1 for steps in seen)
        assert [*dict.fromkeys(steps[0] for steps in seen)] == [*range(13)]
        for control, step in ((curves, 4), (view.bar, 9), (curves, 2)):
            go(control, step)  # and shown in the same turn
            assert page.scenario.steps_taken == curves.step == view.bar.shown["step"] == step
            loss = session.run.metrics.loss[step - 1]
            at = curves.curves["step"].index(step)
            assert f"{curves.curves['loss'][at]:.3f}" == f"{loss:.3f}"
            assert f"loss {loss:.3f}" in view.bar.shown["facts"]

    played(script, on_app(small().with_view("pace", "full")))


def test_curves_end_with_the_shown_step_while_a_thread_computes_the_next():
    async def script(learner):
        session, ahead = learner.session, set()
        await session.play()
        while session.run.step < 200:
            await asyncio.sleep(0)
            step = learner.scenario.steps_taken
            if 0 < step < session.run.step:
                ahead.add(step)
                assert session.curves.step[-1] == step
        assert len(ahead) > 100
        await session.pause()

    played(script, on_app(small(steps=700)))


def test_every_step_has_its_own_loss_in_a_run_of_any_length():
    run = TrainingRun(TrainingPlan.of(small(steps=700)))
    run.advance(1e9, lambda: 0.0, until=420)
    drawn = curves_of(run)
    for step in run.snapshots.steps[1:]:
        assert drawn.loss_at(step) == pytest.approx(run.metrics.loss[step - 1], rel=1e-4)
    assert drawn.right_at(0) is None
    for one, after in itertools.pairwise(run.metrics.evaluations):
        assert drawn.right_at(one.step) == drawn.right_at(after.step - 1) == (one.step, one.percent)


@scripted(played, lambda: on_app(small()))
async def test_counts_curves_and_examples_ignore_edits_and_state_it(learner):
    tab, session = opened(learner), learner.session
    await session.play()
    await learner.over()
    await session.check_held_out()
    before = session.right, tab._examples.rows
    notes = lambda: (tab._examples.note, tab.curves_view.curves.notes)  # noqa: E731
    assert notes() == ("", [])
    head = Silence("encoder.0.self_attn.head.0.context", None, None, "zero")
    learner.page.change(learner.scenario.with_silence(head))
    await learner.over()
    await session.check_held_out()
    by = "with no part silenced"
    assert notes() == (f"The examples are written {by}.", [])
    assert by in learner.says.facts
    said = "Counts, curves and examples ignore the parts that you silenced."
    assert learner.says.message[0] in (said, f"All right {by}.")
    assert (session.right, tab._examples.rows) == before
    learner.page.change(learner.scenario.without_overrides())
    await learner.over()
    assert notes() == ("", [])
    learner.page.change(learner.scenario.with_value("source.W_e", (0, 0), 1.0))
    await learner.over()
    assert notes() == (
        "The examples are written with your changed number.",
        ["The curves are of the run, without your changed number."],
    )


@scripted(played, lambda: on_app(small()))
async def test_every_result_states_that_the_model_was_changed_after_its_training(learner):
    tab, session = opened(learner), learner.session
    await session.play()
    await learner.over()
    whole = learner.scenario
    learner.page.change(whole.with_setting("positions", "none"))
    await learner.over()
    await session.check_held_out()
    change = "positions sinusoidal → none"
    assert f"right after a change ({change})" in learner.says.facts
    assert learner.says.message[0].startswith(f"Changed after its training: {change}. ")
    assert tab._examples.note == f"The examples are written after a change ({change})."
    learner.page.change(learner.scenario.with_setting("positions", "sinusoidal"))
    await learner.over()
    assert learner.scenario == whole
    assert " unseen pairs right · loss" in learner.says.facts


@scripted(played, lambda: on_app(small()))
async def test_changes_during_a_run_are_marked_at_their_step(learner):
    curves, page = opened(learner).curves_view.curves, learner.page
    for step in range(1, 4):
        await learner.session.step()
        assert curves.marks == []
        assert page.scenario.steps_taken == step
    page.change(page.scenario.with_value("source.W_e", (0, 1), 2.0))
    page.change(page.scenario.with_value("source.W_e", (1, 1), 2.0))
    await learner.session.step()
    assert curves.marks == [[3, "2 numbers set"]]
    head = Silence("encoder.0.self_attn", 0, to="zero")
    page.change(dataclasses.replace(page.scenario, silences=(head,)))
    await learner.session.step()
    assert curves.marks == [[3, "2 numbers set"], [4, "1 part silenced"]]
    page.change(page.scenario.without_edits())
    await learner.session.step()
    assert curves.marks[2:] == [[5, "1 part working again"]]


@scripted(played, lambda: on_app(small()))
async def test_the_change_between_two_steps_is_shown_and_described(learner):
    curves, page = opened(learner).curves_view.curves, learner.page
    start, run = page.scenario, None
    for _ in range(6):
        await learner.session.step()
    run = learner.session.run
    curves.accept("pinned", 2)
    await learner.over()
    assert page.scenario.view.plane == "change"
    assert page.baseline.weights == run.weights(2)
    assert (page.baseline.steps_taken, curves.pinned, page.scenario.steps_taken) == (2, 2, 6)
    moved = [np.abs(run.weights().arrays[path] - a) for path, a in run.snapshots[2].items()]
    mean = sum(each.sum() for each in moved) / sum(each.size for each in moved)
    assert curves.said.startswith(
        f"Between steps 2 and 6 a number moved by {mean:.2f} on average, those of "
    )
    assert f"the most: {max(each.mean() for each in moved):.2f}." in curves.said
    for step in (4, 2, 1, None):  # the pin remains while other steps are shown
        go(curves, step)
        await learner.over()
        assert (page.scenario.steps_taken, curves.pinned) == (step or 6, 2)
        if step == 2:
            assert curves.said.startswith("Nothing differs")
        if step == 1:
            assert curves.said.startswith("Between steps 1 and 2 ")
    curves.accept("pinned", None)
    assert (page.scenario.view.plane, page.baseline) == (start.view.plane, None)
    assert curves.pinned is None
    assert curves.said.startswith("Paused.")


@scripted(played, lambda: on_app(small(**ENDLESS)))
async def test_a_moment_can_be_pinned_during_a_run(learner):
    curves, page = opened(learner).curves_view.curves, learner.page
    await learner.session.play()
    await learner.until_step(5)
    now = curves.kept[-1]
    curves.accept("pinned", now)
    await until(lambda: page.baseline is not None)
    assert learner.session.controller.is_active
    run = learner.session.run
    kept = [step for step in run.snapshots.steps if step <= now]
    assert page.baseline.steps_taken == kept[-1]
    assert page.baseline.weights == run.weights(kept[-1])
    at = run.step
    await learner.until_step(at + 3)
    assert curves.pinned == kept[-1]


@pytest.mark.parametrize(
    "whole",
    [
        lambda: catalog.first("phrases").trained(None, 0),
        lambda: catalog.of_pairs(TrainingData("own", TEXT, "character")),
        lambda: catalog.of_pairs(TrainingData("own", WORDS, "word")),
    ],
)
@pytest.mark.parametrize("name", [one.name for one in EXPERIMENTS])
def test_an_experiment_is_chosen_and_undone(whole, name):
    """The seed and the sizes may differ; every other setting is restored."""

    async def script(learner):
        tab, page = opened(learner), learner.page
        page.change(learner.scenario.with_setting("seed", "5"))
        before = learner.scenario
        assert tab._experiments.value == "none"
        tab._experiments.accept("value", name)
        assert tab._experiments.value == name
        now = learner.scenario
        assert (now.settings, now.recipe) != (before.settings, before.recipe)
        assert (now.settings.seed, now.data) == (5, before.data)
        tab._experiments.accept("value", "none")
        assert tab._experiments.value == "none"
        now = learner.scenario
        assert (now.settings, now.recipe) == (before.settings, before.recipe)
        page.change(now.with_setting("d_ff", "20"))
        assert tab._experiments.value == "none"
        tab._experiments.accept("value", name)
        assert learner.scenario.settings.d_ff == 20
        if tab._experiments.about:
            assert tab._experiments.about.startswith("With the sizes and the recipe of")
            assert tab._experiments.about.endswith(f"{COUNTED} {NOT_YET}")
        await learner.over()

    played(script, on_app(whole()))


@scripted(played, lambda: on_app(small()))
async def test_the_form_changes_the_recipe_of_the_page(learner):
    tab, page = opened(learner), learner.page
    tab._form.receive({"type": "change", "name": "steps", "value": "20"})
    assert page.scenario.recipe.steps == 20
    tab._form.receive({"type": "change", "name": "warmup", "value": "20"})
    assert "has to end before the last of the 20 steps" in tab._form.errors["warmup"]
    assert page.scenario.recipe.warmup == 2
    page.undo()
    assert tab._form.value.steps == page.scenario.recipe.steps == 12
    await learner.over()


@scripted(played, lambda: on_app(catalog.first("phrases")))
async def test_pressing_an_example_shows_it_on_the_page(learner):
    tab, page = opened(learner), learner.page
    await learner.over()
    source, right, _ = tab._examples.rows[3]
    page.change(page.scenario.with_tokens("target", ["<sos>", "typed"]))
    await learner.over()
    tab._examples.receive({"type": "choose", "row": 3})
    assert text_of(page.scenario) == source
    assert text_of(page.scenario, "target") == right
    assert page.scenario.writes_itself
    await learner.over()


@scripted(played, lambda: on_app(catalog.first("phrases")))
async def test_examples_are_computed_again_for_another_model(learner):
    tab, page = opened(learner), learner.page
    await learner.over()
    before = tab._examples.rows
    page.change(page.scenario.with_tokens("source", ["a", "cat"]))
    await learner.over()
    assert tab._examples.rows == before
    for column in range(8):
        page.change(page.scenario.with_value("output.W_out", (column, 0), 9))
    await learner.over()
    assert tab._examples.rows != before
    page.change(page.scenario.without_edits())
    await learner.over()
    assert tab._examples.rows == before


@scripted(played, lambda: on_app(small()))
async def test_a_run_is_saved_and_opened_again(learner):
    tab, sent = opened(learner), []
    tab._files.connect(sent.append)
    tab._files.receive({"type": "save"})
    await learner.over()
    assert learner.page.notice.startswith("This model has no run yet")
    for _ in range(3):
        await learner.session.step()
    tab._files.receive({"type": "save"})
    await learner.over()
    assert sent[-1]["name"] == "run-step-3.safetensors"
    kept = learner.scenario.weights
    await learner.session.reset()
    file = {"name": "a.safetensors", "bytes": sent[-1]["bytes"], "first": True}
    tab._files.receive({"type": "part", "id": 1, **file})
    tab._files.receive({"type": "open", "id": 2})
    await learner.over()
    assert sent[-1] == {"type": "answer", "id": 2, "opened": True}
    assert (learner.scenario.weights, learner.scenario.steps_taken) == (kept, 3)
    for data in (b"nothing", b""):
        tab._files.receive({"type": "part", "id": 3, **file, "bytes": data})
        tab._files.receive({"type": "open", "id": 4})
        await learner.over()
        assert sent[-1]["problem"].endswith(".")
    assert learner.scenario.weights == kept
    await learner.over()
