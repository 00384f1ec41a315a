import asyncio

import pytest
from tinkerformer.learning import TrainingPlan, TrainingQueue, TrainingRun, controller
from tinkerformer.learning.controller import TrainingController

from tests.app.learner import ENDLESS, Machine, others, small, until
from tests.app.learner import one_step_a_slice as one_step_a_slice

pytestmark = pytest.mark.usefixtures("one_step_a_slice")


class Playing:
    """A run, its controller, and a count of drawings of the page."""

    def __init__(self, machine: Machine, **recipe) -> None:
        self.run = TrainingRun(TrainingPlan.of(small(**(recipe or ENDLESS))))
        self.slices, self.drawn = 0, 0
        self.controller = TrainingController(
            machine.environment, on_slice=self._on_slice, on_page=self._on_page
        )

    def _on_slice(self) -> None:
        self.slices += 1

    def _on_page(self) -> None:
        self.drawn += 1

    def play(self, until: int | None = None) -> None:
        self.controller.play(self.run, until)


def test_trainings_take_turns_in_the_order_of_arrival():
    queue = TrainingQueue(2)
    tickets = [queue.enter() for _ in range(4)]
    assert [ticket.is_admitted for ticket in tickets] == [True, True, False, False]
    assert [ticket.ahead for ticket in tickets] == [0, 1, 2, 3]
    tickets[0].release()
    tickets[0].release()
    assert [ticket.is_admitted for ticket in tickets[1:]] == [True, True, False]
    tickets[2].release()
    assert tickets[3].is_admitted
    with pytest.raises(ValueError, match="At least one"):
        TrainingQueue(0)


def test_people_take_turns_and_a_running_training_is_not_stopped_for_another_person():
    queue = TrainingQueue(1)
    first, second = queue.enter("a"), queue.enter("a")
    assert first.is_admitted
    assert not second.is_admitted
    other = queue.enter("b")
    assert (second.ahead, other.ahead) == (2, 1)
    first.release()
    assert other.is_admitted
    assert not second.is_admitted
    other.release()
    assert second.is_admitted
    # With two places, a third training waits, even for another person.
    queue = TrainingQueue(2)
    mine, again = queue.enter("a"), queue.enter("a")
    assert mine.is_admitted
    assert again.is_admitted
    other = queue.enter("b")
    assert not other.is_admitted
    assert again.is_admitted
    again.release()
    assert other.is_admitted
    # Trainings of unknown people count as different people.
    queue = TrainingQueue(1)
    tickets = [queue.enter(person) for person in ("", "", "a", "")]
    assert [ticket.ahead for ticket in tickets] == [0, 1, 2, 3]


async def test_requested_steps_are_not_taken_after_their_page_has_closed():
    machine = Machine()
    playing = Playing(machine)
    controller, run = playing.controller, playing.run
    steps = [asyncio.create_task(controller.step(run)) for _ in range(50)]
    await until(lambda: run.step > 0)
    controller.close()
    taken = run.step
    await asyncio.gather(*steps)
    assert run.step <= taken + 1  # the step under way


def three_steps_behind_another(machine):
    """Return the ticket of a run in progress, and a page with three steps waiting behind it."""
    before = machine.queue.enter()
    assert before.is_admitted
    playing = Playing(machine)
    step = playing.controller.step
    return before, playing, [asyncio.create_task(step(playing.run)) for _ in range(3)]


async def test_a_step_that_waits_for_its_turn_states_it():
    machine = Machine()
    before, playing, steps = three_steps_behind_another(machine)
    controller, run = playing.controller, playing.run
    await until(lambda: playing.drawn > 2)
    assert controller.is_active
    assert (controller.ahead, run.step) == (1, 0)
    assert len(machine.queue.tickets) == 2  # one ticket for all three steps
    before.release()
    await asyncio.gather(*steps)
    assert (controller.ahead, run.step) == (0, 3)
    assert not controller.is_active
    assert machine.queue.tickets == []


