"""Shows the patch map: the rows of the residual stream that carry the baseline's answer."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ...components.component import changes
from ...components.form.fields import action, choice, note
from ...experiments import matching, patching
from ...experiments.depths import SIDES, Stack, depth_words
from ...experiments.patch_map import SiteMap, SiteRow
from ...explain import labels
from ...explain.suggestions import Swap, swap
from ...model.matrices.address import CellAddress
from ...model.matrices.resolved_cell import resolve
from ...model.matrices.values import ScenarioTrace
from ...model.scenario.scenario import Scenario
from ...number_text import fixed
from ...session.offer import UNDO, Offer
from ...session.results import PatchMap, Results
from ...session.state import AppState
from ...typed_text import quoted
from ...view_model.page_location import FIRST_FORM
from .section import Section
from .token_table import CellIndex, ExperimentForm, TokenCell, TokenRows, TokenTable

PRESS = "Press a cell to read what the page puts there."
FAINT = 0.05  # smaller shares are drawn faintly


class PatchSection(Section):
    """A table of sites; a press selects a site, and a selected site can be patched permanently."""

    title = "Patch map"
    question = (
        "Where in the model does the difference between two texts travel? The page replaces one "
        "row of the residual stream at a time by the same row of the pinned text, the baseline. "
        "The map shows how much of the baseline’s answer each row brings back."
    )

    def __init__(self, state: AppState, results: Results, ask: Callable[[], None]) -> None:
        self.state = state
        self.results = results
        self._ask = ask
        self._swap: Swap | None = None
        self._of_swap: object = None
        self.form = ExperimentForm()
        self.table = TokenTable(visible=False)
        self.site = ExperimentForm(visible=False)
        super().__init__(self.form, self.table, self.site)
        self.form.param.watch(self._on_value, "value")
        self.form.on_press(self._on_press)
        self.site.on_press(self._on_press)
        self.table.on_choose(self._on_choose)
        results.param.watch(self._follow, "patch_map")
        state.watch_calmly(self._follow, ["scenario", "baseline", "selection"])

    # -- from the user ---------------------------------------------------------------------------

    def _on_value(self, event: Any) -> None:
        for name, value in changes(event).items():
            if name == "position" and self._asked_row() != value:
                self.state.location = self.state.location._replace(asked=value, word="")
            elif name == "word" and self._asked_word() != value:
                self.state.go("word", value)

    def _on_press(self, name: str) -> None:
        if name == "ask":
            self._ask()
        elif name == "example":
            self._begin_example()
        elif name == "patch":
            self._patch()
        elif name == "whole":
            self.state.go("form", FIRST_FORM)

    def _on_choose(self, cell: CellIndex) -> None:
        found = self._found
        if found is not None:
            site = _tables(found)[cell[0]][cell[1]]
            self.state.selection = CellAddress(site.path, cell[2], 0)

    def _begin_example(self) -> None:
        """Pin the current text as the baseline, and replace one of its words."""
        state, found = self.state, self._example()
        if found is None or not state.experiment.may_begin():
            return
        tokens = list(getattr(state.scenario, found.side))
        tokens[found.position] = found.token
        state.baseline = state.scenario
        state.change(state.scenario.with_tokens(found.side, tokens))

    def _patch(self) -> None:
        state, chosen, pinned = self.state, self._chosen(), self.state.pinned
        if chosen is None or pinned is None or state.selection is None:
            return
        now = ScenarioTrace(state.scenario, state.trace)
        try:
            cell = resolve(now.trace, state.selection)
            found = patching.patched(now, pinned, cell, patching.ROW)
            state.change(found.scenario)
        except (KeyError, ValueError) as error:
            state.notice = str(error.args[0])
            return
        if state.scenario.edits != now.scenario.edits:
            state.offer = Offer(
                "The row is now as in the baseline; Restore in the inspector undoes that.", UNDO
            )

    # -- drawing ---------------------------------------------------------------------------------

    def draw(self) -> None:
        result, found = self.results.patch_map.result, self._found
        self.form.fields = self._fields()
        if found is None:
            self.table.visible = self.site.visible = False
            return
        now, then, _ = result.key
        tables = [_table(now, then, found, rows) for rows in _tables(found)]
        legend = {
            "low": f"0: as now, {found.now:.3f}",
            "high": f"1: as in the baseline, {found.baseline:.3f}",
        }
        self.table.param.update(
            tables=tables, legend=legend, chosen=[*(self._chosen() or ())], visible=True
        )
        self.table.pending = self.site.pending = result.pending
        self._draw_site(found)

    def _draw_site(self, found: SiteMap) -> None:
        """Explain the pressed site; the text is always visible, so that nothing moves."""
        chosen, said, can_be = self._chosen(), PRESS, False
        if chosen is not None:
            table, row, column = chosen
            site = _tables(found)[table][row]
            now, then, _ = self.results.patch_map.result.key
            said = _cell(_names(now, then, site.stack), found, site, column)["title"]
            can_be = not np.isnan(site.probabilities[column])
        self.site.param.update(
            fields=[
                note("said", said, "site"),
                action("patch", "Patch this row", disabled=not can_be),
                action("whole", "Show it in the picture", disabled=chosen is None),
            ],
            visible=True,
        )

    @property
    def _found(self) -> SiteMap | None:
        shown: PatchMap = self.results.patch_map
        return shown.result.value

    def _chosen(self) -> CellIndex | None:
        """Return the table, row and column of the selected site; None if no site is selected."""
        found, selection = self._found, self.state.selection
        if found is None or selection is None:
            return None
        for t, rows in enumerate(_tables(found)):
            for i, site in enumerate(rows):
                if site.path == selection.path and selection.row < len(site.probabilities):
                    return t, i, selection.row
        return None

    def _asked_row(self) -> int | None:
        asked = self.results.patch_map.asked
        return None if asked is None else asked.row

    def _asked_word(self) -> str:
        asked = self.results.patch_map.asked
        return "" if asked is None else asked.word

    def _fields(self) -> list[dict[str, Any]]:
        state, shown = self.state, self.results.patch_map
        fields: list[dict[str, Any]] = []
        if shown.asked is not None and state.baseline is not None:
            words = [(word, word or "∅") for word in shown.words]
            fields += [
                choice("position", "the next word", shown.asked.row, _positions(state.scenario)),
                choice("word", "probability of", shown.asked.word, words),
            ]
        said = [shown.problem or shown.result.said]
        if state.baseline is not None:
            said.append(matching.sentence(state.scenario, state.baseline))
        if shown.result.is_offered:
            said.append("This model is large: the map may take minutes.")
            fields.append(action("ask", "Compute the map"))
        if state.baseline is None and (found := self._example()) is not None:
            word = getattr(state.scenario, found.side)[found.position]
            label = f"Example: pin this text, and change {quoted(word)} to {quoted(found.token)}"
            fields.append(action("example", label))
        if any(said):
            fields.insert(0, note("said", " ".join(filter(None, said))))
        return fields

    def _example(self) -> Swap | None:
        """Return a replacement for one word of the text, computed once per text."""
        scenario = self.state.scenario
        of = (scenario.model, scenario.settings, scenario.source, scenario.target)
        if of != self._of_swap:
            self._of_swap, self._swap = of, swap(scenario, self.state.trace)
        return self._swap


def _tables(found: SiteMap) -> list[list[SiteRow]]:
    """Return the rows of the map, grouped by stack."""
    stacks = dict.fromkeys(row.stack for row in found.rows)
    return [[row for row in found.rows if row.stack == stack] for stack in stacks]


def _names(now: Scenario, then: Scenario | None, stack: Stack) -> list[tuple[str, str]]:
    """Return each token, with the token of the baseline whose row can replace the token's row."""
    side = SIDES[stack]
    tokens = [labels.shown(token) for token in getattr(now, side)]
    if then is None:
        return [(token, token) for token in tokens]
    others = [labels.shown(token) for token in getattr(then, side)]
    partners = matching.match(now, then, side)
    return [
        (token, token if at is None else others[at])
        for token, at in zip(tokens, partners, strict=True)
    ]


