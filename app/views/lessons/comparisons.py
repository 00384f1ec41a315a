"""The comparisons in a lesson's step: the state before a change, and after it."""

from contextlib import suppress

from ...inference.forward_pass import ForwardPassRunner
from ...lessons.changes import changed
from ...lessons.format import Changes, Compare
from ...scenario.scenario import Scenario
from ...session import open_lesson
from ...session.state import AppState
from .moving import look_at


class Comparisons:
    """Switches between the two states of each comparison of one step."""

    def __init__(self, state: AppState, start: Scenario, runner: ForwardPassRunner) -> None:
        """
        Args:
            state: the state of the page.
            start: the initial scenario of the step.
            runner: computes what a change leads to.
        """
        self._state = state
        self._start = start
        self._runner = runner
        self._afters: dict[int, Scenario] = {}  # by item: the state after its change

    def show(self, k: int, item: Compare, *, after: bool) -> None:
        """Show the state before a change, or after it with the former as pinned baseline."""
        state = self._state
        to = self._after(k, item) if after else self._start
        if state.scenario != to and not open_lesson.may_load(state, to):
            return
        if not after:
            state.baseline = None
        if state.scenario != to:
            open_lesson.load(state, to)
        if after:
            state.baseline = self._start
            look_at(state, item.change)

    def is_after(self, k: int, item: Compare) -> bool | None:
        """Whether the page shows the state after the change (True), before (False), or neither.

        The reader can also switch between them by undo, a reload or own edits.
        """
        now = self._state.scenario
        with suppress(KeyError, ValueError):
            after = self._after(k, item)
            if _is_same(now, self._start, item.change):
                return False
            if _is_same(now, after, item.change):
                return True
        return None

    def _after(self, k: int, item: Compare) -> Scenario:
        """The scenario after a comparison's change, computed once."""
        if k not in self._afters:
            self._afters[k] = changed(self._start, item.change, self._runner)
        return self._afters[k]


def _is_same(one: Scenario, other: Scenario, changes: Changes) -> bool:
    """Whether two scenarios are equal up to the display, unless the display is what changes."""
    if changes.plane and one.view.plane != other.view.plane:
        return False
    return one.has_numbers_of(other)
