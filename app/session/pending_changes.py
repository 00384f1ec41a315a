"""Requested changes that are not shown yet, because their forward pass or model is not ready.

The pass of a large model would block all pages of the process, so it runs in a thread while the
page keeps showing the last result; during a drag only the newest value is computed. A small model
is computed inline, because starting a thread would take longer than its pass.
"""

import dataclasses
from collections.abc import Callable, Sequence
from typing import NamedTuple

from ..model.inference import cost
from ..model.inference.forward_pass import ForwardPassRunner
from ..model.inference.writing import with_written_target
from ..model.scenario.edits import frozen
from ..model.scenario.scenario import Scenario
from ..transport.runtime.derived import Check, Derived
from ..transport.runtime.page_session import PageSession
from .change import Change, is_only_drawn, is_only_edited

WAIT = "This change was not made, because the page is still computing the one before it."


class Arrived(NamedTuple):
    """A computed result."""

    changes: Sequence[Change]  # since the shown scenario; the last change was computed
    scenario: Scenario  # the last requested scenario, with the target that its model generates
    runner: ForwardPassRunner  # has the scenario's pass


class PendingChanges:
    """Requested changes that are not shown yet."""

    def __init__(
        self,
        runner: ForwardPassRunner,
        arrive: Callable[[Arrived], None],
        refuse: Callable[[str], None],
        tell: Callable[[bool], None],
    ) -> None:
        """Call ``arrive`` with a result, or ``refuse`` with a sentence on why there is none.

        Call ``tell`` with True when changes are pending, and with False when none is left.
        """
        self.changes: list[Change] = []  # the newest last
        self._passes: Derived[tuple[Scenario, ForwardPassRunner]] | None = None
        self._runner = runner
        self._arrive, self._refuse, self._tell = arrive, refuse, tell
        self._count = 0  # number of `changes` that the running computation covers
        self._held = 0  # number of models being loaded, for which all other changes wait
        self._when_settled: list[Callable[[], None]] = []

    def compute_beside(self, page: PageSession) -> None:
        """From now on, compute expensive passes in threads rather than inline."""
        self._passes = Derived(page, self._show)

    # -- deferring changes -----------------------------------------------------------------------

    def hold(self) -> Callable[[], None]:
        """Defer all later changes until the returned function is called: another model is loading.

        Calling that function more than once has no further effect.
        """
        self._held += 1
        is_held = True

        def release() -> None:
            nonlocal is_held
            if is_held:
                is_held = False
                self._held -= 1
                self._settle()

        return release

    @property
    def is_held(self) -> bool:
        """Whether another model is being loaded, so that later changes are deferred."""
        return self._held > 0

    @property
    def is_settled(self) -> bool:
        """Whether no change is pending."""
        return not self._held and not self.changes

    def when_settled(self, function: Callable[[], None]) -> None:
        """Call a function once no change is pending, or immediately if none is pending."""
        self._when_settled.append(function)
        self._settle()

    def _settle(self) -> None:
        while self._when_settled and self.is_settled:
            self._when_settled.pop(0)()

    def accepts_edits(self, shown: Scenario) -> bool:
        """Return whether only cell edits are pending, so that further edits can be added."""
        is_free = not self.changes or is_only_edited(shown, self.changes[-1].scenario)
        return not self._held and is_free

    # -- the changes -----------------------------------------------------------------------------

    def take(self, shown: Scenario, change: Change) -> bool:
        """Compute a change in the background if its pass is expensive; else return False.

        A change to another model, or a newer value of the same slider, replaces the pending change.
        Edits of cells accumulate on pending edits. Any other change is refused meanwhile.
        """
        try:
            return self._passes is not None and self._take(shown, change)
        except ValueError as error:
            self._refuse(str(error))
            return True

    def _take(self, shown: Scenario, change: Change) -> bool:
        is_other = change.scenario.model != shown.model
        if self.changes and not is_other:
            change = self._on_top(shown, change)
        elif not cost.is_large(change.scenario) or is_only_drawn(shown, change.scenario):
            self.cancel()
            return False
        else:
            self.cancel()
        if len(self.changes) > self._count and self.changes[-1].has_same_target(change):
            self.changes.pop()
        self.changes.append(change)
        if not self._count:
            self._set_busy(True)
            self._begin()
        return True

    def cancel(self) -> None:
        """Cancel all pending changes."""
        if self._passes is not None:
            self._passes.drop()
            self._end()

    def _on_top(self, shown: Scenario, change: Change) -> Change:
        last = self.changes[-1]
        edits = is_only_edited(shown, last.scenario), is_only_edited(shown, change.scenario)
        if not all(edits):
            if last.has_same_target(change):
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
        assert self._passes is not None
        self._count = len(self.changes)
        scenario, runner = self.changes[-1].scenario, self._runner.aside()

        def compute(check: Check) -> tuple[Scenario, ForwardPassRunner]:
            runner.before_pass = check
            written = with_written_target(scenario, runner)
            if written.view.plane == "gradient":
                runner.with_gradients(written)
            else:
                runner.trace(written)
            return written, runner

        # A new model takes seconds to initialize, so it waits for other pages' large jobs.
        is_new = not runner.has_model_of(scenario)
        if self._passes.want(object(), compute, "large" if is_new else "slow").status != "pending":
            self._show()

    def _show(self) -> None:
        """Show the computed result, and compute the changes that were requested meanwhile."""
        assert self._passes is not None
        result = self._passes.result
        self._passes.drop()  # the page's runner keeps the pass
        if result.value is None:
            self._fail(result.note)
            return
        changes, self.changes = self.changes[: self._count], self.changes[self._count :]
        self._count = 0
        try:
            self._arrive(Arrived(changes, *result.value))
        finally:
            if self.changes:
                self._begin()
            else:
                self._end()

    def _fail(self, said: str) -> None:
        self._end()
        self._refuse(said)

    def _end(self) -> None:
        self.changes, self._count = [], 0
        self._set_busy(False)

    def _set_busy(self, is_busy: bool) -> None:
        self._tell(is_busy)
        self._settle()
