"""Computes how strongly each number depends on the selected number, to mark it on the board."""

from collections.abc import Callable, Mapping

import numpy as np

from transformer_math import Trace

from ..explain.response_curve import MOVES, reach
from ..model.inference import cost
from ..model.matrices.resolved_cell import resolve
from ..session.state import AppState
from ..transport.runtime.derived import Derived
from ..transport.runtime.page_session import PageSession

Reach = Mapping[str, np.ndarray]


class Reached:
    """Computes the effects of the selected number once per forward pass; in a thread if large."""

    def __init__(
        self,
        state: AppState,
        page: PageSession,
        refresh: Callable[[], None],
        say: Callable[[str], None],
    ) -> None:
        """Call ``refresh`` after each result, and ``say`` with a sentence on its extent."""
        self._state = state
        self._reach: Derived[Reach] = Derived(page, refresh)
        self._say = say

    def read(self) -> Reach:
        """Return effects (0 to 1) by stored path; empty if they are not marked or not ready."""
        state, selection = self._state, self._state.selection
        if not (state.reach and selection and state.scenario.can_be_set(selection.path)):
            self._reach.drop()
            self._say("")
            return {}
        trace, key = state.trace, (state.scenario.undrawn, selection)
        cell = resolve(trace, selection)
        found = self._reach.want(
            key,
            lambda check: reach(trace, cell.stored, cell.full, check),
            cost.level((len(MOVES) + 1) * cost.forward_pass(state.scenario)),
            subject=key,
        )
        self._say(found.note if found.value is None else how_much(trace, found.value))
        return found.value or {}


def how_much(trace: Trace, found: Reach) -> str:
    """Return a sentence on how many of the computed numbers are reached."""
    computed = sum(tensor.value.size for tensor in trace.tensors.values() if not tensor.is_leaf)
    reached = sum(int(np.count_nonzero(shares)) for shares in found.values())
    return f"It reaches {reached:,} of the {computed:,} computed numbers."
