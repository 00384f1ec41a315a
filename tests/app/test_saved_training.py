import pytest
from tinkerformer.features.learn.curves import CurvesView
from tinkerformer.learning import TrainingPlan, TrainingRun, TrainingState
from tinkerformer.learning.curves import curves
from tinkerformer.session.session_json import from_json, to_json
from tinkerformer.session.state import AppState

from tests.app.learner import (
    ENDLESS,
    PAGES,
    WORDS,
    by_hand,
    numbers,
    on_app,
    played,
    scripted,
    small,
)
from tests.app.learner import one_step_a_slice as one_step_a_slice

pytestmark = pytest.mark.usefixtures("one_step_a_slice")


def taken_up(session, data: bytes) -> None:
    """Open a saved run."""
    session.take_over(session.reading(data)())


@PAGES
def test_a_link_to_a_trained_model_trains_up_to_the_step_of_the_link(page):
    async def script(learner):
        session = learner.session
        assert session.state is TrainingState.READY
        assert "5 steps" in learner.says.message[0]
        await session.play()
        await learner.over()
        assert (learner.scenario.steps_taken, session.state) == (5, TrainingState.PAUSED)
        assert numbers(learner.scenario) == by_hand(small(), 5)
        await session.play()
        await learner.over()
        assert (learner.scenario.steps_taken, session.state) == (12, TrainingState.DONE)

    played(script, page(small().trained(None, 5)))


@PAGES
def test_an_earlier_step_can_be_shown_and_play_continues_from_the_last_step(page):
    async def script(learner):
        session, start = learner.session, learner.scenario
        await session.play()
        await learner.until_step(8)
        await session.pause()
        at = session.run.step
        await session.show_step(2)
        assert learner.scenario.steps_taken == 2
        assert numbers(learner.scenario) == by_hand(start, 2)
        assert session.current is session.run
        await session.show_step(7777)
        assert learner.scenario.steps_taken == 2
        await session.show_step(None)
        assert numbers(learner.scenario) == by_hand(start, at)
        await session.show_step(0)
        await session.play()
        await learner.over()
        assert numbers(learner.scenario) == by_hand(start, 12)
        assert session.previous is None
        await session.show_step(3)  # a step without a test
        assert session.right is None or session.right[1] == 1

    played(script, page(small()))


@scripted(played, small)
async def test_statements_about_an_earlier_step_belong_to_that_step(learner):
    session = learner.session
    await session.play()
    await learner.over()
    run = session.run
    assert session.right == run.metrics.evaluations[-1][1:]
    await session.show_step(0)
    assert session.right is None
    await session.show_step(4)
    (known,) = [one for one in run.metrics.evaluations if one.step == 4]
    assert session.right == (known.correct, known.total)


def test_a_saved_run_continues_bit_for_bit():
    kept = []

    async def save(learner):
        for _ in range(5):
            await learner.session.step()
        step, data = await learner.session.save()
        assert step == 5
        kept.append(data)

    async def resume(learner):
        session = learner.session
        taken_up(session, kept[0])
        assert session.state is TrainingState.PAUSED
        assert learner.scenario.steps_taken == 5
        assert learner.scenario.settings == whole.settings
        assert learner.scenario.recipe == whole.recipe
        assert learner.scenario.training
        assert numbers(learner.scenario) == by_hand(whole, 5)
        await session.play()
        await learner.over()
        assert numbers(learner.scenario) == by_hand(whole, 12)
        assert session.run.metrics.start == 5

    whole = small(schedule="noam", clip=0.0, beta_2=0.95)
    whole = whole.with_setting("positions", "none").with_setting("seed", "9")
    whole = whole.with_training(True).with_setting("dropout.activation", "0.25")
    played(save, whole)
    played(resume, small())
    played(resume, on_app(small()))


