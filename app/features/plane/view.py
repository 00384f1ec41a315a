"""Shows the header's line on the board's gradients or changes, with the largest cells."""

from typing import Any

from ...explain import descent, labels, largest, right_words
from ...explain.apart import share
from ...explain.largest import Largest
from ...explain.right_words import RightWord
from ...explain.units import in_units
from ...model.inference.descent import after_steps, can_step
from ...model.inference.forward_pass import ForwardPassRunner
from ...model.scenario.scenario import Scenario
from ...session.results import Results
from ...session.state import AppState
from ...theme import SIGN_NAMES
from ...typed_text import quoted
from .plane import Plane

BADGES = {
    "gradient": "Gradients of the loss",
    "change": "What has changed",
    "patch": "Patched from the baseline",
}
WHAT = {
    "gradient": ("steepest weight", "steepest activation"),
    "change": ("weight that changed most", "number that changed most"),
}
# The meaning of the colors, with the names of the two colors.
MEANS = {
    "gradient": "{more}: increasing the number raises the loss; {less}: it lowers the loss.",
    "change": "{more}: larger than before; {less}: smaller.",
}
# Attributes that a step of gradient descent does not change.
BESIDE_A_STEP = ("model", "source", "settings", "steps_taken")
NOTHING = {"gradient": "All of them are 0.", "change": "Nothing has changed."}
NOTHING_TAUGHT: dict[str, Any] = {
    "stepped": [],
    "right": [],
    "known": [],
    "teaches": "",
    "can_write": False,
}
LARGE = "This model is large: its map is made in Measure, where a button asks for it."
WITH_ALL = ("picture", "formulas")  # the views that draw every matrix


class PlaneView:
    """Names the weight and the computed number of largest magnitude in the plane.

    For gradients it takes steps of gradient descent toward target words that can be chosen, and
    reports the effect of the steps.
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
        self.line.on_word(self._on_word)
        self.line.on_write(lambda: state.change(state.scenario.with_writing(True)))
        state.watch_calmly(self._fill, ["scenario", "baseline", "oscillation"])
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
            self.line.update_changed(visible=False)
            return
        more, less = SIGN_NAMES[view.palette]
        rate, is_map = self._rate(plane), plane == "patch"
        self.line.param.update(
            value=BADGES[plane],
            meaning=MEANS.get(plane, "").format(more=more.capitalize(), less=less),
            cells=[] if is_map else self._cells(plane),
            swings=self.state.oscillation.on,
            nothing=self._map() if is_map else NOTHING[plane],
            rate=rate,
            **(self._taught() if rate else NOTHING_TAUGHT),
            visible=True,
        )

    def _rate(self, plane: str) -> dict[str, Any] | None:
        """Return the form field of the learning rate; None if no step can be taken."""
        scenario, is_locked = self.state.scenario, bool(self.state.address.lock)
        if plane != "gradient" or is_locked or not can_step(scenario):
            return None
        return {**scenario.descent.field("learning_rate")}

    def _taught(self) -> dict[str, Any]:
        """Return the target words, the goal of a step, and the effect of the last step."""
        state = self.state
        now, before = state.scenario, self._before_step()
        words = right_words.right_words(now, state.runner)
        stepped, earlier = [], []
        if before is not None:
            runner = ForwardPassRunner(beside=state.runner)
            runner.adopt(state.runner)
            earlier = right_words.right_words(before, runner)
            row = right_words.first_other(earlier)
            row = self._row(before) if row is None else row
            said = descent.loss_words(before, now, runner)
            word = descent.word_words(before, now, row, runner)
            stepped = [said, word] if word else [said]
        is_taught = bool(words) and now.descents > 0 and right_words.first_other(words) is None
        return {
            "stepped": stepped,
            "right": [_right_word(each) for each in words],
            "known": [[label, list(some)] for label, some in right_words.words_to_choose(now)],
            "teaches": in_units(now, right_words.to_teach(words, earlier)),
            "can_write": is_taught and now.can_write and not now.writes_itself,
        }

    def _before_step(self) -> Scenario | None:
        """Return the scenario before the last edit if the edit was a step, else None."""
        edit = self.state.current.last_edit
        is_step = edit is not None and _is_step(edit.before, self.state.scenario)
        return edit.before if edit is not None and is_step else None

    def _row(self, scenario: Scenario) -> int | None:
        """Return the position of the followed output word; None if none is followed."""
        followed = self.state.location.followed
        stack = "decoder" if scenario.settings.decoder_layers else "encoder"
        return followed[1] if followed and followed[0] == stack else None

    def _map(self) -> str:
        """Return a sentence on the map's answer, or the reason why there is no map."""
        shown = self.results.patch_map
        scenario = self.state.scenario
        found = shown.found_in(scenario)
        if found is None:
            return shown.problem or (LARGE if shown.result.is_offered else shown.result.note)
        tokens = scenario.output_tokens
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
            pinned = self.state.compared
            if pinned is None:
                return []
            of = largest.change(pinned.trace, trace)
        found = (
            largest.largest_learned(scenario, trace, of),
            largest.largest_computed(trace, of),
        )
        return [self._cell(what, x) for what, x in zip(WHAT[plane], found, strict=True) if x]

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

    def _on_step(self, count: int) -> None:
        with self.state.refusing():
            self.state.change(after_steps(self.state.scenario, self.state.runner, count))

    def _on_word(self, at: int, word: str) -> None:
        with self.state.refusing():
            # Typing in a list of words selects other words first: merge them into one undo step.
            self.state.change(self.state.scenario.with_label(at, word), ("right word", at))

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
    is_same = all(getattr(before, name) == getattr(now, name) for name in BESIDE_A_STEP)
    return is_same and now.descents > before.descents


def _right_word(found: RightWord) -> dict[str, Any]:
    text, written = (word or "∅" for word in labels.visible((found.word, found.written)))
    return {
        "at": found.position,
        "word": found.word,
        "text": text,
        "p": share(found.probability),
        "writes": "" if found.is_written else written,
        "open": found.open,
    }
