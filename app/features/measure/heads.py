"""Measures the model's output without each attention head, or each hidden unit."""

from collections.abc import Callable
from typing import Any

from ...components.component import changes
from ...components.form.fields import choice
from ...experiments import head_effects as of_heads
from ...experiments import unit_effects as of_units
from ...experiments.head_effects import has_read_pairs, head_effects, read_pairs
from ...experiments.part_effects import PartEffect, PartEffects, Runners, is_silenced
from ...experiments.unit_effects import unit_effects
from ...explain import ablation
from ...model.matrices.address import Answer, CellAddress
from ...model.matrices.attention import strongest
from ...model.scenario.scenario import Scenario
from ...model.scenario.silences import VALUES, ZERO, Silence
from ...session.state import AppState
from ...transport.runtime.derived import Check, Derived, Result
from ...transport.runtime.page_session import PageSession
from . import effect_words
from .effect_words import HEADS, NAMES, UNITS, FinishedTable
from .head_table import HeadTable
from .measured import MeasuredSection
from .watched import watched_answer

PLACE, EFFECT = "place", "effect"
ORDERS = [[EFFECT, "what it does"], [PLACE, "its place in the model"]]
KINDS = [[HEADS, "attention heads"], [UNITS, "hidden units"]]
NONE = {HEADS: "This model has no attention.", UNITS: "This model has no feed-forward network."}
MOST_UNITS = 40  # the largest number of rows; a model may have thousands of units