@pytest.mark.parametrize("end", ["drop_steps", "close", "leave"])
async def test_waiting_steps_are_canceled_when_the_page_leaves_or_stops(end):
    machine = Machine()
    before, playing, steps = three_steps_behind_another(machine)
    controller, run = playing.controller, playing.run
    await until(lambda: controller.ahead > 0)
    if end == "leave":
        machine.watched = False
    else:
        getattr(controller, end)()
    await asyncio.gather(*steps)
    assert (run.step, machine.queue.tickets) == (0, [before])
    assert not controller.is_active


async def test_the_time_of_a_run_includes_the_time_to_draw(monkeypatch):
    playing = Playing(Machine())
    monkeypatch.setattr(controller, "clock", Ticks())
    playing.play()
    await until(lambda: playing.run.step > 3)
    await playing.controller.stop()
    assert playing.run.seconds >= playing.run.step


class Ticks:
    """A clock that advances by a second at each reading."""

    now = 0

    def __call__(self) -> int:
        self.now += 1
        return self.now


@pytest.mark.parametrize(("goal", "reached"), [(None, 9), (4, 4), (9, 9), (0, 9)])
async def test_a_finished_run_frees_its_place(goal, reached):
    machine = Machine()
    playing = Playing(machine, steps=9)
    playing.play(goal or None)
    await until(lambda: not others())
    assert playing.run.step == reached
    assert machine.queue.tickets == []
    assert not playing.controller.is_active
    if reached == 9:
        playing.play()
        assert not others()


async def test_waiting_runs_know_their_place_in_the_queue():
    machine = Machine(slots=1)
    first, second, third = (Playing(machine) for _ in range(3))
    for playing in (first, second, third):
        playing.play()
    await until(lambda: third.controller.ahead == 2 and second.controller.ahead == 1)
    await until(lambda: first.run.step > 0)
    assert second.run.step == third.run.step == 0
    assert machine.training_now == 1
    await second.controller.stop()  # leaves the queue
    await until(lambda: third.controller.ahead == 1)
    await first.controller.stop()
    await until(lambda: third.run.step > 0)
    assert (third.controller.ahead, third.controller.is_active) == (0, True)
    third.controller.close()
    await until(lambda: not others())
    assert machine.queue.tickets == []


@pytest.mark.parametrize("waits", [False, True])
async def test_a_run_without_a_viewer_stops_or_leaves_the_queue(waits: bool):
    machine = Machine(slots=1)
    ticket = machine.queue.enter() if waits else None
    playing = Playing(machine)
    playing.play()
    if waits:
        await until(lambda: playing.controller.ahead == 1)
    else:
        await until(lambda: playing.run.step > 0)
    machine.watched = False
    await until(lambda: not others())
    if ticket:
        ticket.release()
    assert (machine.queue.tickets, machine.training_now) == ([], 0)


async def test_a_step_and_other_uses_of_a_run_wait_for_the_slice_under_way():
    """Only one thread at a time uses a run."""
    machine = Machine()
    playing = Playing(machine)
    playing.play()
    await until(lambda: playing.run.step > 0)
    steps = await asyncio.gather(
        *(playing.controller.run_exclusively(lambda: playing.run.step) for _ in range(5))
    )
    assert steps == sorted(steps)
    await playing.controller.stop()
    step = playing.run.step
    await asyncio.gather(*(playing.controller.step(playing.run) for _ in range(3)))
    assert playing.run.step == step + 3
    assert (machine.training_now, machine.most_threads) == (0, 1)


async def test_an_error_in_a_slice_frees_the_place():
    machine = Machine()
    playing = Playing(machine)

    def fail():
        raise RuntimeError("planted")

    playing.controller._on_slice = fail
    playing.play()
    (task,) = others()
    with pytest.raises(RuntimeError, match="planted"):
        await task
    assert (machine.queue.tickets, machine.training_now) == ([], 0)
    assert not playing.controller.is_active