def test_a_run_restored_from_a_tab_continues_bit_for_bit():
    """Another server restores the tab's last step; edited numbers remain edited."""
    kept = []

    async def train(learner):
        for _ in range(5):
            await learner.session.step()
        kept.append(to_json(learner.page.snapshots.take(), with_weights=True))
        await learner.session.play()
        await learner.over()
        kept.append(learner.scenario)
        of_all.append(curves(learner.session.run))

    async def go_on(learner):
        session = learner.session
        learner.page.snapshots.restore(from_json(kept[0]))
        assert session.state is TrainingState.PAUSED
        assert "is at step 5" in learner.says.message[0]
        assert learner.says.train_label == "Continue"
        assert learner.says.message[0].endswith("The moments before were not kept.")
        assert session.earlier == of_all[0].until(5)
        steps_of_undo = len(learner.page.history.past)
        await session.play()
        assert session.run.metrics.start == 5
        await learner.over()
        assert session.state is TrainingState.DONE
        assert numbers(learner.scenario) == numbers(kept[1])
        assert len(learner.page.history.past) == steps_of_undo
        # The curves are those of the whole run; after the reload, only part of them was known.
        assert curves(session.run) == of_all[0]

    of_all = []
    begun = small().with_value("source.W_e", (0, 0), 2)
    played(train, on_app(begun))
    played(go_on, AppState())


def test_curves_of_a_finished_run_are_restored_by_a_reload_and_shown_only_with_its_model():
    kept = []

    async def train(learner):
        await learner.session.play()
        await learner.over()
        kept.append(to_json(learner.page.snapshots.take(), with_weights=True))
        kept.append(curves(learner.session.run))
        await learner.session.show_step(4)
        kept.append(to_json(learner.page.snapshots.take(), with_weights=True))
        assert "curves" not in to_json(learner.page.snapshots.take())  # of a shared link

    async def look(learner):
        page, session = learner.page, learner.session
        page.snapshots.restore(from_json(kept[0]))
        assert session.state is TrainingState.TRAINED
        assert session.earlier == kept[1]
        view = CurvesView(page, session)
        view.show(True)
        assert "reload" not in "".join(view.curves.notes)  # a file or a link opens in the same way
        assert "not its earlier steps" in "".join(view.curves.notes)
        before = page.scenario
        await session.reset()
        assert session.earlier is None
        assert '"curves"' not in to_json(page.snapshots.take(), with_weights=True)
        page.undo()
        assert page.scenario == before
        page.snapshots.restore(from_json(kept[2]))  # a reload while an earlier step was shown
        assert session.earlier == kept[1].until(4)

    played(train, on_app(small()))
    played(look, AppState())


@pytest.mark.parametrize("change", ["recipe", "settings", "weights"])
def test_a_restored_run_ends_when_its_recipe_or_seed_or_weights_change(change):
    kept = []

    async def train(learner):
        await learner.session.step()
        kept.append(to_json(learner.page.snapshots.take(), with_weights=True))

    async def begin_anew(learner):
        page, session = learner.page, learner.session
        page.snapshots.restore(from_json(kept[0]))
        now = page.scenario
        changed = {
            "recipe": now.with_recipe(now.recipe.replace(batch=2)),
            "settings": now.with_setting("seed", "7"),
            "weights": now.trained(None, 0),
        }
        page.change(changed[change])
        assert session.state is not TrainingState.PAUSED
        assert "moments" not in to_json(page.snapshots.take(), with_weights=True)
        await session.step()
        assert session.run.metrics.start == 0

    played(train, on_app(small()))
    played(begin_anew, AppState())


@scripted(played, lambda: small(**ENDLESS))
async def test_opening_a_run_ends_the_run_that_plays(learner):
    session = learner.session
    await session.step()
    _, data = await session.save()
    await session.play()
    await learner.until_step(5)
    before = session.run
    taken_up(session, data)
    await learner.over()
    assert session.run is not before
    assert (session.state, learner.scenario.steps_taken) == (TrainingState.PAUSED, 1)
    assert numbers(learner.scenario) == by_hand(small(**ENDLESS), 1)
    at = before.step
    await session.step()
    assert (before.step, learner.scenario.steps_taken) == (at, 2)


@scripted(played, small)
async def test_a_run_of_other_pairs_or_none_is_refused_and_nothing_changes(learner):
    session, scenario = learner.session, learner.scenario
    with pytest.raises(ValueError, match="train it first"):
        await session.save()
    other = TrainingRun(TrainingPlan.of(small(WORDS, "word"))).trainer.save()
    for data in (other, b"not a run", b""):
        with pytest.raises(ValueError, match=r"\.$"):
            taken_up(session, data)
    assert learner.scenario is scenario
    assert session.run is None
    await session.step()
    before = session.run
    with pytest.raises(ValueError, match=r"\.$"):
        taken_up(session, other)
    assert session.run is before
