import asyncio

import numpy as np
import pytest
from tinkerformer.files import catalog
from tinkerformer.learning import TrainingState, controller
from tinkerformer.learning.pace import (
    BEHIND,
    LONGEST,
    SECONDS,
    Schedule,
    moments,
    place,
    seconds,
    step_at,
)
from tinkerformer.model.scenario.silences import Silence

from tests.app.learner import (
    Learner,
    by_hand,
    numbers,
    on_app,
    others,
    played,
    scripted,
    small,
    until,
)


class FakeTime:
    """A clock that only sleeping and training steps move."""

    def __init__(self) -> None:
        self.now = 0.0

    def clock(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += max(seconds, 1e-4)
        await asyncio.sleep(0)


@pytest.fixture
def time(monkeypatch) -> FakeTime:
    fake = FakeTime()
    monkeypatch.setattr(controller, "clock", fake.clock)
    monkeypatch.setattr(controller, "sleep", fake.sleep)
    monkeypatch.setattr(controller, "SLICE_SECONDS", 0.0)
    monkeypatch.setattr(controller, "QUEUE_POLL_SECONDS", 0.0)
    return fake


def shown(**recipe):
    """Return a scenario whose run has 200 steps."""
    return small(**{"steps": 200, "batch": 1, **recipe})


# -- the time of a step ---------------


@pytest.mark.parametrize("steps", [1, 12, 600, 1000, 5000])
def test_places_and_steps_are_inverse_functions_between_0_and_the_end(steps):
    assert (place(0, steps), place(steps, steps)) == (0, 1)
    for step in (0, 1, steps / 3, steps):
        assert step_at(place(step, steps), steps) == pytest.approx(step)


def test_the_first_hundred_steps_of_the_phrases_take_four_tenths_of_the_time():
    assert seconds("slow", 1000) == SECONDS["slow"] == 25
    assert seconds("slow", 1000) * place(100, 1000) == pytest.approx(10.4, abs=0.1)
    assert seconds("full", 1000) == 0


def test_the_time_of_a_step_falls_smoothly_and_is_limited():
    at = np.array([seconds("slow", 1000) * place(step, 1000) for step in range(1001)])
    times = np.diff(at)
    assert times[0] <= LONGEST
    assert (np.diff(times) < 0).all()
    assert (times[1:] / times[:-1]).min() > 0.95
    assert seconds("slow", 12) < 12 * LONGEST


@pytest.mark.parametrize("steps", [1, 12, 119, 120, 1000, 5000])
def test_moments_are_few_and_include_the_first_and_the_last_step(steps):
    found = moments(steps, 120)
    assert (found[0], found[-1]) == (0, steps)
    assert len(found) <= 120
    assert found == sorted(set(found))


def test_a_schedule_gives_the_time_of_each_step():
    schedule = Schedule("slow", 1000, 0, now=7.0)
    assert schedule.due(7.0) == 0
    at = 7.0
    for step in range(1000):
        wait = schedule.wait(step, at)
        assert wait > 0
        assert schedule.due(at + 0.9 * wait) == step
        at += wait
        assert schedule.due(at) == step + 1
    assert at == pytest.approx(7 + 25)
    assert schedule.left(0) == 25
    assert schedule.left(1000) == 0
    assert schedule.due(1e9) == 1000


def test_a_run_that_was_delayed_for_long_does_not_catch_up():
    schedule = Schedule("slow", 1000, 100, now=0.0)
    wait = schedule.wait(100, 0.0)
    schedule.keep(101, wait + BEHIND / 2)  # a short delay is caught up
    assert schedule.wait(101, wait + BEHIND / 2) < 0
    schedule.keep(101, 60.0)  # a long delay
    assert schedule.due(60.0) == 101
    assert schedule.wait(101, 60.0) > 0


# -- a run at a pace -------------------


@scripted(played, shown)
async def test_a_slow_run_takes_the_time_of_its_pace_and_has_the_same_numbers(learner, time):
    start = learner.scenario
    await learner.session.play(as_shown=True)
    await learner.over()
    assert learner.session.state is TrainingState.DONE
    assert numbers(learner.scenario) == by_hand(start, 200)
    assert time.now == pytest.approx(seconds("slow", 200), rel=0.05)
    # The first steps are shown one by one.
    given = learner.page.given
    assert given[:10] == [*range(1, 11)]
    assert given == sorted(given)


@scripted(played, shown)
async def test_programs_and_lessons_train_at_full_speed(learner, time):
    await learner.session.train(50)
    await learner.over()
    await learner.session.play()
    await learner.over()
    assert learner.scenario.steps_taken == 200
    assert time.now == 0


@scripted(played, shown)
async def test_the_pace_changes_while_it_learns(learner, time):
    await learner.session.play(as_shown=True)
    await learner.until_step(5)
    schedule, before = learner.session.controller.schedule, time.now
    assert schedule.pace == "slow"
    learner.page.change(learner.scenario.with_view("pace", "full"))
    await learner.over()
    assert learner.scenario.steps_taken == 200
    assert time.now - before < 1
    assert learner.session.controller.schedule is None


@pytest.mark.parametrize("looks_back", [False, True])
@scripted(played, shown)
async def test_a_slow_run_stops_at_once_and_continues_from_its_last_step(learner, time, looks_back):
    session, start = learner.session, learner.scenario
    await session.play(as_shown=True)
    await learner.until_step(20 if looks_back else 4)
    await (session.show_step(7) if looks_back else session.pause())
    at = session.run.step
    assert session.state is TrainingState.PAUSED
    assert not others()
    if looks_back:
        assert learner.scenario.steps_taken == 7
        assert numbers(learner.scenario) == by_hand(start, 7)
    else:
        await session.step()
        assert session.run.step == at + 1
    await session.play(as_shown=True)
    await learner.over()
    assert numbers(learner.scenario) == by_hand(start, 200)


@scripted(played, lambda: on_app(shown()))
async def test_a_weight_set_during_training_is_trained_on_and_a_silenced_part_stays_silenced(
    learner, time
):
    page, session = learner.page, learner.session
    await session.play(as_shown=True)
    await learner.until_step(4)
    page.change(page.scenario.with_value("source.W_e", (0, 0), 3.0))
    head = Silence("encoder.0.self_attn.head.0.context", None, None, "zero")
    page.change(page.scenario.with_silence(head))
    run = session.run
    at = run.step
    await learner.until_step(at + 10)
    assert session.state is TrainingState.RUNNING
    assert session.run is run
    now = page.trace["source.W_e"].value[0, 0]
    assert 2.0 < now < 4.0
    assert now != 3.0
    assert page.scenario.silences
    assert (page.trace["encoder.0.self_attn.context"].value[0] == 0).all()
    assert not page.scenario.edits


@scripted(played, shown)
async def test_a_slow_run_frees_its_place_between_steps(learner, time):
    """With one place, another run trains at full speed while this run waits between steps."""
    machine = learner.machine
    other = Learner(learner.page.__class__(shown()), machine)
    await learner.session.play(as_shown=True)
    await learner.until_step(2)
    await other.session.play()
    await until(lambda: other.session.state is TrainingState.DONE)
    assert learner.session.run.step < 200
    assert learner.session.controller.is_active
    await learner.over()
    assert learner.session.state is TrainingState.DONE


@scripted(played, shown)
async def test_a_slow_run_reports_only_long_waits(learner, time):
    session, machine = learner.session, learner.machine
    await session.play(as_shown=True)
    await learner.until_step(2)
    ticket = machine.queue.enter()
    await until(lambda: len(machine.queue.tickets) == 2)  # its next step is due
    begin = time.now
    assert session.state is TrainingState.RUNNING
    await until(lambda: session.state is TrainingState.WAITING)
    assert time.now - begin >= controller.PATIENCE_SECONDS - 0.1
    ticket.release()
    await until(lambda: session.state is TrainingState.RUNNING)
    await session.pause()


@scripted(played, shown)
async def test_a_slow_run_stops_when_its_page_has_no_viewer(learner, time):
    await learner.session.play(as_shown=True)
    await learner.until_step(2)
    learner.machine.watched = False
    await learner.over()
    assert learner.session.run.step < 10


@scripted(played, shown)
async def test_the_remaining_time_is_the_time_of_the_pace(learner, time):
    session = learner.session
    await session.play(as_shown=True)
    await learner.until_step(2)
    left = seconds("slow", 200) * (1 - place(session.run.step, 200))
    assert session.seconds_left == pytest.approx(left, abs=LONGEST)
    await session.pause()


def test_the_pace_is_a_setting_of_the_view_and_not_of_the_model():
    scenario = catalog.first("phrases")
    fast = scenario.with_view("pace", "fast")
    assert fast.structure_key == scenario.structure_key
    with pytest.raises(ValueError, match="pace"):
        scenario.with_view("pace", "tomorrow")
