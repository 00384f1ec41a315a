"""Pulling an answer: the smallest change of some numbers that gives it the wanted probability."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

from transformer_math.experiments import Pulled, Wish

from ..components.board.messages import PullMessage
from ..components.pull.pull import Pull
from ..experiments.free_numbers import EVERYTHING, choices, free_numbers
from ..experiments.pulling import PulledScenario, pulling
from ..explain.labels import axis_labels
from ..inference.forward_pass import ForwardPassRunner
from ..inference.writing import with_written_target
from ..matrices.address import PROBABILITIES
from ..matrices.attention import scopes
from ..runtime.background import LatestJob
from ..runtime.page_session import PageSession
from ..scenario.scenario import Scenario
from ..session.state import AppState
from ..typed_text import quoted

REFRESH_SECONDS = 1 / 30  # least time between two steps shown
NOTHING_SMALL = (
    "This model has no part that is small enough for its numbers to be moved one by one."
)
LEAST, MOST = 0.01, 0.99  # the range of probabilities that can be asked for


class Share(NamedTuple):
    """A probability or attention weight that is pulled.

    Attributes:
        path: the path of its tensor.
        cell: its row and column.
        said: its name for the reader.
    """

    path: str
    cell: tuple[int, int]
    said: str


def _written(
    steps: Iterator[PulledScenario], runner: ForwardPassRunner
) -> Iterator[PulledScenario]:
    """The same steps, each with the target that the model writes with its numbers."""
    for found in steps:
        scenario = found.scenario
        with suppress(ValueError):  # numbers too large to decode
            scenario = with_written_target(scenario, runner)
        yield found._replace(scenario=scenario)


class PullView:
    """Drag the bar of a word or an attention link: numbers change until it has the wanted value.

    Each share pulled before the result is kept adds a wish. Keeping the result turns the changes
    into edits, as one step of undo; otherwise all numbers return to their values.
    """

    def __init__(self, state: AppState, page: PageSession | None = None) -> None:
        self.state = state
        self.line = Pull(visible=False, value=EVERYTHING)
        self.line.on_press(self._on_press)
        self.line.param.watch(self._on_choice, ["value", "few"])
        self._job = LatestJob(page or PageSession())
        self._shows = False  # whether the pull itself is changing the page
        self._wishes: dict[Share, float] = {}
        self._seen: Scenario | None = None  # the scenario last shown by the pull
        state.param.watch(self._on_tried, "before_experiment")
        state.param.watch(self._on_scenario, "scenario")
        state.param.watch(self._on_selection, "selection")

    # -- from the user ---------------------------------------------------------------------------

    def pull_word(self, row: int, word: str, value: float) -> None:
        """Pull a word's probability, as the next word of a position, to a value."""
        words = self._base.output_vocabulary
        if word in words:
            self._pull(Share(PROBABILITIES, (row, words.index(word)), quoted(word)), value)

    def pull_link(self, message: PullMessage) -> None:
        """Pull the attention weight of a query and a key to a value."""
        scope, head, pair = message["scope"], message["head"], (message["query"], message["key"])
        base, path = self._base, f"{scope}.weights"
        shape = base.shape(path) if scope in scopes(self.state.trace) else None
        cell = (head, *pair)
        if shape is None or not all(0 <= at < n for at, n in zip(cell, shape, strict=True)):
            return
        listens, heard = (
            axis_labels(base.axis_tokens, path, axis, n)[at]
            for axis, n, at in zip(self.state.trace[path].dims, shape, cell, strict=True)
            if axis != "head"
        )
        said = f"“{listens or '∅'}” to “{heard or '∅'}” in head {head + 1}"
        self._pull(Share(f"{scope}.head.{head}.weights", pair, said), message["value"])

    @property
    def _base(self) -> Scenario:
        base: Scenario = self.state.before_experiment or self.state.scenario
        return base

    def _pull(self, share: Share, value: float) -> None:
        if self.state.experiment.may_begin():
            self._wishes[share] = min(max(value, LEAST), MOST)
            self._begin()

    def _on_choice(self, *_: Any) -> None:
        if self._wishes:
            self._begin()

    def _on_press(self, name: str) -> None:
        if name == "keep":
            self.state.experiment.keep()
        else:
            self.state.experiment.revert()
        self._end()  # even if nothing has changed yet

    def _on_selection(self, *_: Any) -> None:
        if self.line.visible:
            self._offer()

    def _on_tried(self, event: Any) -> None:
        """End the pull when it was kept or given up, here or by another action."""
        if event.new is None:
            self._end()

    def _on_scenario(self, event: Any) -> None:
        """End the pull when anything else changes the page, even if it has changed no number."""
        if self._wishes and event.new is not self._seen and not self._shows:
            self._end()

    def _end(self) -> None:
        self._job.cancel()
        self._wishes.clear()
        self.line.param.update(visible=False, few=False)  # reset the options for the next pull

    # -- the pull --------------------------------------------------------------------------------

    def _offer(self) -> None:
        """Offer the groups of numbers that may change, by the model and the selected cell."""
        selected = self.state.selection
        near = [] if selected is None else [(selected.path, selected.row)]
        near += [(of.path, of.cell[0]) for of in self._wishes]
        options = choices(self._base, near)
        names = [name for name, _ in options]
        value = self.line.value if self.line.value in names else next(iter(names), "")
        self.line.param.update(options=[[*option] for option in options], value=value)

    def _begin(self) -> None:
        self._offer()
        if not self.line.value:
            self._end()
            self.state.notice = NOTHING_SMALL
            return
        base, self._seen = self._base, self.state.scenario
        wishes = [Wish(of.path, of.cell, value) for of, value in self._wishes.items()]
        free = free_numbers(base, self.line.value)
        runner = ForwardPassRunner(beside=self.state.runner)  # not shared with other threads
        steps = pulling(runner, base, wishes, free, few=self.line.few)
        self.line.param.update(visible=True, shown=self._shown(None))
        self._job.stream(
            _written(steps, runner),
            partial(self._show_step, base),
            self._fail,
            seconds=REFRESH_SECONDS,
        )

    def _show_step(self, base: Scenario, step: PulledScenario) -> None:
        self._seen, self._shows = step.scenario, True
        try:
            self.state.experiment.show(step.scenario, base)
        finally:
            self._shows = False
        self.line.shown = self._shown(step.pulled)

    def _fail(self, why: str) -> None:
        """Undo a pull that cannot begin, and say why."""
        self.state.experiment.revert()
        self._end()
        self.state.notice = why

    def _shown(self, pulled: Pulled | None) -> dict[str, str]:
        asked = [f"{of.said} to {value:.2f}" for of, value in self._wishes.items()]
        shown = {"wish": f"Pulling {' and '.join(asked)}", "cost": "", "tone": "busy"}
        if pulled is None:
            return shown
        now = " and ".join(f"{p:.2f}" for p in pulled.reached)
        cost = (
            f"{pulled.moved:,} numbers moved, the largest by {pulled.largest:.2f}; "
            f"distance {pulled.distance:.2f}"
        )
        if pulled.granted:
            both = " Each takes from the other: training is thousands of pulls together."
            return {**shown, "cost": f"{cost}.{both if len(asked) > 1 else ''}", "tone": "granted"}
        if pulled.ended:
            why = {
                "independent": "It does not depend on these numbers at all.",
                "contradiction": f"Together they are more than 1, so they cannot be: now {now}.",
            }.get(
                pulled.ending, f"Not found, in {pulled.way + 1} ways tried; the nearest is {now}."
            )
            others = "" if self.line.value == EVERYTHING else " Let others move."
            return {**shown, "cost": f"{why}{others}", "tone": "refused"}
        way = f"Way {pulled.way + 1}, " if pulled.way else ""
        return {**shown, "cost": f"{way}now {now}: {cost}"}
