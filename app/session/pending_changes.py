"""Changes to a large model whose forward pass is still being computed.

The pass of a large model would block all pages of the process, so it runs in a thread while the
page keeps showing the last result; of one drag only the newest value is computed. A small model is
computed inline, because starting a thread would take longer than its pass.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple, Protocol

from ..inference import cost
from ..inference.forward_pass import ForwardPassRunner
from ..inference.writing import with_written_target
from ..scenario.edits import frozen
from ..scenario.scenario import Scenario

WAIT = "The change before this one is still being computed: this one was not made."


class Background(Protocol):
    """Runs one computation in the background, like ``runtime.background.LatestJob``."""

    def run(
        self,
        compute: Callable[[Callable[[], None]], Any],
        show: Callable[[Any], None],
        fail: Callable[[str], None],
        *,
        is_large: bool = False,
    ) -> bool:
        """Compute a result and then show it."""

    def cancel(self) -> None:
        """Cancel the running computation and the waiting one."""


class Change(NamedTuple):
    """A requested scenario; ``of`` and ``press`` are those of `UndoHistory.record`.

    Attributes:
        is_step: whether the change is an undo step; False for undo and redo themselves.
        since: the scenario it replaces, if that is not the one shown or requested before it.
        at: when it was requested, in seconds; None for now.
    """

    scenario: Scenario
    of: Hashable = None
    press: int = 0
    is_step: bool = True
    since: Scenario | None = None
    at: float | None = None


class Arrived(NamedTuple):
    """A computed result.

    Attributes:
        changes: the requested changes since what is shown, the last of them computed.
        scenario: the last requested scenario, with the target that its model generates.
        runner: the runner that holds its pass.
    """

    changes: Sequence[Change]
    scenario: Scenario
    runner: ForwardPassRunner


class PendingChanges:
    """Requested changes that are not shown yet.

    Attributes:
        changes: all of them, the newest last.
    """

    def __init__(
        self,
        background: Background,
        runner: ForwardPassRunner,
        arrive: Callable[[Arrived], None],
        refuse: Callable[[str], None],
        tell: Callable[[bool], None],
    ) -> None:
        """
        Args:
            background: runs the passes.
            runner: the page's forward-pass runner.
            arrive: shows a computed result.
            refuse: takes the sentence that says why something could not be computed.
            tell: is called with whether any change is pending.
        """
        self.changes: list[Change] = []
        self._background, self._runner = background, runner
        self._arrive, self._refuse, self._tell = arrive, refuse, tell
        self._count = 0  # how many of `changes` the running computation covers

    def take(self, shown: Scenario, change: Change) -> bool:
        """Compute a change, in the background if its pass is expensive.

        A change to another model, or a newer value of the same slider, replaces the pending one.
        Edits of cells accumulate on pending edits. Any other change is refused while one is
        pending.

        Args:
            shown: the scenario that is shown and that the change was made from.
            change: the requested change.

        Returns:
            Whether the result arrives later; if not, the caller shows it immediately.

        Raises:
            ValueError: the change is refused; the message is one sentence.
        """
        is_other = change.scenario.model != shown.model
        if self.changes and not is_other:
            change = self._on_top(shown, change)
        elif not cost.is_large(change.scenario) or is_only_drawn(shown, change.scenario):
            self.cancel()
            return False
        else:
            self.cancel()
        if len(self.changes) > self._count and _is_same(self.changes[-1], change):
            self.changes.pop()
        self.changes.append(change)
        if not self._count:
            self._tell(True)
            self._begin()
        return True

    def cancel(self) -> None:
        """Cancel all pending changes."""
        self._background.cancel()
        self._end()

    def are_numbers(self, shown: Scenario) -> bool:
        """Whether only cell edits are pending, so that further edits can be added."""
        return not self.changes or _edits_alone(shown, self.changes[-1].scenario)

    def _on_top(self, shown: Scenario, change: Change) -> Change:
        last = self.changes[-1]
        edits = _edits_alone(shown, last.scenario), _edits_alone(shown, change.scenario)
        if not all(edits):
            if _is_same(last, change):
                return change
            raise ValueError(WAIT)
        before, after = shown.edits, change.scenario.edits
        new = {edit: x for edit, x in after.items() if edit not in before or before[edit] != x}
        kept = {
            edit: x
            for edit, x in last.scenario.edits.items()
            if edit in after or edit not in before
        }
        both = dataclasses.replace(last.scenario, edits=frozen({**kept, **new}))
        return change._replace(scenario=both)

    def _begin(self) -> None:
        self._count = len(self.changes)
        scenario, runner = self.changes[-1].scenario, self._runner.aside()

        def compute(go_on: Callable[[], None]) -> Scenario | ValueError:
            runner.before_pass = go_on
            try:
                written = with_written_target(scenario, runner)
            except ValueError as error:
                return error
            if written.view.plane == "gradient":
                runner.with_gradients(written)
            else:
                runner.trace(written)
            return written

        def show(found: Scenario | ValueError) -> None:
            if isinstance(found, ValueError):
                self._fail(str(found))
                return
            changes = self.changes[: self._count]
            self.changes, self._count = self.changes[self._count :], 0
            try:
                self._arrive(Arrived(changes, found, runner))
            finally:
                if self.changes:
                    self._begin()
                else:
                    self._end()

        # Initializing a model takes seconds; other pages' large jobs do not wait for it.
        is_new = not runner.has_model_of(scenario)
        self._background.run(compute, show, self._fail, is_large=is_new)

    def _fail(self, said: str) -> None:
        self._end()
        self._refuse(said)

    def _end(self) -> None:
        self.changes, self._count = [], 0
        self._tell(False)


def is_only_drawn(shown: Scenario, scenario: Scenario) -> bool:
    """Whether only drawing options change, so that no new pass is needed."""
    is_there = scenario.view.plane in (shown.view.plane, "value")
    return is_there and dataclasses.replace(scenario, view=shown.view) == shown


def _is_same(one: Change, other: Change) -> bool:
    """Whether two changes are values of the same slider."""
    return one.of is not None and (one.of, one.press) == (other.of, other.press)


def _edits_alone(shown: Scenario, scenario: Scenario) -> bool:
    """Whether two scenarios differ only in edited cells and what follows from them."""
    if scenario.writes_itself:
        scenario = dataclasses.replace(scenario, target=shown.target)
    return dataclasses.replace(scenario, edits=shown.edits) == shown