def _table(now: Scenario, then: Scenario | None, found: SiteMap, rows: list[SiteRow]) -> TokenRows:
    stack = rows[0].stack
    names = _names(now, then, stack)
    columns = [own if own == other else f"{own} ← {other}" for own, other in names]
    return {
        "title": f"{stack.capitalize()}: share of the baseline’s answer",
        "columns": columns,
        "rows": [
            {
                "label": depth_words(row.path, stack),
                "cells": [_cell(names, found, row, k) for k in range(len(columns))],
            }
            for row in rows
        ],
    }


def _cell(names: list[tuple[str, str]], found: SiteMap, row: SiteRow, column: int) -> TokenCell:
    token, other = names[column]
    where = f"“{token}” {depth_words(row.path, row.stack)}"
    share = float(found.shares(row)[column])
    if np.isnan(share):
        title = f"{where}: no token of the baseline is matched to it"
        return {"text": "–", "title": title, "share": None, "faint": True}
    text = fixed(share, 2)
    p = float(row.probabilities[column])
    put = "as in the baseline" if other == token else f"becomes “{other}” of the baseline"
    title = f"{where} {put}: {quoted(found.asked.word)} {p:.3f}, share {text}"
    return {"text": text, "title": title, "share": share, "faint": abs(share) < FAINT}


def _positions(scenario: Scenario) -> list[list[Any]]:
    tokens = labels.visible(scenario.output_tokens)
    what = "after" if scenario.settings.decoder_layers else "at"
    return [[k, f"{what} “{token or '∅'}” (position {k})"] for k, token in enumerate(tokens)]
