"""Shows queries and keys as arrows: one row of a head, with draggable arrows."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from transformer_math.explain.plane import Plane

from ...components.component import Message, Placed, changes
from ...components.form.fields import choice
from ...components.form.form import Form
from ...explain import labels
from ...model.matrices.attention import AttentionFocus, of_row, resolve_focus, scopes
from ...model.scenario.lock import ALL
from ...model.scenario.scenario import Scenario
from ..kit.picture import CONTROLS, ROOM, IdeaPicture, rounded
from . import computation as arrows
from .arrows import Arrows
from .computation import QueryRow

OF_QUERIES = ("q", "raw_scores", "scores", "masked_scores", "weights", "context")
OF_KEYS = ("k", "v")

AXES = {
    "query": ("along the query", "across it"),
    "widest": ("arrows differ most this way", "second most this way"),
}


class ArrowsPicture(IdeaPicture):
    """Draws the row in focus, and overrides the query or key that is dragged."""

    name = "arrows"
    tells = True
    watched = ("scenario", "ideas", "attention_focus", "location")

    def parts(self) -> Sequence[Placed]:
        self._row: QueryRow | None = None
        self._usual: tuple[object, AttentionFocus] | None = None  # the header's row, its focus
        self._plane: tuple[object, Plane] | None = None  # the cache key, and the plane
        self._values: Plane | None = None  # the plane of the weighted values
        # The number of the press, the index of the dragged arrow, and its vector at the press.
        self._grip: tuple[int, int, np.ndarray] | None = None
        self.form = Form(layout="row", stylesheets=[CONTROLS], margin=ROOM)
        self.form.param.watch(self._on_choice, "value")
        self.arrows = Arrows(on_message=self.hear, label="Query and keys as arrows")
        return [self.form, self.said, self.arrows]

    def begin(self) -> None:
        """Open the picture at the row of the selected number."""
        cell, trace = self.state.cell, self.state.trace
        if cell is None or cell.head is None:
            return
        scope, _, leaf = cell.stored.rpartition(".")
        if scope not in scopes(trace):
            return
        focus = resolve_focus(trace, AttentionFocus(scope, cell.head))
        if leaf in OF_QUERIES:
            focus = focus._replace(query=cell.row)
            if leaf not in ("q", "context"):
                focus = focus._replace(key=cell.column)
        elif leaf in OF_KEYS:
            focus = focus._replace(key=cell.row)
        self.state.attention_focus = resolve_focus(trace, focus)

    # -- drawing -------------------------------------------------------------------------------

    def draw(self) -> None:
        scenario, trace = self.state.scenario, self.state.trace
        focus = self._focus()
        self._row = row = arrows.row(scenario, trace, focus)
        plane = self._plane_of(row)
        self._values = values = self._plane_of_values(row)
        if not self.state.dragging:
            self._fill_form(focus)
        rows = zip(row.dots, row.scores, row.weights, row.hidden, strict=True)
        can_move = self.state.address.lock != ALL
        self.arrows.param.update(
            of=f"{focus.scope} {focus.head} {focus.query} {self.settings.axes}",
            value=focus.key,
            reader=row.reader,
            names=list(row.words),
            query=rounded(plane.coordinates(row.query)),
            keys=[rounded(key) for key in plane.coordinates(row.keys)],
            rows=[
                [float(dot), None if hidden else float(score), float(weight)]
                for dot, score, weight, hidden in rows
            ],
            sums=[rounded(point) for point in values.coordinates(row.sums)],
            context=rounded(values.coordinates(row.context)),
            axes=list(AXES[self.settings.axes]),
            onward=arrows.next_sentence(row, trace[f"{focus.scope}.weights"].shape[0]),
            can_move=can_move,
            is_moved=can_move and self._released() != scenario,
        )
        self.tell(
            arrows.sentence(row, plane), lambda seen: arrows.drag_sentence(seen[0], row, seen[1])
        )

    def _focus(self) -> AttentionFocus:
        """Return the row in focus; by default the header's, in the head of the largest weight."""
        trace, chosen = self.state.trace, self.state.attention_focus
        if chosen is None:  # use a default that stays the same while an arrow is dragged
            asked = self.row_in_header
            if self._usual is None or self._usual[0] != asked:
                row = None if asked is None else of_row(trace, *asked)
                self._usual = asked, row or arrows.telling(trace, scopes(trace)[-1])
            chosen = self._usual[1]
        return resolve_focus(trace, chosen)

    def _plane_of(self, row: QueryRow) -> Plane:
        """Return the plane of the arrows, which stays the same while an arrow is dragged."""
        scenario, axes = self.state.scenario, self.settings.axes
        scope = row.focus.scope
        own = (f"{scope}.q", f"{scope}.k")
        others = {edit: x for edit, x in scenario.edits.items() if edit.path not in own}
        key = row.focus[:3], axes, scenario.structure_key, scenario.weights, others
        if self._plane is None or self._plane[0] != key:
            self._plane = key, arrows.plane_of_keys(row, axes)
        return self._plane[1]

    def _plane_of_values(self, row: QueryRow) -> Plane:
        """Return the plane of the weighted values, oriented like the plane drawn before."""
        found, before = arrows.plane_of_values(row), self._values
        if before is not None and before.axes.shape == found.axes.shape:
            side = -1 if before.axes[1] @ found.axes[1] < 0 else 1
            found = found._replace(axes=found.axes * np.array([[1], [side]]))
        return found

    def _fill_form(self, focus: AttentionFocus) -> None:
        scenario, trace = self.state.scenario, self.state.trace
        heads = trace[f"{focus.scope}.weights"].shape[0]
        queries = arrows.names(scenario, trace, focus.scope, 1)
        names = [(scope, labels.place_words(f"{scope}.weights")) for scope in scopes(trace)]
        of_queries = [(k, name or "∅") for k, name in enumerate(queries)]
        self.form.fields = [
            choice("scope", "attention", focus.scope, names),
            choice("head", "head", focus.head, [(k, str(k + 1)) for k in range(heads)]),
            choice("query", "query of", focus.query, of_queries),
            dict(self.settings.field("axes")),
        ]

    # -- from the browser ----------------------------------------------------------------------

    def _on_choice(self, event: Any) -> None:
        changed = changes(event)
        if "axes" in changed:
            self.choose(self.settings.changed("axes", changed.pop("axes")))
        focus = self._focus()
        places = {name: changed[name] for name in ("scope", "head", "query") if name in changed}
        wanted = focus._replace(**places)
        if wanted == focus:
            return
        if "scope" in places:  # the rows and heads of the new attention differ
            wanted = arrows.telling(self.state.trace, wanted.scope)
        else:
            scope, head, query, _ = wanted
            weights = self.state.trace[f"{scope}.weights"].value[head, query]
            wanted = wanted._replace(key=int(weights.argmax()))
        self.state.attention_focus = resolve_focus(self.state.trace, wanted)

    def on_message(self, message: Message) -> None:
        kind = message["type"]
        if kind == "move":
            self._move(message["index"], np.array([message["x"], message["y"]]), message)
        elif kind == "restore":
            self.state.change(self._released())
        elif kind == "choose":
            self.state.attention_focus = self._focus()._replace(key=message["index"])

    def _move(self, index: int, to: np.ndarray, message: dict[str, Any]) -> None:
        """Override the query or a key so that its tip is at the dragged position."""
        assert self._row is not None
        assert self._plane is not None
        press, row = message["press"], self._row
        if self._grip is None or not press or self._grip[:2] != (press, index):
            self._grip = press, index, row.keys[index - 1] if index else row.query
        vector = self._plane[1].moved(self._grip[2], to)
        path, at = self._places(row.focus)[index]
        values = {(at, column): float(x) for column, x in enumerate(vector)}
        changed = self.state.scenario.with_values(path, values)
        self.move(changed, ("idea", path, at), message, lambda: (row, index))

    def _places(self, focus: AttentionFocus) -> list[tuple[str, int]]:
        """Return the matrix and the row of each arrow, the query's first."""
        assert self._row is not None
        at = f"{focus.scope}.head.{focus.head}"
        return [(f"{at}.q", focus.query), *((f"{at}.k", k) for k in range(len(self._row.keys)))]

    def _released(self) -> Scenario:
        """Return the scenario without the overrides of this row's arrows."""
        assert self._row is not None
        scenario: Scenario = self.state.scenario
        for path, at in self._places(self._row.focus):
            scenario = scenario.without_row(path, at)
        return scenario