class HeadsSection(MeasuredSection[FinishedTable]):
    """A table of heads or hidden units, each with a switch that silences or releases it."""

    title = "Which head or unit matters"
    question = (
        "What does each part do? Each row silences one part: it shows the probability of the "
        "followed word, and the word that the model then writes. For a head it also shows how many "
        "unseen texts still come out right, and the word that the head looks at most. Press a row "
        "to silence its part in the picture, too."
    )
    large = "This model is large: the table takes some seconds."
    learning = "The table is computed when the training pauses."
    ask = "Compute the table"

    def __init__(self, state: AppState, page: PageSession) -> None:
        self.table = HeadTable(visible=False)
        super().__init__(state, page, self.table)
        self._kind, self._to, self._order = HEADS, ZERO, EFFECT
        self._runners = Runners.sharing(state.runner)
        # The key of the rows when a row was pressed, and the order of the parts at that time.
        self._pressed: tuple[object, list[object]] | None = None
        self._pairs: Derived[None] = Derived(page, self._follow)
        self.form.param.watch(self._on_value, "value")
        self.table.on_press(self._on_switch)

    # -- from the user ---------------------------------------------------------------------------

    def _on_value(self, event: Any) -> None:
        for name, value in changes(event).items():
            if name == "to" and value in VALUES:
                self._to = value
            elif name == "order" and value in (PLACE, EFFECT):
                self._order = value
            elif name == "kind" and value in NAMES:
                self._kind = value
        self._pressed = None
        self._follow()

    def _on_switch(self, row: int) -> None:
        """Silence or release a part, and select it."""
        found, state = self.result.value, self.state
        if found is None:
            return
        rows = self._rows(found)
        self._pressed = self._of_rows(), [each.silence.part for each in rows]
        part = rows[row].silence
        is_silent = is_silenced(state.scenario, part)
        try:
            changed = ablation.with_silence(
                state.scenario, part.part, None if is_silent else part.to
            )
        except ValueError as error:
            state.notice = str(error)
            return
        state.change(changed)
        if state.scenario is changed or state.scenario.silences == changed.silences:
            self._show_part(part)

    def _show_part(self, part: Silence) -> None:
        """Show the head or unit in the other views and in the inspector."""
        state, path = self.state, part.path
        if path not in state.trace:
            return
        if part.column is None:
            scope, _, head = path.removesuffix(".context").partition(".head.")
            state.attention_focus = strongest(state.trace, scope, int(head))
        row = watched_answer(state)[0] if path.startswith("decoder") else 0
        rows = state.trace[path].shape[0]
        state.selection = CellAddress(path, min(row, rows - 1), part.column or 0)

    # -- computing -------------------------------------------------------------------------------

    def draw(self) -> None:
        """Show the result once a thread has read the pairs, whose number sets the cost."""
        scenario = self.state.scenario
        if not has_read_pairs(scenario):
            pairs = self._pairs.want(scenario.data, lambda _check: read_pairs(scenario))
            if pairs.status != "ready":
                self._measured.drop()
                self.result = Result(pairs.status, note=pairs.note)
                self._show()
                return
        super().draw()

    def _multiply_adds(self, scenario: Scenario) -> int:
        heads = self._kind == HEADS
        return of_heads.multiply_adds(scenario) if heads else of_units.multiply_adds(scenario)

    def _subject(self) -> tuple[object, ...]:
        return self._kind, self._to

    def _compute(self, scenario: Scenario, answer: Answer) -> Callable[[Check], FinishedTable]:
        kind, to = self._kind, self._to
        measure = head_effects if kind == HEADS else unit_effects
        title = effect_words.title(scenario, answer)
        return lambda check: FinishedTable(
            kind, measure(self._runners, scenario, answer, to, check), title
        )

    # -- drawing ---------------------------------------------------------------------------------

    def _show(self) -> None:
        self.form.fields = self._fields()
        found = self.result.value
        if found is None or not found.effects.effects:
            self.table.visible = False
            return
        scenario, now = self.result.key[0], self.state.scenario
        self.table.param.update(
            rows=[
                effect_words.row(
                    scenario, each, found.effects, is_silent=is_silenced(now, each.silence)
                )
                for each in self._rows(found)
            ],
            head=effect_words.titles(scenario, found, _sorted(found)[0]),
            visible=True,
            pending=self.result.pending,
        )

    def _rows(self, found: FinishedTable) -> list[PartEffect]:
        """Return the shown parts; of many units, those with the largest effects.

        After a press the order stays the same for this text and model, so that no row moves under
        the pointer.
        """
        effects = _sorted(found)
        if self._pressed is not None and self._pressed[0] == self._of_rows():
            places = {part: at for at, part in enumerate(self._pressed[1])}
            return sorted(effects, key=lambda each: places.get(each.silence.part, len(places)))
        if self._order == PLACE:
            shown = {each.silence.part for each in effects}
            return [each for each in found.effects.effects if each.silence.part in shown]
        return effects

    def _of_rows(self) -> object:
        """Return a key; while it stays equal, the order of the rows is kept after a press."""
        scenario = self.state.scenario
        return scenario.model_key, scenario.source, self._kind, self._to

    def _fields(self) -> list[dict[str, Any]]:
        values = [(value, ablation.said(self.state.scenario, value)) for value in VALUES]
        fields = [
            choice("kind", "rank", self._kind, KINDS),
            choice("to", "silenced to", self._to, values),
            choice("order", "sorted by", self._order, ORDERS),
        ]
        return self._with_note(fields, self._said_of_table())

    def _said_of_table(self) -> str:
        found = self.result.value
        if found is not None and not found.effects.effects:
            return NONE[self._kind]
        return self._said(_left_out(found.effects) if found and found.kind == UNITS else "")


def _sorted(found: FinishedTable) -> list[PartEffect]:
    effects = sorted(found.effects.effects, key=lambda e: (-abs(e.lost or 0), -abs(e.change)))
    return effects if found.kind == HEADS else effects[:MOST_UNITS]


def _left_out(found: PartEffects) -> str:
    """Describe the units that are not in the table, and why; empty if all of them are in it."""
    tried = len(found.effects)
    said = []
    if tried < found.parts:
        said.append(
            f"Of {found.parts:,} units only those {tried:,} were tried that add the longest "
            "vectors to the residual stream."
        )
    if tried > MOST_UNITS:
        said.append(f"The table shows the {MOST_UNITS} that matter most.")
    return " ".join(said)
