"""The queue and the player, with a world that is there for the test alone."""

from __future__ import annotations

import asyncio
import contextlib
import time

import pytest
from tinkerformer.learning import LearnSettings, Player, Queue, Run, State
from tinkerformer.learning.texts import message

from transformer_math.data.pairs import read_csv

OWN = read_csv("".join(f"{a}{b},{b}{a}\n" for a in "abcd" for b in "abcd"))
ENDLESS = LearnSettings(d_model=4, heads=1, steps=5000, warmup=2, batch=1)


class World:
    """Counts who trains, and who looks."""

    def __init__(self, most: int = 1) -> None:
        self.queue = Queue(most)
        self.training_now = 0
        self.watched = True

    async def off_loop(self, function, *args):
        return await asyncio.get_running_loop().run_in_executor(None, function, *args)

    @contextlib.contextmanager
    def training(self):
        self.training_now += 1
        try:
            yield
        finally:
            self.training_now -= 1

    def player(self, settings: LearnSettings = ENDLESS) -> Player:
        return Player(
            Run(settings, OWN),
            queue=self.queue,
            off_loop=self.off_loop,
            training=self.training,
            is_watched=lambda: self.watched,
            look=lambda: None,
            tell=lambda: None,
        )


async def until(condition, seconds: float = 20.0) -> float:
    start = time.monotonic()
    while not condition():
        assert time.monotonic() - start < seconds, "It never came to that."
        await asyncio.sleep(0.005)
    return time.monotonic() - start


def test_turns_come_in_the_order_of_arrival():
    queue = Queue(2)
    turns = [queue.enter() for _ in range(4)]
    assert [turn.has_come for turn in turns] == [True, True, False, False]
    assert [turn.before for turn in turns] == [0, 1, 2, 3]
    turns[0].end()
    turns[0].end()
    assert [turn.has_come for turn in turns[1:]] == [True, True, False]
    turns[2].end()
    assert turns[3].has_come
    with pytest.raises(ValueError, match="At least one"):
        Queue(0)


def test_a_run_plays_pauses_and_goes_on():
    async def play():
        world = World()
        player = world.player()
        assert player.state is State.READY
        player.play()
        assert player.state is State.RUNNING
        await until(lambda: player.run.step > 3)
        player.pause()
        assert await until(lambda: not player.is_active) < 1
        assert player.state is State.PAUSED
        assert (world.queue.turns, world.training_now) == ([], 0)
        step = player.run.step
        await asyncio.sleep(0.15)
        assert player.run.step == step
        player.play()
        await until(lambda: player.run.step > step)
        player.close()
        await until(lambda: not player.is_active)

    asyncio.run(play())


def test_it_is_done_by_itself_and_lets_go():
    async def play():
        world = World()
        player = world.player(LearnSettings(d_model=4, heads=1, steps=9, warmup=2, batch=1))
        player.play()
        await until(lambda: not player.is_active)
        assert player.state is State.DONE
        assert world.queue.turns == []
        player.play()
        assert not player.is_active

    asyncio.run(play())


def test_others_wait_and_are_told_their_place():
    async def play():
        world = World(most=1)
        first, second, third = (world.player() for _ in range(3))
        for player in (first, second, third):
            player.play()
        await until(lambda: third.before == 2 and second.before == 1)
        assert (second.state, third.state) == (State.WAITING, State.WAITING)
        assert message(third.run, third.state, third.before)[0].startswith("2 trainings are before")
        assert second.run.step == 0
        assert world.training_now == 1
        second.pause()  # gives its place up
        await until(lambda: third.before == 1)
        assert second.state is State.READY
        first.pause()
        assert await until(lambda: third.run.step > 0) < 1
        assert third.state is State.RUNNING
        third.close()
        await until(lambda: not third.is_active)
        assert world.queue.turns == []

    asyncio.run(play())


@pytest.mark.parametrize("waits", [False, True])
def test_nobody_looks_any_more(waits: bool):
    async def play():
        world = World(most=1)
        turn = world.queue.enter() if waits else None
        player = world.player()
        player.play()
        if not waits:
            await until(lambda: player.run.step > 0)
        else:
            await until(lambda: player.state is State.WAITING)
        world.watched = False
        assert await until(lambda: not player.is_active) < 1
        if turn:
            turn.end()
        assert (world.queue.turns, world.training_now) == ([], 0)
        rest = asyncio.all_tasks() - {asyncio.current_task()}
        assert not rest

    asyncio.run(play())


def test_another_run_is_taken_when_the_slice_under_way_is_over():
    async def play():
        world = World()
        player = world.player()
        player.play()
        await until(lambda: player.run.step > 0)
        old, new = player.run, Run(ENDLESS, OWN)
        await player.load(new)
        assert player.run is new
        assert player.state is State.READY
        step = old.step
        await asyncio.sleep(0.15)
        assert old.step == step
        assert new.step == 0

    asyncio.run(play())


def test_a_diverged_run_says_so_and_stays():
    async def play():
        world = World()
        player = world.player()
        player.run.trainer._packed.flat[:] = float("nan")
        player.run.advance()
        assert player.state is State.DIVERGED
        sentence, tone = message(player.run, player.state, 0)
        assert "no longer a finite number" in sentence
        assert tone == "bad"
        player.play()
        assert not player.is_active

    asyncio.run(play())
