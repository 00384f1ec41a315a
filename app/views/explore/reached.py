"""How strongly each number depends on the selected one, for marking on the board."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from transformer_math import Trace

from ...explain.what_if import MOVES, reach
from ...inference import cost
from ...matrices.address import CellAddress
from ...matrices.resolved_cell import ResolvedCell, resolve
from ...runtime.background import LatestJob
from ...runtime.page_session import PageSession
from ...session.state import AppState

Reach = Mapping[str, np.ndarray]


class Reached:
    """Computes the shares once per forward pass and number; in a thread for a large model."""

    def __init__(
        self,
        state: AppState,
        page: PageSession,
        refresh: Callable[[], None],
        say: Callable[[str], None],
    ) -> None:
        """Create without a result.

        Args:
            state: the state of the page.
            page: the session of the page.
            refresh: called when the board should read a new result.
            say: called with a sentence on how much is reached; empty if nothing is marked.
        """
        self._state = state
        self._search = LatestJob(page)
        self._refresh = refresh
        self._say = say
        self._of: tuple[Trace, CellAddress] | None = None
        self._found: Reach = {}

    def read(self) -> Reach:
        """Stored path -> shares; empty if nothing is to be marked or the result is not ready."""
        state, selection = self._state, self._state.selection
        if not (state.reach and selection and state.scenario.can_be_set(selection.path)):
            self._search.cancel()
            self._of, self._found = None, {}
            self._say("")
            return {}
        trace = state.trace
        if self._of is None or self._of[0] is not trace or self._of[1] != selection:
            self._of, self._found = (trace, selection), {}
            self._begin(trace, resolve(trace, selection))
        return self._found

    def _begin(self, trace: Trace, cell: ResolvedCell) -> None:
        is_later = False

        def show(found: Reach) -> None:
            self._found = found
            self._say(how_much(trace, found))
            if is_later:
                self._refresh()

        is_later = self._search.run(
            lambda go_on: reach(trace, cell.stored, cell.full, go_on),
            show,
            self._fail,
            inline=cost.fits_inline((len(MOVES) + 1) * cost.forward_pass(self._state.scenario)),
        )

    def _fail(self, said: str) -> None:
        self._state.notice = said


def how_much(trace: Trace, found: Reach) -> str:
    """How many of the computed numbers are reached, as a sentence."""
    computed = sum(tensor.value.size for tensor in trace.tensors.values() if not tensor.is_leaf)
    reached = sum(int(np.count_nonzero(shares)) for shares in found.values())
    return f"It reaches {reached:,} of the {computed:,} computed numbers."
