"""Shows the loss as a landscape, computed in the background, and moves the model's place in it."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...components.component import Message, Placed
from ...components.form.settings_form import Section, SettingsForm
from ...components.layout import HTML, Chart
from ...explain import labels
from ...model.inference import cost
from ...model.inference.forward_pass import ForwardPassRunner
from ...model.matrices.address import CellAddress, address_text, read_address
from ...model.matrices.resolved_cell import resolve, resolve_if_there
from ...model.scenario.lock import ALL
from ...model.scenario.scenario import Scenario
from ...transport.runtime.derived import Check, Derived
from ..kit.picture import CONTROLS, ROOM, IdeaPicture
from ..naming import number_in_words
from ..words_map import computation as words
from ..words_map.computation import Table
from . import computation as landscape
from .computation import Ground, Landscape, Way
from .landscape import LandscapePlace
from .visited_places import Track

STEEPEST = 12  # the most suggested numbers with a large gradient
NO_RUN = "No run has been made on this page yet. Train the model, then come back to see its path."
STILL_RUNS = "The path is drawn when the training pauses."
HEIGHT = 340  # px, of the picture and of its placeholder
FRAME = "div { height: 338px; border: 1px dashed var(--line-strong); border-radius: 8px; }"
TOO_LARGE = "This model is too large for a landscape here: even 11 × 11 passes take too long."


class Surveyed(NamedTuple):
    """A landscape, its inputs, and the path of a run in it."""

    ground: Ground
    found: Landscape
    way: Way | None


class LandscapePicture(IdeaPicture):
    """Recomputes the landscape when its inputs change, and moves the model's place in it."""

    name = "landscape"
    tells = True
    watched = ("scenario", "ideas", "selection")

    def parts(self) -> Sequence[Placed]:
        self._search: Derived[Surveyed] = Derived(self.page, self._on_change)
        self._runner = ForwardPassRunner(beside=self.state.runner)
        self._shown: Surveyed | None = None
        self._drawn: object = None  # everything on which the drawn chart depends
        self._picture: Any = None
        self._track = Track()
        self._cells: tuple[CellAddress, CellAddress] | None = None
        self._steepest_of: object = None
        self._steepest: list[CellAddress] = []
        self._table: Table | None = None
        self._pairs: list[tuple[str, str]] = []
        self.form = SettingsForm(
            value=self.settings, layout="row", stylesheets=[CONTROLS], margin=ROOM
        )
        self.form.param.watch(self._on_settings, "value")
        self.chart = Chart(visible=False, stylesheets=[f":host {{ min-height: {HEIGHT}px; }}"])
        frame = '<div aria-hidden="true"></div>'
        self.waiting = HTML(frame, visible=False, stylesheets=[FRAME], margin=ROOM)
        self.place = LandscapePlace(
            on_message=self.hear, label="Place in the landscape", visible=False
        )
        self.training.listen(self._on_change)
        return [self.form, self.said, self.waiting, self.chart, self.place]

    # -- computing -----------------------------------------------------------------------------

    def draw(self) -> None:
        {"numbers": self._over_numbers, "words": self._over_words, "run": self._over_run}[
            self.settings.over
        ]()
        self._mark()

    def _over_numbers(self) -> None:
        scenario = landscape.asked_for(self.state.scenario)
        cells = self._chosen_cells(scenario)
        base = scenario
        for path, row, column in cells:
            cell = resolve(self.state.trace, CellAddress(path, row, column))
            base = base.without_value(cell.stored, cell.full)
        self._cells = cells
        self._fill_form(("x", "y"), self._number_options(scenario, cells))

        def ground(runner: ForwardPassRunner) -> tuple[Ground, None]:
            trace = runner.trace(base)
            both = [resolve(trace, each) for each in cells]
            return landscape.of_numbers(base, trace, both), None

        self._survey((base.undrawn, cells), ground, cost.forward_pass(base))

    def _over_words(self) -> None:
        scenario = landscape.asked_for(self.state.scenario)
        trace = self.state.trace
        side = words.sides(trace)[0]
        path = words.table_tensor(trace, side).path
        learned = self.state.runner.model(scenario).parameters[path]
        self._table = table = words.table(self.state.scenario, trace, learned, side)
        if len(table.words) < 4:
            self._show_none("There are too few words for two directions.")
            return
        self._pairs = pairs = words.word_pairs(table, self.settings)
        base = scenario
        for start, _ in pairs:
            row = int(table.ids[table.words.index(start)])
            base = base.without_row(path, row)
        self._fill_form(words.WORDS, words.word_fields(table, pairs))

        def ground(runner: ForwardPassRunner) -> tuple[Ground, None]:
            found = words.table(base, runner.trace(base), learned, side)
            return landscape.of_words(base, runner.trace(base), found, pairs), None

        self._survey((base.undrawn, tuple(pairs)), ground, cost.forward_pass(base))

    def _over_run(self) -> None:
        self._fill_form((), {})
        run = self.training.current
        if run is None or len(run.snapshots.steps) < 2 or not run.step:
            self._show_none(NO_RUN)
            return
        if self.training.controller.is_active:
            self._show_none(STILL_RUNS)
            return
        kept = {step: run.snapshots[step] for step in run.snapshots.steps}
        smoothing, step = run.trainer.recipe.smoothing, run.step

        def ground(_runner: ForwardPassRunner) -> tuple[Ground, Way]:
            return landscape.of_run(run.trainer.model, run.pairs, smoothing, kept, step)

        lengths = run.pairs.source_length + run.pairs.target_length
        work = landscape.EXAMPLES * lengths * run.plan.config.parameter_count()
        # A batch is far more efficient than single passes, so count the work of one text.
        self._survey((id(run), step), ground, work // landscape.EXAMPLES)

    def _survey(
        self,
        key: object,
        ground: Callable[[ForwardPassRunner], tuple[Ground, Way | None]],
        work: int,
    ) -> None:
        """Compute a landscape in a thread, unless it is already shown or being computed."""
        key = self.settings.over, key
        count = landscape.side(work)
        if count is None:
            self._show_none(TOO_LARGE)
            return
        runner = self._runner.aside()
        runner.adopt(self.state.runner)

        def compute(check: Check) -> Surveyed:
            found, way = ground(runner)
            return Surveyed(found, landscape.survey(found, count, check), way)

        found = self._search.want(
            key,
            compute,
            cost.level(count * count * work),
            subject=(self.settings.over, self.state.scenario.model_key),
            finishes=self.state.learning,
        )
        is_other = found.status != "ready" or found.value is not self._shown
        if is_other:
            self._track.clear()
        self._shown = found.value if found.status == "ready" else None
        self.chart.pending = self.place.pending = found.pending
        if found.status == "failed":
            self._show_none(found.note)
        elif found.value is None:
            self.chart.visible = self.place.visible = False
            self._drawn = None
            self.say(found.note)
        self.waiting.visible = found.status == "pending"

    def _show_none(self, said: str) -> None:
        self._search.drop()
        self._shown = self._drawn = None
        self.waiting.visible = self.chart.visible = self.place.visible = False
        self.say(said)

    # -- drawing -------------------------------------------------------------------------------

    def _mark(self) -> None:
        """Draw the landscape if it has changed, and mark the model's place in it."""
        shown = self._shown
        if shown is None:
            return
        ground, found, way = shown
        now = self._now(shown)
        drawn = id(found), self.dark, self.state.scenario.view.palette
        if drawn != self._drawn:
            from ...charts.landscape import LandscapeChart

            self._drawn = drawn
            names = (ground.across.name, ground.up.name)
            self._picture = LandscapeChart(
                *found[:3], names, self.state.scenario.view.palette, self.dark
            )
            self._picture.mark(now, found.least[:2], [] if way is None else way.places)
            self.chart.param.update(object=self._picture.figure, visible=True)
        else:
            self._picture.move(now)
        if way is None and not self.state.dragging:
            self._track.rest(now, found.at)
        visited = self._track.places
        self._picture.trail(visited)
        can_move = self.state.address.lock != ALL
        self.place.param.update(
            visible=True,
            chart="landscape",
            value=list(now),
            names=[ground.across.name, ground.up.name],
            low=[ground.across.low, ground.up.low],
            high=[ground.across.high, ground.up.high],
            least=list(found.least[:2]),
            is_way=way is not None,
            visited=[f"{each.loss:.3f}" for each in visited],
            can_move=can_move,
            is_moved=way is None and self._restored().edits != self.state.scenario.edits,
        )
        said = landscape.sentence(ground, found, now)
        said += "" if way is None else landscape.sentence_of_way(way, found)
        self.tell(said, lambda seen: landscape.drag_sentence(ground, found, seen, now))

    def _now(self, shown: Surveyed) -> tuple[float, float]:
        trace = self.state.trace
        if shown.way is not None:
            steps = list(shown.way.steps)
            step = self.state.scenario.steps_taken
            at = steps.index(step) if step in steps else -1
            x, y = shown.way.places[at]
            return float(x), float(y)
        if self.settings.over == "numbers" and self._cells is not None:
            x, y = (resolve(trace, cell).value for cell in self._cells)
            return x, y
        assert self._table is not None
        table, places = self._table, []
        for start, end in self._pairs:
            i, j = table.words.index(start), table.words.index(end)
            way = table.learned[j] - table.learned[i]
            places.append(float((table.rows[i] - table.learned[i]) @ way / (way @ way)))
        return places[0], places[1]

    def _chosen_cells(self, scenario: Scenario) -> tuple[CellAddress, CellAddress]:
        """Return the two chosen numbers; by default, the first that `_offered` returns."""
        wanted = [read_address(text) for text in (self.settings.x, self.settings.y)]
        wanted = [each if each and self._is_parameter(scenario, each) else None for each in wanted]
        others = [each for each in self._offered(scenario) if each not in wanted]
        found = [each or others.pop(0) for each in wanted]
        return found[0], found[1]

    def _offered(self, scenario: Scenario) -> list[CellAddress]:
        """Return the selected number, and the numbers with the largest gradients."""
        selected = self.state.selection
        chosen = [selected] if selected and self._is_parameter(scenario, selected) else []
        of = scenario.structure_key, scenario.weights
        if self._steepest_of != of:
            self._steepest_of = of
            if cost.has_cheap_gradients(scenario):
                trace = self._runner.with_gradients(scenario)
                self._steepest = landscape.steepest(scenario, trace, STEEPEST)
            else:
                shapes = scenario.config.parameter_shapes()
                paths = [path for path, shape in shapes.items() if len(shape) == 2]
                self._steepest = [CellAddress(path, 0, 0) for path in paths[:STEEPEST]]
        return [*chosen, *(each for each in self._steepest if each not in chosen)]

    def _is_parameter(self, scenario: Scenario, address: CellAddress) -> bool:
        is_there = resolve_if_there(self.state.trace, address) is not None
        return is_there and scenario.is_parameter(address.path)

    def _number_options(
        self, scenario: Scenario, cells: Sequence[CellAddress]
    ) -> dict[str, dict[str, Any]]:
        trace = self.state.trace
        offered = dict.fromkeys([*cells, *self._offered(scenario)])
        options = []
        for each in offered:
            cell = resolve(trace, each)
            words = number_in_words(scenario.axis_tokens, cell)
            name = f"{words}, {labels.place_words(cell.path)}".rstrip(", ")
            is_selected = each == self.state.selection
            options.append([address_text(each), f"{name}{' (selected)' * is_selected}"])
        return {
            name: {"kind": "choice", "options": options, "value": address_text(cell)}
            for name, cell in zip(("x", "y"), cells, strict=True)
        }

    def _fill_form(self, names: tuple[str, ...], own: dict[str, dict[str, Any]]) -> None:
        if self.state.dragging:
            return
        self.form.param.update(value=self.settings, sections=[Section(("over", *names), own=own)])

    # -- from the browser ----------------------------------------------------------------------

    def _on_settings(self, event: Any) -> None:
        if event.new == self.settings:
            return
        if self._table is not None and event.new.over == "words":
            for start, end in words.word_pairs(self._table, event.new):
                if start == end:
                    raise ValueError(
                        "Choose two different words: a direction from a word to "
                        "itself has no length."
                    )
        self.choose(event.new)

    def on_message(self, message: Message) -> None:
        kind = message["type"]
        if kind == "restore":
            self._track.clear()
            self.state.change(self._restored())
        elif kind == "step" and self._shown is not None:
            ground, found, _ = self._shown
            to = landscape.downhill(ground, found, self._now(self._shown))
            self._go(self._shown, np.array(to), {"press": 0, "held": False})
        elif self._shown is not None:
            self._go(self._shown, np.array([message["x"], message["y"]]), message)

    def _go(self, shown: Surveyed, to: np.ndarray, message: dict[str, Any]) -> None:
        """Set the two numbers or words to a place; for a run, show the nearest kept step."""
        scenario = self.state.scenario
        if shown.way is not None:
            apart = np.linalg.norm(shown.way.places - to, axis=1)
            step = shown.way.steps[int(apart.argmin())]
            last = shown.way.steps[-1]
            self.training.seek(None if step == last else step)
            return
        if self.settings.over == "numbers" and self._cells is not None:
            for (path, row, column), x in zip(self._cells, to, strict=True):
                cell = resolve(self.state.trace, CellAddress(path, row, column))
                scenario = scenario.with_value(cell.stored, cell.full, float(x))
        elif self._table is not None:
            table = self._table
            for (start, end), share in zip(self._pairs, to, strict=True):
                i, j = table.words.index(start), table.words.index(end)
                row = table.learned[i] + share * (table.learned[j] - table.learned[i])
                values = {(int(table.ids[i]), k): float(x) for k, x in enumerate(row)}
                scenario = scenario.with_values(table.path, values)
        self._track.move(self._now(shown), shown.found.at, message["press"])
        self.move(scenario, ("idea", "landscape"), message, lambda: self._now(shown))

    def _restored(self) -> Scenario:
        """Return the scenario without the edits along both directions."""
        scenario: Scenario = self.state.scenario
        if self.settings.over == "numbers" and self._cells is not None:
            for address in self._cells:
                cell = resolve(self.state.trace, address)
                scenario = scenario.without_value(cell.stored, cell.full)
        elif self.settings.over == "words" and self._table is not None:
            for start, _ in self._pairs:
                at = int(self._table.ids[self._table.words.index(start)])
                scenario = scenario.without_row(self._table.path, at)
        return scenario
