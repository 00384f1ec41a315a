"""Which head matters: what is right, and how sure the model is, with each head silenced."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ...components.component import changes
from ...components.head_table.head_table import HeadRow, HeadTable
from ...components.token_table.token_table import ExperimentForm
from ...experiments.head_effects import (
    Answer,
    HeadEffect,
    HeadEffects,
    Runners,
    head_effects,
    is_quick,
)
from ...explain import labels, silence
from ...matrices.address import PROBABILITIES, CellAddress
from ...matrices.attention import strongest
from ...runtime.latest import Latest
from ...runtime.page_session import PageSession
from ...scenario.scenario import Scenario
from ...scenario.silences import VALUES, ZERO
from ...state import AppState
from .section import Section

PLACE, EFFECT = "place", "effect"
ORDERS = [[EFFECT, "what it does"], [PLACE, "where it stands"]]
NONE = "This model has no attention."
BUSY = "Computing …"
CHANGED = "Numbers have changed since."
LARGE = "This model is large: the table takes some seconds."
LEARNING = "The table is made when the training rests."


class HeadsSection(Section):
    """A table of heads; each is silenced and released by a switch."""

    title = "Which head matters"
    question = (
        "What would the model no longer know without a head? Each is silenced by itself: how many "
        "texts that it has not seen come out right then, and how likely is the word that is "
        "looked at?"
    )

    def __init__(self, state: AppState, page: PageSession) -> None:
        self.state = state
        self.form = ExperimentForm()
        self.table = HeadTable(visible=False)
        super().__init__(self.form, self.table)
        self._to, self._order = ZERO, EFFECT
        self._latest, self._runners = Latest(page), Runners.beside(state.runner)
        self._found: HeadEffects | None = None
        self._of: object = None  # what the table that is shown is of
        self._making: object = None  # what the one that is being made is of
        self._looked_at: tuple[object, Answer] | None = None
        self._answered: Scenario | None = None  # in which that is
        self.form.param.watch(self._on_value, "value")
        self.form.on_press(lambda _: self._make())
        self.table.on_switch(self._on_switch)
        state.param.watch(self._on_position, "position")
        state.param.watch(self._follow, ["place", "selection"])
        state.watch_calmly(self._follow, "scenario")

    # -- what the reader does --------------------------------------------------------------------

    def _on_value(self, event: Any) -> None:
        for name, value in changes(event).items():
            if name == "to" and value in VALUES:
                self._to = value
            elif name == "order" and value in (PLACE, EFFECT):
                self._order = value
        self._follow()

    def _on_switch(self, row: int) -> None:
        """Silence a head or release it, and show where it is."""
        if self._found is None:
            return
        effect, state = self._rows()[row], self.state
        part = effect.silence
        is_silent = any(each.part == part.part for each in state.scenario.silences)
        try:
            changed = silence.with_silence(
                state.scenario, part.part, None if is_silent else part.to
            )
        except ValueError as error:
            state.notice = str(error)
            return
        state.change(changed)
        if state.scenario is changed or state.scenario.silences == changed.silences:
            self._show_head(part.path)

    def _show_head(self, path: str) -> None:
        """Have the other views and the inspector show it."""
        state = self.state
        scope, _, head = path.removesuffix(".context").partition(".head.")
        if path not in state.trace:
            return
        state.attention_focus = strongest(state.trace, scope, int(head))
        row = self._answer()[0] if scope.startswith("decoder") else 0
        rows = state.trace[path].shape[0]
        state.selection = CellAddress(path, min(row, rows - 1), 0)

    def _on_position(self, _: Any) -> None:
        """Another position is looked at: by the reader, or because a change has moved the words."""
        if self.state.scenario is self._answered:
            self._looked_at = None
        self._follow()

    # -- what is shown ---------------------------------------------------------------------------

    def _follow(self, *_: Any) -> None:
        if self.is_open:
            self.draw()

    def draw(self) -> None:
        """See `Section.draw`."""
        of = self._wanted()
        if of == self._of:
            self._making = None
            self._latest.forget()
        elif of != self._making and self._is_automatic():
            self._make()
        self._show()

    def _is_automatic(self) -> bool:
        return not self.state.learning and is_quick(self.state.scenario)

    def _wanted(self) -> object:
        """What the table says anything of."""
        scenario = self.state.scenario
        return (
            *(scenario.structure_key, scenario.edits, scenario.weights, scenario.mask_seed),
            *(self._answer(), self._to),
        )

    def _make(self) -> None:
        scenario, answer, of = self.state.scenario, self._answer(), self._wanted()
        self._making = of
        self._latest.make(
            partial(head_effects, self._runners, scenario, answer, self._to),
            lambda found: self._take(found, of),
        )
        self._show()

    def _take(self, found: HeadEffects, of: object) -> None:
        self._found, self._of, self._making = found, of, None
        self._show()

    def _show(self) -> None:
        self.form.fields = self._fields()
        found = self._found
        if found is None or not found.effects:
            self.table.visible = False
            return
        self.table.param.update(
            rows=[self._row(effect, found) for effect in self._rows()],
            head=self._head(found),
            visible=True,
        )

    def _rows(self) -> list[HeadEffect]:
        assert self._found is not None
        effects = list(self._found.effects)
        if self._order == EFFECT:
            effects.sort(key=lambda e: (-abs(e.lost or 0), -abs(e.change)))
        return effects

    def _row(self, effect: HeadEffect, found: HeadEffects) -> HeadRow:
        path = effect.silence.path
        return {
            "label": labels.place_words(path),
            "right": "" if effect.right is None else str(effect.right),
            "right_change": "" if effect.lost is None else _signed(-effect.lost, "d"),
            "share": 0.0 if effect.lost is None else effect.lost / max(1, found.total),
            "probability": f"{effect.probability:.3f}",
            "change": _signed(effect.change, ".3f"),
            "silent": any(
                each.part == effect.silence.part for each in self.state.scenario.silences
            ),
        }

    def _head(self, found: HeadEffects) -> dict[str, str]:
        row, column = self._answer()
        word = labels.visible([self.state.scenario.output_vocabulary[column]])[0] or "∅"
        return {
            "right": f"right of {found.total}" if found.right is not None else "",
            "probability": f"P(“{word}”) {self._where(row)}",
            "now": "as it is now",
            "right_now": "" if found.right is None else str(found.right),
            "probability_now": f"{found.probability:.3f}",
        }

    def _where(self, row: int) -> str:
        scenario = self.state.scenario
        has_decoder = bool(scenario.settings.decoder_layers)
        tokens = scenario.target if has_decoder else scenario.source
        said = labels.visible(tokens[row : row + 1])
        return f"{'after' if has_decoder else 'at'} “{(said and said[0]) or '∅'}”"

    def _fields(self) -> list[dict[str, Any]]:
        scenario = self.state.scenario
        fields: list[dict[str, Any]] = [
            {
                "name": "to",
                "kind": "choice",
                "label": "silenced to",
                "value": self._to,
                "options": [[value, silence.said(scenario, value)] for value in VALUES],
            },
            {
                "name": "order",
                "kind": "choice",
                "label": "sorted by",
                "value": self._order,
                "options": ORDERS,
            },
        ]
        said = self._said()
        if said:
            fields.insert(0, {"name": "said", "kind": "note", "label": "", "value": said})
        if self._offers():
            fields.append({"name": "ask", "kind": "action", "label": "Compute the table"})
        return fields

    def _offers(self) -> bool:
        is_due = self._of != self._wanted() and self._making is None
        return is_due and not self._is_automatic() and not self.state.learning

    def _said(self) -> str:
        if self._making is not None:
            return BUSY
        if self._found is not None and not self._found.effects:
            return NONE
        said = []
        if self._of is not None and self._of != self._wanted():
            said.append(CHANGED)
        if self.state.learning:
            said.append(LEARNING)
        elif self._offers():
            said.append(LARGE)
        return " ".join(said)

    # -- the answer that is looked at ------------------------------------------------------------

    def _answer(self) -> Answer:
        """A position, and a word there: what the reader chose, else what is likeliest.

        It stays the same while the text does: a table that spoke of another word at each press of
        a switch could not be compared with itself.
        """
        state, scenario = self.state, self.state.scenario
        probabilities = state.trace[PROBABILITIES].value
        typed = () if scenario.writes_itself else scenario.target
        of = (scenario.model, scenario.settings, scenario.source, typed, state.place.asked)
        last = len(probabilities) - 1
        chosen = self._chosen(last)
        if chosen is not None:
            answer = chosen
        elif self._looked_at is not None and self._looked_at[0] == of:
            row, column = self._looked_at[1]
            answer = min(row, last), column
        else:
            row = state.position if state.place.asked is None else state.place.asked
            row = last if row < 0 else min(row, last)
            answer = row, int(np.nan_to_num(probabilities[row]).argmax())
        self._looked_at, self._answered = (of, answer), scenario
        return answer

    def _chosen(self, last: int) -> Answer | None:
        """The word whose bar was pressed, or that another experiment looks at."""
        state = self.state
        words = state.scenario.output_vocabulary
        selection, place = state.selection, state.place
        if selection is not None and selection.path == PROBABILITIES and selection.row <= last:
            return selection.row, selection.column
        if place.asked is not None and place.asked <= last and place.word in words:
            return place.asked, words.index(place.word)
        return None


def _signed(value: float, form: str) -> str:
    """A change with its sign: ``+3``, ``−0.120``, ``0``."""
    text = f"{value:{form}}"
    if not float(text):
        return "0"
    return f"+{text}" if value > 0 else text.replace("-", "−")
