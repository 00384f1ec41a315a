"""Shows the logit lens: the words that the model would write if it stopped at an earlier depth."""

from collections.abc import Callable
from typing import Any

from ...components.component import changes
from ...components.form.fields import action, note, switch
from ...experiments.depths import SIDES, depth_words, read_stack
from ...experiments.lens_words import Lens, LensRow
from ...explain import labels
from ...explain.units import in_units
from ...model.matrices.address import CellAddress
from ...model.scenario.scenario import Scenario
from ...session.results import Results
from ...session.state import AppState
from .section import Section
from .token_table import CellIndex, ExperimentForm, TokenCell, TokenRows, TokenTable

READS = {
    "decoder": "Each row is what the decoder would write if it stopped there; the last row is "
    "what it writes.",
    "encoder": "This model has no decoder: each row is what the encoder would predict at each "
    "position if it stopped there; the last row is what it predicts.",
}
SET_OUTPUT = " The lens ignores logits and probabilities that you set."
LIKELY = 0.05  # less likely words are drawn faintly


class LensSection(Section):
    """A table of depths by positions; pressing a cell selects it."""

    title = "Lens"
    question = (
        "What would the model write if it stopped earlier? Here the output layer reads the "
        "residual stream after each sublayer."
    )

    def __init__(self, state: AppState, results: Results, ask: Callable[[], None]) -> None:
        self.state = state
        self.results = results
        self._ask = ask
        self.form = ExperimentForm()
        self.table = TokenTable(visible=False)
        super().__init__(self.form, self.table)
        self.form.param.watch(self._on_value, "value")
        self.form.on_press(lambda _name: self._ask())
        self.table.on_choose(self._on_choose)
        state.watch(self._follow, ["selection", "location"])
        results.param.watch(self._follow, "lens")

    def _on_value(self, event: Any) -> None:
        value = changes(event).get("lens")
        if value is not None and value != self.state.location.lens:
            self.state.go("lens", value)

    def _on_choose(self, cell: CellIndex) -> None:
        lens = self.results.lens.value
        if lens is not None and cell[1] < len(lens.rows):
            self.state.selection = CellAddress(lens.rows[cell[1]].path, cell[2], 0)

    def draw(self) -> None:
        result, scenario = self.results.lens, self.state.scenario
        said = READS[read_stack(scenario)]
        if not {"output.logits", "output.probabilities"}.isdisjoint(scenario.overrides()):
            said += SET_OUTPUT
        is_shown = self.state.location.lens
        fields = [
            note("said", said),
            switch("lens", in_units(scenario, "show these words in the picture, too"), is_shown),
        ]
        if result.said:
            fields.append(note("pending", result.said))
        if result.is_offered:
            fields.append(action("ask", "Compute the lens"))
        self.form.fields = fields
        lens = result.value
        if lens is None:
            self.table.visible = False
            return
        self.table.param.update(
            tables=[_table(result.key, lens)],
            chosen=[*self._chosen(lens)],
            visible=True,
            pending=result.pending,
        )

    def _chosen(self, shown: Lens) -> tuple[int, ...]:
        selection = self.state.selection
        for at, row in enumerate(shown.rows):
            if selection is not None and selection.path == row.path:
                return 0, at, selection.row
        return ()


def _table(scenario: Scenario, shown: Lens) -> TokenRows:
    columns = labels.visible(getattr(scenario, SIDES[shown.stack]))
    what = "after" if shown.stack == "decoder" else "at"
    return {
        "title": in_units(scenario, f"The likeliest word {what} each token, from depth to depth"),
        "columns": columns,
        "rows": [
            {
                "label": depth_words(row.path, shown.stack),
                "cells": [
                    _cell(row, k, f"{what} “{token or '∅'}”, {depth_words(row.path, shown.stack)}")
                    for k, token in enumerate(columns)
                ],
            }
            for row in shown.rows
        ],
    }


def _cell(row: LensRow, at: int, where: str) -> TokenCell:
    word, p = labels.shown(row.words[at]), row.probabilities[at]
    text = f"{word} {p:.2f}"
    return {"text": text, "title": f"{where}: “{word}” {p:.3f}", "share": p, "faint": p < LIKELY}
