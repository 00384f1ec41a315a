import asyncio

import pytest
from tinkerformer.learning import TrainingPlan, TrainingQueue, TrainingRun, controller
from tinkerformer.learning.controller import TrainingController

from tests.app.learner import ENDLESS, Machine, others, small, until
from tests.app.learner import one_step_a_slice as one_step_a_slice

pytestmark = pytest.mark.usefixtures("one_step_a_slice")


class Playing:
    """A run, its controller, and how often the page was drawn."""

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


def test_turns_come_in_the_order_of_arrival():
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


def test_turns_are_of_people_and_nobody_who_trains_is_stopped_for_another():
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
    # Two run, and both go on when somebody comes: there is no third place.
    queue = TrainingQueue(2)
    mine, again = queue.enter("a"), queue.enter("a")
    assert mine.is_admitted
    assert again.is_admitted
    other = queue.enter("b")
    assert not other.is_admitted
    assert again.is_admitted
    again.release()
    assert other.is_admitted
    # People of whom nothing is known are not taken for one.
    queue = TrainingQueue(1)
    tickets = [queue.enter(person) for person in ("", "", "a", "")]
    assert [ticket.ahead for ticket in tickets] == [0, 1, 2, 3]


async def test_steps_that_were_asked_for_are_not_taken_when_their_page_has_gone():
    machine = Machine()
    playing = Playing(machine)
    controller, run = playing.controller, playing.run
    steps = [asyncio.create_task(controller.step(run)) for _ in range(50)]
    await until(lambda: run.step > 0)
    controller.close()
    taken = run.step
    await asyncio.gather(*steps)
    assert run.step <= taken + 1  # the one that was under way


def three_steps_behind_another(machine):
    """The place in the queue of who is at work, a page, and its steps."""
    before = machine.queue.enter()
    assert before.is_admitted
    playing = Playing(machine)
    step = playing.controller.step
    return before, playing, [asyncio.create_task(step(playing.run)) for _ in range(3)]


async def test_a_step_waits_for_its_turn_and_says_so():
    machine = Machine()
    before, playing, steps = three_steps_behind_another(machine)
    controller, run = playing.controller, playing.run
    await until(lambda: playing.drawn > 2)
    assert controller.is_active
    assert (controller.ahead, run.step) == (1, 0)
    assert len(machine.queue.tickets) == 2  # one place for all of them
    before.release()
    await asyncio.gather(*steps)
    assert (controller.ahead, run.step) == (0, 3)
    assert not controller.is_active
    assert machine.queue.tickets == []


@pytest.mark.parametrize("end", ["drop_steps", "close", "leave"])
async def test_steps_that_wait_are_given_up(end):
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


async def test_the_time_of_a_run_has_what_drawing_it_took(monkeypatch):
    playing = Playing(Machine())
    monkeypatch.setattr(controller, "clock", Ticks())
    playing.play()
    await until(lambda: playing.run.step > 3)
    await playing.controller.stop()
    assert playing.run.seconds >= playing.run.step


class Ticks:
    """A clock that goes on by a second at each reading."""

    now = 0

    def __call__(self) -> int:
        self.now += 1
        return self.now


@pytest.mark.parametrize(("goal", "reached"), [(None, 9), (4, 4), (9, 9), (0, 9)])
async def test_a_finished_run_gives_up_its_turn(goal, reached):
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


async def test_others_wait_and_know_their_place():
    machine = Machine(slots=1)
    first, second, third = (Playing(machine) for _ in range(3))
    for playing in (first, second, third):
        playing.play()
    await until(lambda: third.controller.ahead == 2 and second.controller.ahead == 1)
    await until(lambda: first.run.step > 0)
    assert second.run.step == third.run.step == 0
    assert machine.training_now == 1
    await second.controller.stop()  # gives its place up
    await until(lambda: third.controller.ahead == 1)
    await first.controller.stop()
    await until(lambda: third.run.step > 0)
    assert (third.controller.ahead, third.controller.is_active) == (0, True)
    third.controller.close()
    await until(lambda: not others())
    assert machine.queue.tickets == []


@pytest.mark.parametrize("waits", [False, True])
async def test_nobody_looks_any_more(waits: bool):
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


async def test_a_step_and_whatever_takes_its_time_wait_for_the_slice_under_way():
    """A run is used by one thread at a time."""
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


async def test_an_error_in_a_slice_gives_up_the_turn():
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
