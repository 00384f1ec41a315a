"""A page that trains a small model, in threads and turns that the test controls.

Nothing depends on the time: a slice is one step, and the page continues when the test lets it.
"""

import asyncio
import contextlib
import dataclasses
import functools
import inspect
from collections.abc import Awaitable, Callable, Collection
from typing import Any

import pytest
from tinkerformer.files import catalog
from tinkerformer.learning import TrainingPlan, TrainingQueue, TrainingSession, controller
from tinkerformer.learning.controller import Environment
from tinkerformer.model.scenario.edits import Edit
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.model.scenario.training_data import TrainingData
from tinkerformer.model.scenario.weights import Weights
from tinkerformer.session import state as state_module
from tinkerformer.session.state import AppState
from tinkerformer.view_model.learning import Learning

from transformer_math import Trainer

TEXT = "".join(f"{a}{b},{b}{a}\n" for a in "abcd" for b in "abcd")
WORDS = "".join(f"{a} {b},{b} {a}\n" for a in ("red", "blue", "green") for b in ("up", "down"))


def small(text: str = TEXT, unit: Any = "character", **recipe: Any) -> Scenario:
    """Return a model for own pairs that is so small that a training step takes almost no time."""
    scenario = catalog.of_pairs(TrainingData("own", text, unit))
    for name, raw in (("heads", "2"), ("d_model", "8")):
        scenario = scenario.with_setting(name, raw)
    steps = {"steps": 12, "warmup": 2, "batch": 4, **recipe}
    return scenario.with_recipe(scenario.recipe.replace(**steps))


ENDLESS: dict[str, Any] = {"steps": 5000, "batch": 1}


class FakePage:
    """The part of a page that a training run uses."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.past: list[Scenario] = []
        self.learning = False
        self.notice = ""
        self.moments = self.curves = self.curves_of = self.repeated = self.training = None
        self.given: list[int] = []  # the training steps of the weights that the page received

    def change(self, scenario: Scenario, of: object = None) -> None:
        self.past.append(self.scenario)
        self.scenario = scenario

    def replace_weights(
        self, weights: Weights | None, steps: int, without: Collection[Edit] = ()
    ) -> None:
        self.given.append(steps)
        self.scenario = self.scenario.trained(weights, steps, without)


class Machine:
    """An environment of training runs that counts the runs and the threads."""

    def __init__(self, slots: int = 1) -> None:
        self.queue = TrainingQueue(slots)
        self.training_now = 0
        self.watched = True
        self.threads = self.most_threads = 0  # threads now at work, and the most at once

    async def run_in_thread(self, function: Callable[[], Any]) -> Any:
        self.threads += 1
        self.most_threads = max(self.most_threads, self.threads)
        await asyncio.sleep(0)
        try:
            return function()
        finally:
            self.threads -= 1
            await asyncio.sleep(0)

    async def on_page(self, change: Callable[[], None]) -> None:
        await asyncio.sleep(0)
        change()

    @contextlib.contextmanager
    def training(self):
        self.training_now += 1
        try:
            yield
        finally:
            self.training_now -= 1

    @property
    def environment(self) -> Environment:
        return Environment(
            self.queue,
            self.run_in_thread,
            self.on_page,
            self.training,
            has_viewers=lambda: self.watched,
        )


class Learner:
    """A page, its training, and how often the training reported a change."""

    def __init__(self, page: Any, machine: Machine | None = None) -> None:
        self.page = page
        self.machine = machine or Machine()
        self.session = TrainingSession(page, self.machine.environment)
        self.told = 0
        self.session.listen(self._hear)

    def _hear(self) -> None:
        self.told += 1

    @property
    def scenario(self) -> Scenario:
        return self.page.scenario

    @property
    def says(self) -> Learning:
        return Learning(self.scenario, self.session.training)

    async def until_step(self, step: int) -> None:
        await until(lambda: self.session.run is not None and self.session.run.step >= step)

    async def over(self) -> None:
        await until(lambda: not others())


def others() -> set[asyncio.Task[Any]]:
    """Return the tasks other than the test's own."""
    return asyncio.all_tasks() - {asyncio.current_task()}


async def until(condition: Callable[[], bool], turns: int = 100_000) -> None:
    for _ in range(turns):
        if condition():
            return
        await asyncio.sleep(0)
    raise AssertionError("The condition never became true.")


@pytest.fixture
def one_step_a_slice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the page continue after every step, and find the written text only at the end."""
    monkeypatch.setattr(controller, "SLICE_SECONDS", 0.0)
    monkeypatch.setattr(controller, "QUEUE_POLL_SECONDS", 0.0)
    monkeypatch.setattr(state_module, "WRITTEN_SECONDS", float("inf"))


def played(script: Callable[[Learner], Awaitable[None]], page: Any) -> Learner:
    """Run a script on a page, or on a fake page with a scenario, and return its learner."""
    learner = Learner(FakePage(page) if isinstance(page, Scenario) else page)

    async def play() -> None:
        await script(learner)
        learner.session.controller.close()
        await asyncio.wait(others(), timeout=10) if others() else None

    asyncio.run(play())
    return learner


def scripted(play: Callable[..., object], *of: Callable[[], Any]) -> Callable[..., Any]:
    """Turn a script into a test: ``play`` runs it on the results of ``of``, with fixtures."""

    def as_test(script: Callable[..., Awaitable[None]]) -> Callable[..., None]:
        @functools.wraps(script)
        def test(**fixtures: Any) -> None:
            play(functools.partial(script, **fixtures), *(make() for make in of))

        _, *rest = inspect.signature(script).parameters.values()
        test.__signature__ = inspect.Signature(rest)  # type: ignore[attr-defined]
        return test

    return as_test


def on_app(scenario: Scenario) -> AppState:
    """Return a page's state with this scenario."""
    return AppState(dataclasses.replace(scenario))


PAGES = pytest.mark.parametrize("page", [lambda s: s, on_app], ids=["made up", "state"])


def numbers(scenario: Scenario) -> dict[str, bytes]:
    assert scenario.weights is not None
    return {path: array.tobytes() for path, array in scenario.weights.arrays.items()}


def by_hand(scenario: Scenario, steps: int) -> dict[str, bytes]:
    """Return the parameters after ``steps`` steps of a trainer of transformer_math."""
    return bits(trained(scenario, steps))


def trained(scenario: Scenario, steps: int) -> Trainer:
    """Return a trainer of transformer_math after ``steps`` steps."""
    plan = TrainingPlan.of(scenario)
    trainer = Trainer(plan.model(), plan.data.pairs(), plan.recipe)
    for _ in range(steps):
        next(trainer)
    return trainer


def bits(trainer: Trainer) -> dict[str, bytes]:
    return {path: array.tobytes() for path, array in trainer.parameters().items()}
