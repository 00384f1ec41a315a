"""The base class of sections that compute something about an answer in a thread."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ...components.component import Placed
from ...components.token_table.token_table import ExperimentForm
from ...experiments.part_effects import Answer
from ...runtime.background import LatestJob
from ...runtime.page_session import PageSession
from ...session.state import AppState
from .section import Section
from .watched import WatchedAnswer

BUSY = "Computing …"
CHANGED = "Numbers have changed since."
LARGE = "This model is large: this takes some seconds."
LEARNING = "It is computed when the training rests."
ASK = "Compute it"

Compute = Callable[[Callable[[], None]], Any]


class MeasuredSection(Section):
    """A section that computes its result for what is on the page; the newest request wins.

    Where it is costly it is computed when the user asks for it, and never while the model learns.
    """

    large = LARGE
    learning = LEARNING
    ask = ASK

    def __init__(self, state: AppState, page: PageSession, *placed: Placed) -> None:
        self.state = state
        self.form = ExperimentForm()
        super().__init__(self.form, *placed)
        self._watched = WatchedAnswer(state)
        self._latest = LatestJob(page)
        self._found: Any = None  # the result
        self._found_of: object = None  # the key of what it was computed for
        self._making: object = None  # the key of what is being computed
        self._failed: tuple[object, str] = None, ""  # the key of what failed, and why
        self.form.on_press(lambda _: self._make())
        state.param.watch(self._watched.move, "position")
        state.param.watch(self._follow, ["position", "location", "selection"])
        state.watch_calmly(self._follow, "scenario")

    # -- what a section computes and shows ---------------------------------------------------------

    def _subject(self) -> tuple[object, ...]:
        """What the result depends on, beside the model, its numbers and the answer."""
        return ()

    def _is_cheap(self) -> bool:
        """Whether it may be computed without a request."""
        raise NotImplementedError

    def _compute(self, answer: Answer) -> Compute:
        """The computation, for a thread."""
        raise NotImplementedError

    def _show(self) -> None:
        """Show the result, and what is said about it."""
        raise NotImplementedError

    def _prepare(self, _of: object) -> bool:
        """Begin what has to be there before the cost is known; whether it still has to be."""
        return False

    # -- when it is computed -----------------------------------------------------------------------

    def _follow(self, *_: Any) -> None:
        if self.is_open:
            self.draw()

    def draw(self) -> None:
        """See `Section.draw`."""
        of = self._wanted()
        if self._found is not None and of == self._found_of:
            self._making = None
            self._latest.cancel()
        elif of in (self._making, self._failed[0]) or self._prepare(of):
            pass
        elif self._is_automatic():
            self._make()
        self._show()

    def _is_automatic(self) -> bool:
        return not self.state.learning and self._is_cheap()

    def _wanted(self) -> object:
        """A key of everything that the result depends on."""
        scenario = self.state.scenario
        return (
            *(scenario.structure_key, scenario.edits, scenario.weights, scenario.mask_seed),
            *(self._watched.now(), *self._subject()),
        )

    def _make(self) -> None:
        of = self._wanted()
        self._making, self._failed = of, (None, "")
        self._latest.run(
            self._compute(self._watched.now()),
            partial(self._take, of),
            partial(self._fail, of),
            is_large=not self._is_cheap(),
        )
        self._show()

    def _take(self, of: object, found: Any) -> None:
        self._found, self._found_of, self._making = found, of, None
        self._show()

    def _fail(self, of: object, said: str) -> None:
        self._failed, self._making = (of, said), None
        self._show()

    # -- what is said of it ------------------------------------------------------------------------

    def _offers(self) -> bool:
        """Whether the user is asked."""
        if self._making is not None or self.state.learning or not self._is_stale():
            return False
        if self._failed[0] == self._wanted():  # the same may be requested again
            return True
        return not self._is_automatic()

    def _is_stale(self) -> bool:
        """Whether the present result is not the wanted one."""
        return self._found is None or self._found_of != self._wanted()

    def _said(self, *further: str) -> str:
        """What is said of the computation, with further sentences about its result."""
        if self._making is not None:
            return BUSY
        said = [CHANGED] if self._found is not None and self._is_stale() else []
        said += further
        if self._failed[0] == self._wanted():
            said.append(self._failed[1])
        elif self.state.learning:
            said.append(self.learning)
        elif self._offers():
            said.append(self.large)
        return " ".join(filter(None, said))

    def _with_note(self, fields: list[dict[str, Any]], said: str) -> list[dict[str, Any]]:
        """Fields of the form, below a note and above the button that asks for the result."""
        note = [{"name": "said", "kind": "note", "label": "", "value": said}] if said else []
        ask = [{"name": "ask", "kind": "action", "label": self.ask}] if self._offers() else []
        return [*note, *fields, *ask]
