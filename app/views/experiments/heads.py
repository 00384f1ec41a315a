"""Accuracy and the model's confidence with each attention head silenced."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple, TypedDict

import numpy as np

from ...components.component import changes
from ...components.head_table.head_table import HeadRow, HeadTable
from ...components.token_table.token_table import ExperimentForm
from ...experiments.head_effects import (
    Answer,
    HeadEffect,
    HeadEffects,
    Runners,
    has_read_pairs,
    head_effects,
    multiply_adds,
    read_pairs,
)
from ...explain import labels, silence
from ...inference import cost
from ...inference.written_words import changed_words
from ...matrices.address import PROBABILITIES, CellAddress
from ...matrices.attention import strongest
from ...runtime.background import LatestJob
from ...runtime.page_session import PageSession
from ...scenario.scenario import Scenario
from ...scenario.silences import VALUES, ZERO
from ...session.state import AppState
from .section import Section

PLACE, EFFECT = "place", "effect"
ORDERS = [[EFFECT, "what it does"], [PLACE, "where it stands"]]
NONE = "This model has no attention."
BUSY = "Computing …"
CHANGED = "Numbers have changed since."
LARGE = "This model is large: the table takes some seconds."
LEARNING = "The table is made when the training rests."


class _FinishedTable(NamedTuple):
    """A finished table, with what it was computed for, which may differ from what is shown by now.

    Attributes:
        effects: the measured effects of the heads.
        of: the key that ``HeadsSection._wanted`` returned for it.
        title: the heading of the probabilities.
    """

    effects: HeadEffects
    of: object
    title: str


class HeadsSection(Section):
    """A table of heads, each with a switch that silences or releases it."""

    title = "Which head matters"
    question = (
        "What would the model no longer know without a head? Each is silenced by itself: how many "
        "texts that it has not seen come out right then, how likely is the word that is looked "
        "at, and what is written?"
    )

    def __init__(self, state: AppState, page: PageSession) -> None:
        self.state = state
        self.form = ExperimentForm()
        self.table = HeadTable(visible=False)
        super().__init__(self.form, self.table)
        self._to, self._order = ZERO, EFFECT
        self._latest, self._runners = LatestJob(page), Runners.sharing(state.runner)
        self._found: _FinishedTable | None = None
        self._making: object = None  # the key of the table being computed
        self._failed: tuple[object, str] = None, ""  # the key of the table that failed, and why
        self._looked_at: tuple[object, int, str] | None = None  # text, position, word
        self._answered: Scenario | None = None  # the scenario in which that was chosen
        self.form.param.watch(self._on_value, "value")
        self.form.on_press(lambda _: self._make())
        self.table.on_switch(self._on_switch)
        state.param.watch(self._on_position, "position")
        state.param.watch(self._follow, ["location", "selection"])
        state.watch_calmly(self._follow, "scenario")

    # -- from the user ---------------------------------------------------------------------------

    def _on_value(self, event: Any) -> None:
        for name, value in changes(event).items():
            if name == "to" and value in VALUES:
                self._to = value
            elif name == "order" and value in (PLACE, EFFECT):
                self._order = value
        self._follow()

    def _on_switch(self, row: int) -> None:
        """Silence or release a head, and select it."""
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
        """Show the head in the other views and the inspector."""
        state = self.state
        scope, _, head = path.removesuffix(".context").partition(".head.")
        if path not in state.trace:
            return
        state.attention_focus = strongest(state.trace, scope, int(head))
        row = self._answer()[0] if scope.startswith("decoder") else 0
        rows = state.trace[path].shape[0]
        state.selection = CellAddress(path, min(row, rows - 1), 0)

    def _on_position(self, _: Any) -> None:
        """Follow another position, chosen by the user or due to a change that moved the words."""
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
        if self._found is not None and of == self._found.of:
            self._making = None
            self._latest.cancel()
        elif of in (self._making, self._failed[0]):
            pass
        elif not has_read_pairs(self.state.scenario):
            self._read_pairs(of)
        elif self._is_automatic():
            self._make()
        self._show()

    def _read_pairs(self, of: object) -> None:
        """Read the pairs in a thread; there may be many, and a table's cost depends on them."""
        self._making = of
        make = partial(_read, self.state.scenario)
        self._latest.run(make, lambda _: self._have_pairs(), partial(self._fail, of))

    def _have_pairs(self) -> None:
        self._making = None
        self._follow()

    def _is_automatic(self) -> bool:
        return not self.state.learning and _is_automatic(self.state.scenario)

    def _wanted(self) -> object:
        """A key of everything that the table depends on."""
        scenario = self.state.scenario
        return (
            *(scenario.structure_key, scenario.edits, scenario.weights, scenario.mask_seed),
            *(self._answer(), self._to),
        )

    def _make(self) -> None:
        scenario, answer, of = self.state.scenario, self._answer(), self._wanted()
        title = self._title(answer)
        self._making, self._failed = of, (None, "")
        self._latest.run(
            partial(head_effects, self._runners, scenario, answer, self._to),
            lambda effects: self._take(_FinishedTable(effects, of, title)),
            partial(self._fail, of),
            is_large=not _is_automatic(scenario),
        )
        self._show()

    def _take(self, found: _FinishedTable) -> None:
        self._found, self._making = found, None
        self._show()

    def _fail(self, of: object, said: str) -> None:
        self._failed, self._making = (of, said), None
        self._show()

    def _show(self) -> None:
        self.form.fields = self._fields()
        found = self._found
        if found is None or not found.effects.effects:
            self.table.visible = False
            return
        self.table.param.update(
            rows=[self._row(effect, found.effects) for effect in self._rows()],
            head=self._head(found),
            visible=True,
        )

    def _rows(self) -> list[HeadEffect]:
        assert self._found is not None
        effects = list(self._found.effects.effects)
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
            **_writes(effect, found),
        }

    def _head(self, found: _FinishedTable) -> dict[str, str]:
        effects = found.effects
        return {
            "right": f"right of {effects.total}" if effects.right is not None else "",
            "probability": found.title,
            "now": "as it is now",
            "right_now": "" if effects.right is None else str(effects.right),
            "probability_now": f"{effects.probability:.3f}",
        }

    def _title(self, answer: Answer) -> str:
        row, column = answer
        word = labels.visible([self.state.scenario.output_vocabulary[column]])[0] or "∅"
        return f"P(“{word}”) {self._where(row)}"

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
        if self._making is not None or self.state.learning or not self._is_stale():
            return False
        if self._failed[0] == self._wanted():  # the same table may be requested again
            return has_read_pairs(self.state.scenario)
        return not self._is_automatic()

    def _is_stale(self) -> bool:
        """Whether the present table is not the wanted one."""
        return self._found is None or self._found.of != self._wanted()

    def _said(self) -> str:
        if self._making is not None:
            return BUSY
        if self._found is not None and not self._found.effects.effects:
            return NONE
        said = []
        if self._found is not None and self._is_stale():
            said.append(CHANGED)
        if self._failed[0] == self._wanted():
            said.append(self._failed[1])
        elif self.state.learning:
            said.append(LEARNING)
        elif self._offers():
            said.append(LARGE)
        return " ".join(said)

    # -- the answer ------------------------------------------------------------------------------

    def _answer(self) -> Answer:
        """A position and a word there: the user's choice, else the likeliest.

        It stays the same as long as the text does: if pressing a switch changed the word, tables
        before and after could not be compared.
        """
        state, scenario = self.state, self.state.scenario
        probabilities = state.trace[PROBABILITIES].value
        typed = () if scenario.writes_itself else scenario.target
        of = (scenario.model, scenario.settings, scenario.source, typed, state.location.asked)
        last = len(probabilities) - 1
        chosen = self._chosen(last)
        if chosen is not None:
            answer = chosen
        elif (known := self._known(of)) is not None:
            answer = min(known[0], last), known[1]
        else:
            row = state.position if state.location.asked is None else state.location.asked
            row = last if row < 0 else min(row, last)
            answer = row, int(np.nan_to_num(probabilities[row]).argmax())
        row, column = answer
        # Keep the word, not its column, which changes when an earlier word is removed.
        self._looked_at = of, row, scenario.output_vocabulary[column]
        self._answered = scenario
        return answer

    def _known(self, of: object) -> Answer | None:
        """The earlier answer for this text, unless its word is no longer in the vocabulary."""
        words = self.state.scenario.output_vocabulary
        if self._looked_at is None or self._looked_at[0] != of:
            return None
        _, row, word = self._looked_at
        return (row, words.index(word)) if word in words else None

    def _chosen(self, last: int) -> Answer | None:
        """The word whose bar was pressed, or that another experiment is about."""
        state = self.state
        words = state.scenario.output_vocabulary
        selection, location = state.selection, state.location
        is_chosen = selection is not None and selection.path == PROBABILITIES
        if is_chosen and selection.row <= last and selection.column < len(words):
            return selection.row, selection.column
        if location.asked is not None and location.asked <= last and location.word in words:
            return location.asked, words.index(location.word)
        return None


def _is_automatic(scenario: Scenario) -> bool:
    """Whether the table is cheap enough to be computed without a request."""
    return cost.fits_unasked(multiply_adds(scenario))


def _read(scenario: Scenario, _go_on: object) -> None:
    read_pairs(scenario)


class _Writes(TypedDict):
    writes: list[tuple[str, bool]] | None
    same: bool


def _writes(effect: HeadEffect, found: HeadEffects) -> _Writes:
    """The sentence that is written with a head silenced, for its row."""
    now, then = found.written, effect.written
    if now is None or then is None:
        return {"writes": None, "same": False}
    words = zip(labels.visible(then), changed_words(now, then), strict=True)
    return {"writes": list(words), "same": now == then}


def _signed(value: float, form: str) -> str:
    """Format a change with its sign: ``+3``, ``−0.120``, ``0``."""
    text = f"{value:{form}}"
    if not float(text):
        return "0"
    return f"+{text}" if value > 0 else text.replace("-", "−")
