"""What the model loses without each attention head, or each hidden unit."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ...components.component import changes
from ...components.head_table.head_table import HeadTable
from ...components.token_table.token_table import ExperimentForm
from ...experiments import head_effects as of_heads
from ...experiments import unit_effects as of_units
from ...experiments.head_effects import has_read_pairs, head_effects, read_pairs
from ...experiments.part_effects import Answer, PartEffect, PartEffects, Runners, is_silenced
from ...experiments.unit_effects import unit_effects
from ...explain import silence
from ...inference import cost
from ...matrices.address import PROBABILITIES, CellAddress
from ...matrices.attention import strongest
from ...runtime.background import LatestJob
from ...runtime.page_session import PageSession
from ...scenario.scenario import Scenario
from ...scenario.silences import VALUES, ZERO, Silence
from ...session.state import AppState
from . import effect_words
from .effect_words import HEADS, NAMES, UNITS, FinishedTable
from .section import Section

PLACE, EFFECT = "place", "effect"
ORDERS = [[EFFECT, "what it does"], [PLACE, "where it stands"]]
KINDS = [[HEADS, "attention heads"], [UNITS, "hidden units"]]
NONE = {HEADS: "This model has no attention.", UNITS: "This model has no feed-forward network."}
MOST_UNITS = 40  # rows; a model may have thousands of units
BUSY = "Computing …"
CHANGED = "Numbers have changed since."
LARGE = "This model is large: the table takes some seconds."
LEARNING = "The table is made when the training rests."


class HeadsSection(Section):
    """A table of heads or hidden units, each with a switch that silences or releases it."""

    title = "Which head or unit matters"
    question = (
        "What would the model no longer know without a part of it? Each is silenced by itself: how "
        "likely is the word that is looked at then, and what is written in its place? Of heads "
        "also: how many texts that it has not seen still come out right, and which word does each "
        "look at most there? A press silences the part in the picture, too."
    )

    def __init__(self, state: AppState, page: PageSession) -> None:
        self.state = state
        self.form = ExperimentForm()
        self.table = HeadTable(visible=False)
        super().__init__(self.form, self.table)
        self._kind, self._to, self._order = HEADS, ZERO, EFFECT
        self._latest, self._runners = LatestJob(page), Runners.sharing(state.runner)
        self._found: FinishedTable | None = None
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
            elif name == "kind" and value in NAMES:
                self._kind = value
        self._follow()

    def _on_switch(self, row: int) -> None:
        """Silence or release a part, and select it."""
        if self._found is None:
            return
        effect, state = self._rows()[row], self.state
        part = effect.silence
        is_silent = is_silenced(state.scenario, part)
        try:
            changed = silence.with_silence(
                state.scenario, part.part, None if is_silent else part.to
            )
        except ValueError as error:
            state.notice = str(error)
            return
        state.change(changed)
        if state.scenario is changed or state.scenario.silences == changed.silences:
            self._show_part(part)

    def _show_part(self, part: Silence) -> None:
        """Show the head or unit in the other views and the inspector."""
        state, path = self.state, part.path
        if path not in state.trace:
            return
        if part.column is None:
            scope, _, head = path.removesuffix(".context").partition(".head.")
            state.attention_focus = strongest(state.trace, scope, int(head))
        row = self._answer()[0] if path.startswith("decoder") else 0
        rows = state.trace[path].shape[0]
        state.selection = CellAddress(path, min(row, rows - 1), part.column or 0)

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
        return not self.state.learning and _is_automatic(self.state.scenario, self._kind)

    def _wanted(self) -> object:
        """A key of everything that the table depends on."""
        scenario = self.state.scenario
        return (
            *(scenario.structure_key, scenario.edits, scenario.weights, scenario.mask_seed),
            *(self._answer(), self._kind, self._to),
        )

    def _make(self) -> None:
        scenario, answer, of = self.state.scenario, self._answer(), self._wanted()
        kind = self._kind
        measure = head_effects if kind == HEADS else unit_effects
        title = effect_words.title(self.state.scenario, answer)
        self._making, self._failed = of, (None, "")
        self._latest.run(
            partial(measure, self._runners, scenario, answer, self._to),
            lambda effects: self._take(FinishedTable(kind, effects, of, title)),
            partial(self._fail, of),
            is_large=not _is_automatic(scenario, kind),
        )
        self._show()

    def _take(self, found: FinishedTable) -> None:
        self._found, self._making = found, None
        self._show()

    def _fail(self, of: object, said: str) -> None:
        self._failed, self._making = (of, said), None
        self._show()

    def _show(self) -> None:
        self.form.fields = self._fields()
        found, scenario = self._found, self.state.scenario
        if found is None or found.kind != self._kind or not found.effects.effects:
            self.table.visible = False
            return
        self.table.param.update(
            rows=[effect_words.row(scenario, each, found.effects) for each in self._rows()],
            head=effect_words.titles(scenario, found, self._sorted()[0]),
            visible=True,
        )

    def _rows(self) -> list[PartEffect]:
        """The parts that are shown; of many units those that do most."""
        assert self._found is not None
        effects = self._sorted()
        if self._order == PLACE:
            shown = {each.silence.part for each in effects}
            return [each for each in self._found.effects.effects if each.silence.part in shown]
        return effects

    def _sorted(self) -> list[PartEffect]:
        assert self._found is not None
        effects = sorted(
            self._found.effects.effects, key=lambda e: (-abs(e.lost or 0), -abs(e.change))
        )
        return effects if self._found.kind == HEADS else effects[:MOST_UNITS]

    def _fields(self) -> list[dict[str, Any]]:
        scenario = self.state.scenario
        fields: list[dict[str, Any]] = [
            {
                "name": "kind",
                "kind": "choice",
                "label": "rank",
                "value": self._kind,
                "options": KINDS,
            },
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
        found = self._found if self._found and self._found.kind == self._kind else None
        if found is not None and not found.effects.effects:
            return NONE[self._kind]
        said = []
        if found is not None and self._is_stale():
            said.append(CHANGED)
        if found is not None and found.kind == UNITS:
            said.append(_left_out(found.effects))
        if self._failed[0] == self._wanted():
            said.append(self._failed[1])
        elif self.state.learning:
            said.append(LEARNING)
        elif self._offers():
            said.append(LARGE)
        return " ".join(filter(None, said))

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


def _left_out(found: PartEffects) -> str:
    """Which units are not in the table, and why; empty if all of them are."""
    tried = len(found.effects)
    said = []
    if tried < found.parts:
        said.append(
            f"{tried:,} of {found.parts:,} units were tried, those that add the longest vectors to "
            f"the residual stream; {found.parts - tried:,} were not."
        )
    if tried > MOST_UNITS:
        said.append(f"The {MOST_UNITS} that do most are shown.")
    return " ".join(said)


def _is_automatic(scenario: Scenario, kind: str) -> bool:
    """Whether the table is cheap enough to be computed without a request."""
    measure = of_heads if kind == HEADS else of_units
    return cost.fits_unasked(measure.multiply_adds(scenario))


def _read(scenario: Scenario, _go_on: object) -> None:
    read_pairs(scenario)
