"""Shows the map of words: an embedding table, or the text at a depth of the stack, in one plane."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from transformer_math.explain.plane import Plane, turned_like

from ...components.component import Message, Placed
from ...components.form.settings_form import Section, SettingsForm
from ...explain import labels
from ...model.inference import cost
from ...model.inference.writing import likeliest
from ...model.scenario.lock import ALL
from ...transport.runtime.derived import Derived
from ..kit.picture import CONTROLS, ROOM, IdeaPicture, rounded
from ..naming import named
from . import computation as words
from . import word_drops
from .computation import Depth, Seen, Table
from .times import Times
from .word_drops import Drop
from .words_map import WordsMap

TABLE = "the table of all words"
MOST_CHOICES = 64  # the most dimensions offered as a list; otherwise they are typed
FORM = {
    "widest": (),
    "dimensions": ("first", "second"),
    "words": words.WORDS,
}


class WordsPicture(IdeaPicture):
    """Draws the words, and changes the rows of dragged words.

    The map, the drags, and the search for a drop worth trying share the plane that is drawn.
    """

    name = "words"

    def parts(self) -> Sequence[Placed]:
        self._seen: tuple[object, Seen] | None = None  # the key of the plane, and the plane
        self._table: Table | None = None
        self._plane: Plane | None = None  # the plane in which the words are drawn
        self._usual: tuple[object, int] | None = None  # the table's key, and the initial word
        self._rows = np.zeros((0, 1))  # the rows of the drawn words
        self._grip: tuple[int, int, np.ndarray] | None = None  # press, word, its row at the press
        self._beside = self.state.runner.aside()  # for passes that the page does not show
        self._search: Derived[Drop | None] = Derived(self.page, self._on_change)
        # The scenario without the chosen word's move, and the likeliest words in it.
        self._unmoved: tuple[object, tuple[str, ...]] | None = None
        self._times = Times(self.training)
        self.form = SettingsForm(
            value=self.settings, layout="row", stylesheets=[CONTROLS], margin=ROOM
        )
        self.form.param.watch(self._on_settings, "value")
        self.map = WordsMap(on_message=self.hear, label="Map of words")
        self.training.listen(self._on_training)
        return [self.form, self.said, self.map]

    def begin(self) -> None:
        """Open the picture at the word of the selected number."""
        selection, scenario, trace = self.state.selection, self.state.scenario, self.state.trace
        if selection is None:
            return
        path, row, _ = selection
        for side in words.sides(trace):
            vocabulary = scenario.vocabulary_of(f"{side}.W_e")
            if path == words.table_tensor(trace, side).path and row < len(vocabulary):
                found = {"table": side, "word": vocabulary[row], "depth": 0}
                self.choose(self.settings.replace(**found))
                return
            paths = [depth.path for depth in words.depths(trace, side)]
            tokens = getattr(scenario, side)
            if path in paths and row < len(tokens):
                found = {"table": side, "word": tokens[row], "position": row}
                self.choose(self.settings.replace(**found, depth=1 + paths.index(path)))
                return

    # -- drawing -------------------------------------------------------------------------------

    def draw(self) -> None:
        scenario, trace, settings = self.state.scenario, self.state.trace, self.settings
        known = words.sides(trace)
        side = settings.table if settings.table in known else known[0]
        path = words.table_tensor(trace, side).path
        learned = self.state.runner.model(scenario).parameters[path]
        last = self._times.last(path)
        if last is not None and last.shape == learned.shape:
            learned = last
        self._table = table = words.table(scenario, trace, learned, side)
        depths = words.depths(trace, side)
        at = min(settings.depth, len(depths))
        seen = self._see(table)
        if not self.state.dragging:  # a drag does not change these parameters
            self._fill_form(table, len(known))
            self.map.param.update(
                depths=[TABLE, *(depth.label for depth in depths)],
                depth=at,
                axes=list(seen.names),
                steps=self._times.steps,
                step=scenario.steps_taken,
            )
        if at == 0:
            self._draw_table(table, seen)
        else:
            self._draw_depth(table, seen, depths, at - 1)

    def _on_training(self) -> None:
        """Draw the steps of a run once it stops; while it trains, they change too often."""
        if not self.state.learning:
            self._on_change()

    def _see(self, table: Table) -> Seen:
        """Return the chosen plane.

        During training, the plane is turned as little as possible, and its axes are named
        accordingly. Without training, it depends only on the numbers.
        """
        settings = self.settings.replace(word="", position=0, depth=0)
        try:
            found = words.seen(table, settings)
        except ValueError:  # from a link: these words span no plane in this model
            found = words.seen(table, settings.replace(axes="widest"))
        key = table.path, table.words, table.rows.shape, settings
        before = self._seen
        if self.state.learning and settings.axes == "widest" and before and before[0] == key:
            found = Seen(turned_like(found.plane, before[1].plane), words.TURNED)
        self._seen = key, found
        return found

    def _draw_table(self, table: Table, seen: Seen) -> None:
        chosen, tried = table.find(self.settings.word), self._drop_to_try(table, seen)
        if chosen is None:
            chosen = self._usual_word(table)
        onto, said = self._dropped(table, seen, chosen)
        ways = self._times.ways(table, seen.plane, self.state.scenario.steps_taken)
        self._draw_points(
            seen.plane,
            table.rows,
            chosen,
            of=table.path,
            names=labels.visible(table.words),
            strong=[k for k, is_read in enumerate(table.in_text) if is_read],
            trails=[] if not ways else _all_rounded(np.array(ways)),
            extent=[],
            ghosts=[],
            tries=[] if tried is None or onto >= 0 else list(tried),
            onto=onto,
            count=table.rows.shape[1],
        )
        self.say(said or words.sentence_of_table(table, chosen, seen))

    def _usual_word(self, table: Table) -> int:
        """Return the initial word, which stays the same while the text does."""
        key = table.path, table.words, table.in_text
        if self._usual is None or self._usual[0] != key:
            self._usual = key, words.usual_word(table)
        return self._usual[1]

    def _drop_to_try(self, table: Table, seen: Seen) -> Drop | None:
        """Return a drop that changes the written words; None if anything has been moved."""
        scenario = self.state.scenario
        is_moved = any(edit.path == table.path for edit in scenario.edits)
        is_busy = self.state.learning or self.state.dragging or cost.is_large(scenario)
        if is_moved or is_busy or self.state.address.lock == ALL:
            return None
        key = scenario.model, scenario.source, scenario.target, self._seen and self._seen[0]
        runner = self.state.runner.aside()
        found = self._search.want(
            key,
            lambda check: word_drops.telling_drop(scenario, runner, table, seen.plane, check),
            subject=key,
        )
        return found.value

    def _dropped(self, table: Table, seen: Seen, chosen: int) -> tuple[int, str]:
        """Return the word on which the chosen word was dropped (−1 for none), and the effect."""
        scenario = self.state.scenario
        unmoved = scenario.without_row(table.path, int(table.ids[chosen]))
        onto = word_drops.stands_on(table, seen.plane, chosen) if unmoved != scenario else None
        if onto is None or cost.is_large(scenario):
            return -1, ""
        if self._unmoved is None or self._unmoved[0] != unmoved:
            self._unmoved = unmoved, likeliest(unmoved, self._beside)
        now = likeliest(scenario, self.state.runner)
        drop = Drop(chosen, onto)
        is_whole = bool(np.allclose(table.rows[chosen], table.rows[onto], atol=1e-6))
        said = word_drops.drop_sentence(table, drop, self._unmoved[1], now)
        return (-1 if is_whole else onto), said

    def _draw_depth(self, table: Table, seen: Seen, depths: list[Depth], at: int) -> None:
        trace, tokens = self.state.trace, getattr(self.state.scenario, table.side)
        times = words.factor(trace, table.side)
        # The stream has the table's rows times this factor, so the origin is scaled, too.
        plane = seen.plane._replace(origin=seen.plane.origin * times)
        rows = [trace[depth.path].value.astype(float) for depth in depths]
        ways = np.array([plane.coordinates(each) for each in rows])  # (depths, n, 2)
        around = plane.coordinates(table.rows * times)
        names = labels.visible(table.words)
        unread = [k for k, is_read in enumerate(table.in_text) if not is_read]
        chosen = words.position_of(tokens, self.settings.word, self.settings.position)
        self._draw_points(
            plane,
            rows[at],
            chosen,
            of=depths[at].path,
            names=named(tokens),
            strong=list(range(len(tokens))),
            trails=_all_rounded(ways[:at].swapaxes(0, 1)),
            extent=[rounded(ways.min(axis=(0, 1))), rounded(ways.max(axis=(0, 1)))],
            ghosts=[[names[k], *rounded(around[k])] for k in unread] if at == 0 else [],
            tries=[],
            onto=-1,
        )
        self.say(words.sentence_of_depth(tokens, rows[0], rows[at], chosen, depths[at]))

    def _draw_points(
        self, plane: Plane, rows: np.ndarray, chosen: int, *, of: str, **drawn: Any
    ) -> None:
        self._plane, self._rows = plane, rows
        found = words.neighbors(rows, chosen)[: words.NEAREST]
        can_move = self.state.address.lock != ALL and self.state.scenario.can_be_set(of)
        self.map.param.update(
            value=chosen,
            of=of,
            points=_all_rounded(plane.coordinates(rows)),
            near=[[each.at, round(each.angle, 3), round(each.distance, 3)] for each in found],
            can_move=can_move,
            is_moved=can_move and self._restored(of, chosen) != self.state.scenario,
            **drawn,
        )

    def _fill_form(self, table: Table, sides: int) -> None:
        settings, d = self.settings, table.rows.shape[1]
        own: dict[str, dict[str, Any]] = {}
        if settings.axes == "words" and len(table.words) > 1:
            own = words.word_fields(table, words.word_pairs(table, settings))
        for name in FORM["dimensions"]:
            own[name] = {"maximum": d - 1, "value": min(getattr(settings, name), d - 1)}
            if d <= MOST_CHOICES:
                own[name] |= {"kind": "choice", "options": [[k, f"d{k}"] for k in range(d)]}
        names = (*(("table",) if sides > 1 else ()), "axes", *FORM[settings.axes])
        if settings != self.form.value:
            self.form.errors = {}
        self.form.param.update(value=settings, sections=[Section(names, own=own)])

    # -- from the browser ----------------------------------------------------------------------

    def _on_settings(self, event: Any) -> None:
        if self._table is not None and event.new != self.settings:
            words.seen(self._table, event.new)  # raises a ValueError for words that span no plane
            self.choose(event.new)

    def on_message(self, message: Message) -> None:
        kind, index = message["type"], message.get("index", 0)
        if kind == "move":
            self._move(index, np.array([message["x"], message["y"]]), message)
        elif kind == "restore":
            self.state.change(self._restored(self.map.of, index))
        elif kind == "drop":
            self._drop(index, message["onto"], whole=message["whole"])
        elif kind == "choose":
            self._choose(index)
        elif kind == "depth":
            self.choose(self.settings.replace(depth=index))
        elif kind == "step":
            self.training.seek(message["step"])

    def _choose(self, index: int) -> None:
        settings = self.settings
        if self.map.depth == 0 and self._table is not None:
            self.choose(settings.replace(word=self._table.words[index]))
        elif self._table is not None:
            tokens = getattr(self.state.scenario, self._table.side)
            self.choose(settings.replace(word=tokens[index], position=index))

    def _drop(self, index: int, onto: int, *, whole: bool) -> None:
        """Move a word onto another word: in the plane only, or in all dimensions."""
        assert self._plane is not None
        assert self._table is not None
        table = self._table
        row = table.rows[onto]
        if not whole:
            row = self._plane.moved(table.rows[index], self._plane.coordinates(row))
        self.choose(self.settings.replace(word=table.words[index]))
        self.state.change(word_drops.with_word_at(self.state.scenario, table, index, row))

    def _move(self, index: int, to: np.ndarray, message: dict[str, Any]) -> None:
        """Move a word in the plane; its components outside the plane stay the same."""
        assert self._plane is not None
        press, path = message["press"], self.map.of
        # Start from the row at the press, so that rounding errors of small moves do not accumulate.
        if self._grip is None or not press or self._grip[:2] != (press, index):
            self._grip = press, index, self._rows[index].copy()
        row = self._plane.moved(self._grip[2], to)
        at = self._row(index)
        values = {(at, column): float(x) for column, x in enumerate(row)}
        changed = self.state.scenario.with_values(path, values)
        self.state.change(changed, ("idea", path, at), press, held=message["held"])

    def _restored(self, path: str, index: int) -> Any:
        return self.state.scenario.without_row(path, self._row(index))

    def _row(self, index: int) -> int:
        """Return the row of a word in its matrix; a table may be drawn only in part."""
        assert self._table is not None
        return int(self._table.ids[index]) if self.map.depth == 0 else index


def _all_rounded(points: np.ndarray) -> list[Any]:
    """Round coordinates to the precision that the largest one needs."""
    largest = float(np.abs(points).max(initial=0.0))
    digits = 5 - math.ceil(math.log10(largest)) if largest > 0 else 0
    found: list[Any] = np.round(points, digits).tolist()
    return found
