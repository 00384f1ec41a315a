"""The header's line while the board shows gradients or changes, with its largest cells."""

from __future__ import annotations

from typing import Any

from ..components.plane.plane import Plane
from ..explain import descent, labels, largest
from ..explain.largest import Largest
from ..inference.descent import can_step, stepped
from ..inference.forward_pass import ForwardPassRunner
from ..scenario.scenario import Scenario
from ..session.results import Results
from ..session.state import AppState
from ..theme import SIGN_NAMES
from ..typed_text import quoted

BADGES = {
    "gradient": "Gradients of the loss",
    "change": "Change since the baseline",
    "patch": "Patched from the baseline",
}
WHAT = ("largest of a weight", "of a computed number")
# What the colors of its numbers mean, with the names of the two colors.
MEANS = {
    "gradient": "{more}: a little more here raises the loss; {less}: lowers it.",
    "change": "{more}: larger than in the baseline; {less}: smaller.",
}
NOTHING = {"gradient": "All of them are 0.", "change": "Nothing has changed."}
LARGE = "This model is large: its map is made in Measure, where a button asks for it."
WITH_ALL = ("picture", "formulas")  # the views that draw every matrix


class PlaneView:
    """Names the weight and the computed number of largest magnitude in the plane.

    Beside gradients it takes a step of gradient descent, and says what the step did.
    """

    def __init__(self, state: AppState, results: Results) -> None:
        self.state = state
        self.results = results
        self._is_on_board = True
        self.line = Plane(visible=False)
        self.line.on_back(self._on_back)
        self.line.on_go(self._on_go)
        self.line.on_step(self._on_step)
        self.line.on_undo(state.undo)
        self.line.on_rate(self._on_rate)
        state.watch_calmly(self._fill, ["scenario", "baseline"])
        results.param.watch(self._fill, "patch_map")
        self._fill()

    def show(self, is_on_board: bool) -> None:
        """Set whether the open view consists of matrices."""
        self._is_on_board = is_on_board
        self._fill()

    def _fill(self, *_: Any) -> None:
        view = self.state.scenario.view
        plane = view.plane
        if plane not in BADGES or not self._is_on_board:
            self.line.visible = False
            return
        if plane == "patch":
            self.line.param.update(
                value=BADGES[plane],
                meaning="",
                cells=[],
                nothing=self._map(),
                rate=None,
                stepped=[],
                visible=True,
            )
            return
        more, less = SIGN_NAMES[view.palette]
        self.line.param.update(
            value=BADGES[plane],
            meaning=MEANS[plane].format(more=more.capitalize(), less=less),
            cells=self._cells(plane),
            nothing=NOTHING[plane],
            rate=self._rate(plane),
            stepped=self._stepped() if plane == "gradient" else [],
            visible=True,
        )

    def _rate(self, plane: str) -> dict[str, Any] | None:
        """The field of the learning rate; None where no step is taken."""
        scenario, is_locked = self.state.scenario, bool(self.state.address.lock)
        if plane != "gradient" or is_locked or not can_step(scenario):
            return None
        return {**scenario.descent.field("learning_rate")}

    def _stepped(self) -> list[str]:
        """What the last change did, if it was a step."""
        state = self.state
        before, now = state.history.last, state.scenario
        if before is None or state.history.future or not _is_step(before, now):
            return []
        runner = ForwardPassRunner(beside=state.runner)
        runner.adopt(state.runner)
        said = descent.loss_words(before, now, runner)
        row = self._row(before)
        return [said, word] if (word := descent.word_words(before, now, row, runner)) else [said]

    def _row(self, scenario: Scenario) -> int | None:
        """The position whose word is followed; None if no written word is."""
        followed = self.state.location.followed
        stack = "decoder" if scenario.settings.decoder_layers else "encoder"
        return followed[1] if followed and followed[0] == stack else None

    def _map(self) -> str:
        """The answer that the map is about, or why there is no map."""
        shown = self.results.patch_map
        if shown.found is None:
            return shown.problem or (LARGE if shown.is_costly else "")
        found, scenario = shown.found, self.state.scenario
        tokens = scenario.target if scenario.settings.decoder_layers else scenario.source
        where = "after" if scenario.settings.decoder_layers else "at"
        token = tokens[found.asked.row] if found.asked.row < len(tokens) else "?"
        return (
            f"{quoted(found.asked.word)} {where} {quoted(token or '∅')}, with one row at a time as "
            f"in the baseline: from 0, as now ({found.now:.3f}), to 1, as there "
            f"({found.baseline:.3f}). More in Measure."
        )

    def _cells(self, plane: str) -> list[dict[str, Any]]:
        scenario, trace = self.state.shown
        of: largest.Plane = largest.gradient
        if plane == "change":
            pinned = self.state.pinned
            if pinned is None:
                return []
            of = largest.change(pinned.trace)
        found = (
            largest.largest_learned(scenario, trace, of),
            largest.largest_computed(trace, of),
        )
        return [self._cell(what, x) for what, x in zip(WHAT, found, strict=True) if x]

    def _cell(self, what: str, found: Largest) -> dict[str, Any]:
        tokens, (path, row, column) = self.state.scenario.axis_tokens, found.address
        return {
            "what": what,
            "path": path,
            "i": row,
            "j": column,
            "name": found.name(tokens),
            "place": labels.place_words(path),
            "where": found.where(tokens),
            "value": found.value,
        }

    def _on_back(self) -> None:
        self.state.change(self.state.scenario.with_view("plane", "value"))

    def _on_step(self) -> None:
        try:
            self.state.change(stepped(self.state.scenario, self.state.runner))
        except ValueError as error:
            self.state.refuse(str(error))

    def _on_rate(self, raw: str) -> None:
        scenario = self.state.scenario
        try:
            descent = scenario.descent.changed("learning_rate", raw)
        except ValueError as error:
            self.line.problem = str(error)
            return
        self.line.problem = ""
        self.state.change(scenario.with_descent(descent))

    def _on_go(self) -> None:
        if self.state.location.view not in WITH_ALL:
            self.state.go("view", WITH_ALL[0])


def _is_step(before: Scenario, now: Scenario) -> bool:
    return before.model == now.model and now.descents == before.descents + 1
