"""The queue and the controller, with threads and viewers that are there for the test alone."""

from __future__ import annotations

import asyncio
import contextlib
import time

import pytest
from tinkerformer.learning import (
    TrainingController,
    TrainingQueue,
    TrainingRun,
    TrainingSettings,
    TrainingState,
)
from tinkerformer.learning.controller import Environment
from tinkerformer.learning.texts import status_message

from transformer_math.data.pairs import read_csv

OWN = read_csv("".join(f"{a}{b},{b}{a}\n" for a in "abcd" for b in "abcd"))
ENDLESS = TrainingSettings(d_model=4, heads=1, steps=5000, warmup=2, batch=1)


class Machine:
    """Counts who trains, and who looks."""

    def __init__(self, slots: int = 1) -> None:
        self.queue = TrainingQueue(slots)
        self.training_now = 0
        self.watched = True

    async def run_in_thread(self, function):
        return await asyncio.get_running_loop().run_in_executor(None, function)

    @contextlib.contextmanager
    def training(self):
        self.training_now += 1
        try:
            yield
        finally:
            self.training_now -= 1

    def controller(self, settings: TrainingSettings = ENDLESS) -> TrainingController:
        return TrainingController(
            TrainingRun(settings, OWN),
            Environment(
                self.queue, self.run_in_thread, self.training, has_viewers=lambda: self.watched
            ),
            on_slice=lambda: None,
            on_change=lambda: None,
        )


def playing() -> bool:
    """Whether a task beside the test's own is there."""
    return len(asyncio.all_tasks()) > 1


async def until(condition, seconds: float = 20.0) -> float:
    start = time.monotonic()
    while not condition():
        assert time.monotonic() - start < seconds, "It never came to that."
        await asyncio.sleep(0.005)
    return time.monotonic() - start


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


def test_a_run_plays_pauses_and_goes_on():
    async def play():
        machine = Machine()
        controller = machine.controller()
        assert controller.state is TrainingState.READY
        controller.play()
        assert controller.state is TrainingState.RUNNING
        await until(lambda: controller.run.step > 3)
        controller.pause()
        assert await until(lambda: not playing()) < 1
        assert controller.state is TrainingState.PAUSED
        assert (machine.queue.tickets, machine.training_now) == ([], 0)
        step = controller.run.step
        await asyncio.sleep(0.15)
        assert controller.run.step == step
        controller.play()
        await until(lambda: controller.run.step > step)
        controller.close()
        await until(lambda: not playing())

    asyncio.run(play())


def test_before_the_first_check_the_message_names_its_step():
    run = TrainingRun(TrainingSettings(d_model=4, heads=1, steps=90, warmup=2, batch=1), OWN)
    assert status_message(run, TrainingState.READY, 0)[0].startswith("The weights are random")
    run.advance()
    sentence = "The first check on held-out pairs comes at step 3."
    assert status_message(run, TrainingState.PAUSED, 0) == (sentence, "")
    for _ in range(2):
        run.advance()
    message, _ = status_message(run, TrainingState.PAUSED, 0)
    assert message.endswith("right after 3 steps.")


def test_it_is_done_by_itself_and_lets_go():
    async def play():
        machine = Machine()
        controller = machine.controller(
            TrainingSettings(d_model=4, heads=1, steps=9, warmup=2, batch=1)
        )
        controller.play()
        await until(lambda: not playing())
        assert controller.state is TrainingState.DONE
        assert machine.queue.tickets == []
        controller.play()
        assert not playing()

    asyncio.run(play())


def test_others_wait_and_know_their_place():
    async def play():
        machine = Machine(slots=1)
        first, second, third = (machine.controller() for _ in range(3))
        for controller in (first, second, third):
            controller.play()
        await until(lambda: third.ahead == 2 and second.ahead == 1)
        assert (second.state, third.state) == (TrainingState.WAITING, TrainingState.WAITING)
        assert status_message(third.run, third.state, third.ahead)[0].startswith(
            "2 trainings are before"
        )
        assert second.run.step == 0
        assert machine.training_now == 1
        second.pause()  # gives its place up
        await until(lambda: third.ahead == 1)
        assert second.state is TrainingState.READY
        first.pause()
        assert await until(lambda: third.run.step > 0) < 1
        assert third.state is TrainingState.RUNNING
        third.close()
        await until(lambda: not playing())
        assert machine.queue.tickets == []

    asyncio.run(play())


@pytest.mark.parametrize("waits", [False, True])
def test_nobody_looks_any_more(waits: bool):
    async def play():
        machine = Machine(slots=1)
        ticket = machine.queue.enter() if waits else None
        controller = machine.controller()
        controller.play()
        if not waits:
            await until(lambda: controller.run.step > 0)
        else:
            await until(lambda: controller.state is TrainingState.WAITING)
        machine.watched = False
        assert await until(lambda: not playing()) < 1
        if ticket:
            ticket.release()
        assert (machine.queue.tickets, machine.training_now) == ([], 0)
        rest = asyncio.all_tasks() - {asyncio.current_task()}
        assert not rest

    asyncio.run(play())


def test_another_run_is_taken_when_the_slice_under_way_is_over():
    async def play():
        machine = Machine()
        controller = machine.controller()
        controller.play()
        await until(lambda: controller.run.step > 0)
        old, new = controller.run, TrainingRun(ENDLESS, OWN)
        await controller.load(new)
        assert controller.run is new
        assert controller.state is TrainingState.READY
        step = old.step
        await asyncio.sleep(0.15)
        assert old.step == step
        assert new.step == 0

    asyncio.run(play())


def test_a_diverged_run_says_so_and_stays():
    async def play():
        machine = Machine()
        controller = machine.controller()
        controller.run.trainer._vector.flat[:] = float("nan")
        controller.run.advance()
        assert controller.state is TrainingState.DIVERGED
        sentence, tone = status_message(controller.run, controller.state, 0)
        assert "no longer a finite number" in sentence
        assert tone == "bad"
        controller.play()
        assert not playing()

    asyncio.run(play())
