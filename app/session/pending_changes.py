"""Changes of a large model whose pass is still being computed.

A pass of a large model would hold up all pages of the process, so it runs in a thread while the
page goes on with what it shows; of one drag only the newest value is computed. A small model is
computed at once: starting a thread would take longer than its pass.
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
    """Runs one computation in the background, as ``runtime.background.LatestJob`` does."""

    def run(
        self,
        compute: Callable[[Callable[[], None]], Any],
        show: Callable[[Any], None],
        fail: Callable[[str], None],
        *,
        is_large: bool = False,
    ) -> bool:
        """Compute something and show it."""

    def cancel(self) -> None:
        """Drop what is running and what waits."""


class Change(NamedTuple):
    """A scenario that was asked for; ``of`` and ``press`` as a step of undo has them.

    Attributes:
        is_step: whether it is one; else it is a way back.
        since: what it takes the place of, if that is not what was there or asked for before it.
        at: when it was asked for, in seconds; None: now.
    """

    scenario: Scenario
    of: Hashable = None
    press: int = 0
    is_step: bool = True
    since: Scenario | None = None
    at: float | None = None


class Arrived(NamedTuple):
    """What was computed.

    Attributes:
        changes: since what is shown, the last of them computed.
        scenario: the last one, with the target that its model writes.
        runner: with its pass.
    """

    changes: Sequence[Change]
    scenario: Scenario
    runner: ForwardPassRunner


class PendingChanges:
    """Changes that were asked for and are not shown yet.

    Attributes:
        changes: all of it, the last one last.
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
            background: where passes are computed.
            runner: the page's.
            arrive: shows what was computed.
            refuse: takes the sentence that says why something could not be computed.
            tell: takes whether anything is pending.
        """
        self.changes: list[Change] = []
        self._background, self._runner = background, runner
        self._arrive, self._refuse, self._tell = arrive, refuse, tell
        self._count = 0  # how many of them are computed now

    def take(self, shown: Scenario, change: Change) -> bool:
        """Have a change computed, beside the page if it takes long.

        Another model, or another place of the same slider, overtakes what is on its way. Numbers
        are set on top of numbers that are. Anything else has to wait for it.

        Args:
            shown: what the page shows, and the change was made from.
            change: what is asked for.

        Returns:
            Whether it comes later; if not, it is to be shown at once.

        Raises:
            ValueError: it has to wait; one sentence.
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
        """Drop all of it."""
        self._background.cancel()
        self._end()

    def are_numbers(self, shown: Scenario) -> bool:
        """Whether nothing but numbers is on its way, on top of which others can be set."""
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

        # A model that is yet to be made takes seconds, and those of others do not wait for it.
        is_new = not runner.has_model_of(scenario)
        self._background.run(compute, show, self._fail, is_large=is_new)

    def _fail(self, said: str) -> None:
        self._end()
        self._refuse(said)

    def _end(self) -> None:
        self.changes, self._count = [], 0
        self._tell(False)


def is_only_drawn(shown: Scenario, scenario: Scenario) -> bool:
    """Whether nothing is computed of it that is not there: it is drawn in another way."""
    is_there = scenario.view.plane in (shown.view.plane, "value")
    return is_there and dataclasses.replace(scenario, view=shown.view) == shown


def _is_same(one: Change, other: Change) -> bool:
    """Whether two are places of one slider."""
    return one.of is not None and (one.of, one.press) == (other.of, other.press)


def _edits_alone(shown: Scenario, scenario: Scenario) -> bool:
    """Whether only numbers that were set are others, and what follows from them."""
    if scenario.writes_itself:
        scenario = dataclasses.replace(scenario, target=shown.target)
    return dataclasses.replace(scenario, edits=shown.edits) == shown
