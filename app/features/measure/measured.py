"""Declares the base class of sections that compute something about an answer in a thread."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from ...components.component import Placed
from ...components.form.fields import action, note
from ...model.inference import cost
from ...model.inference.forward_pass import ForwardPassRunner
from ...model.matrices.address import Answer
from ...model.scenario.scenario import Scenario
from ...session.state import AppState
from ...transport.runtime.derived import Check, Derived, Result
from ...transport.runtime.page_session import PageSession
from .effect_bars import EffectBars
from .section import Section
from .token_table import ExperimentForm
from .watched import measured, watched_answer

LARGE = "This model is large: this takes some seconds."
LEARNING = "It is computed when the training pauses."
ASK = "Compute it"
NO_DROPOUT = "Measured without dropout: the model writes without it, too."

T = TypeVar("T")


class MeasuredSection(Section, Generic[T]):
    """A section that computes a result for the current page; a new request replaces a pending one.

    A costly result is computed when the user requests it, but not while the model is training. The
    key of a result begins with the scenario and the answer.
    """

    large = LARGE
    learning = LEARNING
    ask = ASK

    def __init__(self, state: AppState, page: PageSession, *placed: Placed) -> None:
        self.state = state
        self.form = ExperimentForm()
        super().__init__(self.form, *placed)
        self._measured: Derived[T] = Derived(page, self._follow)
        self.result: Result[T] = Result()
        self.form.on_press(lambda _: self._measured.ask())
        state.watch_calmly(self._follow, ["scenario", "position", "location", "selection"])

    # -- computing and showing ---------------------------------------------------------------------

    def _subject(self) -> tuple[object, ...]:
        """Return the inputs of the result, besides the model, its numbers and the answer."""
        return ()

    def _multiply_adds(self, scenario: Scenario) -> int:
        """Return the cost of the computation in multiply-adds."""
        raise NotImplementedError

    def _compute(self, scenario: Scenario, answer: Answer) -> Callable[[Check], T]:
        """Return a function that computes the result in a thread."""
        raise NotImplementedError

    def _show(self) -> None:
        raise NotImplementedError

    # -- requests ----------------------------------------------------------------------------------

    def draw(self) -> None:
        scenario, answer = measured(self.state), watched_answer(self.state)
        subject = self._subject()
        work = self._multiply_adds(scenario)
        self.result = self._measured.want(
            (scenario.undrawn, answer, *subject),
            self._compute(scenario, answer),
            cost.level(work, passes=True),
            subject=(scenario.model_key, *subject),
            on_request=self.state.learning or not cost.fits_unasked(work),
        )
        # The question is below the result. It is hidden until there is a result, so that it does
        # not move.
        self.asked.visible = self.result.value is not None or self.result.status != "pending"
        self._show()

    # -- the note ----------------------------------------------------------------------------------

    def _said(self, *further: str) -> str:
        """Return the status of the computation, with further sentences about its result."""
        result, said = self.result, ""
        if self.state.learning and result.status != "ready":
            said = self.learning
        elif result.is_offered and result.status != "failed":
            said = self.large
        dropout = NO_DROPOUT if self.state.scenario.training else ""
        return " ".join(filter(None, [dropout, *further, result.said, said]))

    def _with_note(self, fields: list[dict[str, Any]], said: str) -> list[dict[str, Any]]:
        """Return the form's fields, below a note and above the button that requests the result."""
        can_ask = self.result.is_offered and not self.state.learning
        ask = [action("ask", self.ask)] if can_ask else []
        return [*([note("said", said)] if said else []), *fields, *ask]


class BarsSection(MeasuredSection[T]):
    """A section that shows its result as bars that can be pressed."""

    def __init__(self, state: AppState, page: PageSession) -> None:
        self.bars = EffectBars(visible=False)
        super().__init__(state, page, self.bars)
        self._runner = ForwardPassRunner(beside=state.runner)
        self.bars.on_press(self._on_press)

    def _on_press(self, row: int) -> None:
        raise NotImplementedError

    def _bars(self, scenario: Scenario, answer: Answer, found: T) -> dict[str, Any]:
        """Return the rows and the head of the bars, for a result's scenario and answer."""
        raise NotImplementedError

    def _show(self) -> None:
        self.form.fields = self._with_note([], self._said())
        found = self.result.value
        if found is None:
            self.bars.visible = False
            return
        scenario, answer = self.result.key
        shown = self._bars(scenario, answer, found)
        self.bars.param.update(**shown, visible=True, pending=self.result.pending)
