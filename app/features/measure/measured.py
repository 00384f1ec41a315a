"""The base class of sections that compute something about an answer in a thread."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from ...components.component import Placed
from ...experiments.part_effects import Answer
from ...model.inference import cost
from ...model.inference.forward_pass import ForwardPassRunner
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
    """A section that computes its result for what is on the page; the newest request wins.

    Where it is costly it is computed when the user asks for it, and never while the model learns.

    Attributes:
        result: what is known of the result; its key begins with the scenario and the answer.
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

    # -- what a section computes and shows ---------------------------------------------------------

    def _subject(self) -> tuple[object, ...]:
        """What the result is about, beside the model, its numbers and the answer."""
        return ()

    def _multiply_adds(self, scenario: Scenario) -> int:
        """What the computation costs."""
        raise NotImplementedError

    def _compute(self, scenario: Scenario, answer: Answer) -> Callable[[Check], T]:
        """The computation, for a thread."""
        raise NotImplementedError

    def _show(self) -> None:
        """Show the result, and what is said about it."""
        raise NotImplementedError

    # -- when it is computed -----------------------------------------------------------------------

    def _follow(self, *_: Any) -> None:
        if self.is_open:
            self.draw()

    def draw(self) -> None:
        """See `Section.draw`."""
        scenario, answer, subject = (
            measured(self.state),
            watched_answer(self.state),
            self._subject(),
        )
        work = self._multiply_adds(scenario)
        self.result = self._measured.want(
            (scenario.undrawn, answer, *subject),
            self._compute(scenario, answer),
            cost.level(work, passes=True),
            subject=(scenario.model_key, *subject),
            on_request=self.state.learning or not cost.fits_unasked(work),
        )
        # It is below a result that is about to appear, and would be moved by it.
        self.asked.visible = self.result.value is not None or self.result.status != "pending"
        self._show()

    # -- what is said of it ------------------------------------------------------------------------

    def _said(self, *further: str) -> str:
        """What is said of the computation, with further sentences about its result."""
        result, said = self.result, ""
        if self.state.learning and result.status != "ready":
            said = self.learning
        elif result.is_offered and result.status != "failed":
            said = self.large
        dropout = NO_DROPOUT if self.state.scenario.training else ""
        return " ".join(filter(None, [dropout, *further, result.said, said]))

    def _with_note(self, fields: list[dict[str, Any]], said: str) -> list[dict[str, Any]]:
        """Fields of the form, below a note and above the button that asks for the result."""
        note = [{"name": "said", "kind": "note", "label": "", "value": said}] if said else []
        can_ask = self.result.is_offered and not self.state.learning
        ask = [{"name": "ask", "kind": "action", "label": self.ask}] if can_ask else []
        return [*note, *fields, *ask]


class BarsSection(MeasuredSection[T]):
    """A section whose result is shown as bars, of which each can be pressed."""

    def __init__(self, state: AppState, page: PageSession) -> None:
        self.bars = EffectBars(visible=False)
        super().__init__(state, page, self.bars)
        self._runner = ForwardPassRunner(beside=state.runner)
        self.bars.on_press(self._on_press)

    def _on_press(self, row: int) -> None:
        """A bar was pressed."""
        raise NotImplementedError

    def _bars(self, scenario: Scenario, answer: Answer, found: T) -> dict[str, Any]:
        """The rows and the head of the bars, for the scenario and the answer of a result."""
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
