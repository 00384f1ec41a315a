"""What the buttons of the Learn tab do to a run, without a page."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

import numpy as np
import pytest
from tinkerformer.learning import TrainingQueue, TrainingRun, TrainingState
from tinkerformer.learning.controller import Environment
from tinkerformer.learning.session import TrainingSession

OWN = "".join(f"{a}{b},{b}{a}\n" for a in "abcd" for b in "abcd")


class Page:
    """A session with a small model, and what it said of itself."""

    def __init__(self) -> None:
        self.changes, self.new_runs = 0, 0

        async def run_in_thread(function):
            return await asyncio.get_running_loop().run_in_executor(None, function)

        environment = Environment(
            TrainingQueue(1), run_in_thread, contextlib.nullcontext, has_viewers=lambda: True
        )
        self.session = TrainingSession(environment, on_change=self._changed, on_new_run=self._began)
        for name, raw in (("d_model", "8"), ("heads", "2"), ("batch", "4"), ("warmup", "2")):
            self.session.settings = self.session.settings.changed(name, raw)

    def _changed(self) -> None:
        self.changes += 1

    def _began(self) -> None:
        self.new_runs += 1


def played(script: Callable[[Page], Awaitable[None]]) -> None:
    async def play() -> None:
        await script(Page())

    asyncio.run(play())


def test_a_run_that_has_not_begun_begins_with_the_settings_as_they_are():
    async def script(page: Page) -> None:
        session = page.session
        assert session.run.settings != session.settings
        await session.step()
        assert session.run.settings == session.settings
        assert (session.run.step, session.inspection.latest.step) == (1, 1)
        assert (page.new_runs, page.changes) == (1, 1)
        # One that has begun goes on with its own.
        session.settings = session.settings.changed("seed", "7")
        await session.step()
        assert (session.run.step, session.run.settings.seed) == (2, 0)
        await session.restart()
        assert (session.run.step, session.run.settings.seed) == (0, 7)

    played(script)


def test_playing_leaves_the_earlier_step_that_was_shown():
    async def script(page: Page) -> None:
        session = page.session
        await session.step()
        session.inspection.choose_step(0)
        await session.play()
        assert session.inspection.earlier is None
        assert session.controller.state is TrainingState.RUNNING
        await session.stop()
        assert session.run.metrics.evaluations[-1].total == 1000

    played(script)


def test_gradients_are_there_when_they_are_needed():
    async def script(page: Page) -> None:
        session, path = page.session, "decoder.0.cross_attn.W_q"
        await session.step()
        assert session.inspection.latest.trace[path].grad is None
        session.needs_gradients = True
        await session.step()
        assert np.abs(session.inspection.latest.trace[path].grad).max() > 0

    played(script)


def test_pairs_that_cannot_be_read_leave_the_run_as_it_was():
    async def script(page: Page) -> None:
        session = page.session
        await session.step()
        before = session.run
        with pytest.raises(ValueError, match="Line 1 has 1 column"):
            await session.use_pairs("ab\n")
        assert session.run is before
        await session.use_pairs(OWN)
        assert session.pairs.name != "dates"
        assert session.inspection.options[0] == session.inspection.example.text
        assert session.run.step == 0
        await session.use_pairs(None)
        assert session.pairs.name == "dates"

    played(script)


def test_what_the_settings_do_not_allow_is_one_sentence():
    async def script(page: Page) -> None:
        session = page.session
        await session.use_pairs("\n".join(f"{k:064},{k:064}" for k in range(20)))
        large = session.settings.changed("d_model", 64).changed("batch", 256)
        for side in ("encoder_layers", "decoder_layers"):
            large = large.changed(side, 3)
        session.settings = large.changed("heads", 8)
        before, changes = session.run, page.changes
        await session.restart()
        assert session.run is before
        assert "choose a smaller batch" in session.error
        assert page.changes == changes + 1

    played(script)


def test_a_saved_run_is_taken_up_again():
    async def script(page: Page) -> None:
        session = page.session
        await session.step()
        step, data = await session.save()
        assert step == 1
        kept = session.run.parameters()
        await session.restart()
        assert session.run.step == 0
        await session.resume(TrainingRun.from_file(data, session.pairs))
        assert session.run.step == 1
        for path, array in session.run.parameters().items():
            np.testing.assert_array_equal(array, kept[path])
        assert session.settings == session.run.settings

    played(script)


def test_another_example_is_computed_off_the_loop():
    async def script(page: Page) -> None:
        session = page.session
        await session.step()
        assert session.inspection.choose_example("1845-01-05")
        await session.recompute()
        assert session.inspection.shown.example.text == "1845-01-05"
        assert session.inspection.initial.step == 0

    played(script)
