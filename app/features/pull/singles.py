"""Searches single numbers that can make the model write a word, and lists them."""

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

from transformer_math.experiments import Free, Likeliest
from transformer_math.ops.expression import Cell

from ...experiments.number_rows import rows_of_singles
from ...experiments.single_changes import SinglesFound, single_changes
from ...model.inference import cost
from ...model.inference.forward_pass import ForwardPassRunner
from ...model.matrices.address import CellAddress
from ...model.scenario.scenario import Scenario
from ...session.results import Results
from ...session.state import AppState
from ...transport.runtime.concurrency import one_blas_thread
from ...transport.runtime.derived import Cost, Derived
from ...transport.runtime.page_session import PageSession
from ...typed_text import quoted
from .asked import Written

TO_COME = "The numbers that can do it will be listed here."
LEAST_FIRST = "The least move first."

Show = Callable[[dict[str, Any]], None]


class Singles:
    """Searches in the background, keeps the results, and takes one number at a time.

    Taking a number is an undo step. The list is kept while the page differs from ``base``, the
    searched scenario, only by the taken number. So the user can drag the number past its border,
    undo the step, or take another number.
    """

    def __init__(
        self,
        state: AppState,
        results: Results,
        page: PageSession,
        show: Show,
        fail: Callable[[str], None],
    ) -> None:
        """``show`` gets the panel's properties after changes, ``fail`` the reason of a failure."""
        self.base: Scenario | None = None
        self._state, self._results = state, results
        self._show, self._fail = show, fail
        self._search: Derived[SinglesFound] = Derived(page, self._hear)
        self._wish: Written | None = None
        self._found: SinglesFound | None = None
        self._is_stopped = False
        self._taken: int | None = None

    def begin(self, base: Scenario, wish: Written, free: Free) -> None:
        """Search for single numbers of a scenario that can fulfill a request."""
        self.end()
        self.base, self._wish = base, wish
        runner = ForwardPassRunner(beside=self._state.runner)  # not shared with other threads
        runner.adopt(self._state.runner)  # takes over its pass without dropout
        token = base.output_vocabulary.index(wish.word)
        steps = _in_one_thread(single_changes(runner, base, Likeliest(wish.row, token), free))
        self._tell()
        size: Cost = "large" if cost.is_large(base) else "slow"
        self._search.stream(object(), steps, size)

    def stop(self) -> None:
        """Stop the search and keep the results so far."""
        self._search.stop()
        self._is_stopped = True
        self._tell()

    def end(self) -> None:
        """Discard the search; a taken number keeps its value."""
        self._search.drop()
        self.base = self._wish = self._found = self._taken = None
        self._is_stopped = False
        if self._results.singles:
            self._results.singles = {}

    def holds_for(self, scenario: Scenario) -> bool:
        """Return whether a scenario differs from the searched one only by the taken number."""
        base = self.base
        if base is None:
            return False
        if dataclasses.replace(
            scenario, target=base.target, edits=base.edits, view=base.view, mask_seed=base.mask_seed
        ) != base or not (base.writes_itself or scenario.target == base.target):
            return False
        edits, others = dict(scenario.edits), dict(base.edits)
        if self._found is not None and self._taken is not None:
            one = self._found.listed[self._taken]
            taken = base.edit_at(one.path, one.cell)
            edits.pop(taken, None)
            others.pop(taken, None)
        return edits == others

    def take(self, row: int) -> None:
        """Set only one number of the list to its value, and select it."""
        found, base = self._found, self.base
        if found is None or base is None or not 0 <= row < len(found.listed):
            return
        one = found.listed[row]
        changed = base.with_value(one.path, one.cell, one.value)
        drawn, place = Cell(found.trace[one.path], one.cell).address
        i, j = (0, 0, *place)[-2:]
        self._taken = row
        self._state.change(changed)
        self._state.selection = CellAddress(drawn, i, j)
        self._tell()

    def _hear(self) -> None:
        result, found = self._search.result, self._search.result.value
        if result.status == "failed" or found is None:
            self._fail(result.note)
            return
        is_new = self._found is None or found.state is not self._found.state
        self._found = found
        if is_new:
            self._results.singles = dict(found.marks)
        self._tell()

    def _tell(self) -> None:
        found, base = self._found, self.base
        if base is None or self._wish is None:
            return
        shown: dict[str, Any] = {
            "wish": self._wish.said,
            "cost": "Setting up …",
            "tone": "busy",
            "presses": ["stop", "close"],
            "order": TO_COME,
        }
        rows: list[Any] = []
        if found is not None:
            shown["cost"] = self._said(found)
            if found.state.ended or self._is_stopped:
                tone = "granted" if found.state.found else "refused"
                shown |= {"tone": tone, "presses": ["close"], "order": ""}
            else:
                shown["share"] = round(found.state.tried / max(1, found.state.planned), 2)
            if found.state.found:
                shown["order"] = LEAST_FIRST
            rows = rows_of_singles(base, found.trace, found.listed, found.written)
        taken = -1 if self._taken is None else self._taken
        self._show({"shown": shown, "rows": rows, "taken": taken})

    def _said(self, found: SinglesFound) -> str:
        """Return a text on the tried and the found numbers."""
        state = found.state
        count, span = len(state.found), f"moved by at most {state.span:g} up or down"
        if not state.ended:
            where = "Stopped after" if self._is_stopped else "Trying"
            which = "" if state.planned == state.of else " with the largest gradients"
            numbers = f"{state.tried:,} of {state.planned:,} numbers{which}"
            return f"{where} {numbers}, each {span}: {count:,} can do it alone so far."
        tried = _tried(state.tried, state.of)
        if count:
            can = "number can do it alone" if count == 1 else "numbers can do it alone"
            return f"{count:,} {can}, {span}; {tried}. Those in the picture are framed."
        if state.nearest is None:
            return f"These numbers do not change it at all; {tried}."
        word = quoted(self._wish.word if self._wish else "")
        return (
            f"No number does it alone, {span}; {tried}. With the nearest one, below, the logit of "
            f"{word} is still {-state.nearest.margin:.2g} too small."
        )


def _in_one_thread(steps: Iterator[SinglesFound]) -> Iterator[SinglesFound]:
    """Run the steps with one BLAS thread; more threads would slow down many small products."""
    while True:
        with one_blas_thread():
            step = next(steps, None)
        if step is None:
            return
        yield step


def _tried(tried: int, of: int) -> str:
    if tried == of:
        return f"all {of:,} were tried"
    return f"not all were tried, but the {tried:,} of {of:,} with the largest gradients"
