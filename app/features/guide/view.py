"""Shows the introduction beside the view: a description of the page, things to try, a legend."""

from collections.abc import Callable
from typing import Any

from ...board.stages.symbols import symbols
from ...explain import changes, labels, suggestions
from ...explain.opening_row import decisive_swing, opening_number
from ...explain.suggestions import Look, Swap
from ...explain.units import in_units
from ...files import catalog
from ...film import opening
from ...learning import TrainingSession
from ...lessons.numbers import LiveNumbers
from ...model.matrices.address import CellAddress
from ...model.scenario.scenario import Scenario
from ...session.calm import calm
from ...session.state import AppState
from ...transport.runtime.page_session import PageSession
from ...typed_text import isolated, upper_first
from .guide import Guide

# The buttons offered after a shared link is opened.
SHARED = {
    "compare": "Show what changed",
    "fresh": "Start fresh",
    "seen": "Things to try",
}

ORDER = "swap", "look", "swing"  # of the things to try


class GuideView:
    """Chooses things to try from the model's numbers, and applies one when its button is pressed.

    Undo reverts each of them. They change with the model, its weights or the text, and their
    labels have words of the shown pass.
    """

    def __init__(
        self,
        state: AppState,
        page: PageSession | None = None,
        training: TrainingSession | None = None,
        on_run: Callable[[str], None] | None = None,
    ) -> None:
        """Create the guide of a page.

        Args:
            state: the state of the page.
            page: runs what may take long; by default at once.
            training: the training of the page's model, if it has one.
            on_run: pauses or continues that training.
        """
        self.state = state
        self._on_run = on_run
        self.guide = Guide()
        self.guide.on_press(self._on_press)
        self._does: dict[str, Swap | Look | CellAddress] = {}
        self._of: object = None  # the model and text that the suggestions were chosen for
        self._row: int | None = None  # the row that the look was chosen for
        self._drawn: object = None  # the inputs of the shown symbols
        self._page = page or PageSession()
        self._first: Scenario | None = None  # the scenario that a shared link is compared with
        state.watch_calmly(self._fill, ["scenario", "learning", "location"])
        state.watch(self._on_shared, "shared")
        if training is not None:
            training.listen(calm(state, self._fill))
        self._fill()

    # -- an opened link ------------------------------------------------------------------------

    def _on_shared(self, *_: Any) -> None:
        self._of = None
        self._page.schedule(self._tell)

    def _tell(self) -> None:
        """Describe the changes of a link, in place of the things to try."""
        state, scenario = self.state, self.state.shared
        self._first = None if scenario is None else _opening(scenario)
        told = []
        if scenario is not None and self._first is not None:
            told = changes.changes(self._first, scenario, state.runner)
        if told:
            line = upper_first(f"{'; '.join(told)}.")
            self.guide.param.update(value=line, things=list(SHARED.items()), shared=True)
        else:
            self.guide.shared = False
            self._fill()

    def _answer(self, name: str) -> None:
        """Carry out a choice offered after a shared link was opened."""
        if name == "compare":
            self._compare()
            return
        if name == "fresh":
            self.state.snapshots.start_afresh()
        self.state.shared = None

    def _compare(self) -> None:
        """Show how each number differs from the model without its edits."""
        state, scenario = self.state, self.state.scenario
        unedited = changes.unedited(scenario)
        is_edited = unedited != scenario and self._first is not None
        trained = is_edited and self._first and unedited.weights is not self._first.weights
        state.compare(self._first if trained or not is_edited else unedited)
        state.notice = "Every number now shows its difference from the unedited model."

    def _fill(self, *_: Any) -> None:
        scenario = self.state.scenario
        drawn = scenario.settings, scenario.config, scenario.training
        if drawn != self._drawn:
            self._drawn = drawn
            self.guide.symbols = _symbols(self.state)
        said = self.state.view_model.guide
        self.guide.update_changed(reading=said.reading, run=said.run if self._on_run else "")
        if self.guide.shared:
            if self.state.shared is not None and not _still_has(scenario, self.state.shared):
                self.state.shared = None
            return
        self.guide.update_changed(value=said.line)
        if self.state.learning:  # during training the words change: only relabel the suggestions
            self._name()
            return
        own = _written_by_reader(scenario)
        of = (
            *(scenario.model, scenario.settings, scenario.weights, scenario.silences),
            *(scenario.source, own, self._is_tried),
        )
        row, gone = self.state.location.asked, self._name()
        if of != self._of or gone - {"look"}:
            self._of, self._row = of, row
            # Choosing takes as long as some forward passes: show the page first.
            self._page.schedule(self._choose)
        elif row != self._row or gone:
            self._row = row
            self._choose_look()

    def _choose(self) -> None:
        state, scenario, trace = self.state, self.state.scenario, self.state.trace
        swing = self._does.get("swing") if self._is_tried else opening_number(scenario, trace)
        self._offer(swap=suggestions.swap(scenario, trace), swing=swing)
        self.guide.film = in_units(scenario, opening.button(LiveNumbers(scenario, state.runner)))
        self._choose_look()

    def _choose_look(self) -> None:
        """Choose a look for the asked row, unless the offered look is in use."""
        state, swap = self.state, self._does.get("swap")
        if not self._is_tried:
            near = swap.position if isinstance(swap, Swap) else None
            row = state.location.asked
            self._offer(look=suggestions.look(state.scenario, state.trace, near, row))
        self._name()

    def _offer(self, **does: Swap | Look | CellAddress | None) -> None:
        """Offer these things to try in place of suggestions with the same names."""
        found = {**self._does, **does}
        self._does = {name: what for name in ORDER if (what := found.get(name)) is not None}

    def _name(self) -> set[str]:
        """Label the suggestions with the shown words; return the names of those without a label."""
        named = [(name, self._label(what)) for name, what in self._does.items()]
        self.guide.update_changed(things=[(name, label) for name, label in named if label])
        return {name for name, label in named if not label}

    def _label(self, what: Swap | Look | CellAddress) -> str:
        """Return the label of a suggestion; empty if the text no longer has its words."""
        scenario: Scenario = self.state.scenario
        if isinstance(what, Swap):
            tokens = getattr(scenario, what.side)
            if what.position >= len(tokens) or tokens[what.position] == what.token:
                return ""
            return f"Replace “{_said(tokens[what.position])}” by “{_said(what.token)}”"
        if isinstance(what, Look):
            if self._is_tried:
                return f"Let head {_head(what) + 1} look everywhere again"
            # Words that the model writes change all the time while it learns.
            changes = self.state.learning and scenario.writes_itself
            return "" if changes else _look_label(scenario, what)
        tokens = getattr(scenario, what.path.partition(".")[0])
        return (
            f"Let a number of “{_said(tokens[what.row])}” oscillate"
            if what.row < len(tokens)
            else ""
        )

    @property
    def _is_tried(self) -> bool:
        """Whether the page shows the weights of the offered look."""
        scenario, look = self.state.scenario, self._does.get("look")
        return isinstance(look, Look) and suggestions.is_tried(scenario, look)

    def _on_press(self, name: str) -> None:
        if self._on_run is not None and name == self.guide.run:
            self._on_run(name)
            return
        if self.guide.shared:
            self._answer(name)
            return
        state, what = self.state, self._does.get(name)
        scenario = state.scenario
        if isinstance(what, Swap):
            tokens = list(getattr(scenario, what.side))
            if what.position < len(tokens):
                tokens[what.position] = what.token
                state.change(scenario.with_tokens(what.side, tokens))
        elif isinstance(what, Look) and self._is_tried:
            state.change(scenario.without_row(what.path, what.row))
        elif isinstance(what, Look):
            # Follow the row, because the weight changes the words after it.
            state.selection = None
            state.go("followed", [what.path.partition(".")[0], what.row])
            self._does["look"] = what  # because going to the row has chosen another look
            state.change(suggestions.looking_only(scenario, what))
        elif what is not None:
            self._swing(what)

    def _swing(self, cell: CellAddress) -> None:
        """Oscillate a number far enough to change a word."""
        state, oscillation = self.state, self.state.oscillation
        if oscillation.on:
            state.oscillation = oscillation._replace(on=False)
        state.selection = cell
        found = decisive_swing(state.scenario, state.trace)
        least = found.amplitude if found is not None and found.cell == cell else 0.0
        state.swing(oscillation._replace(on=True, amplitude=max(least, oscillation.amplitude)))


def _still_has(scenario: Scenario, shared: Scenario) -> bool:
    """Return whether a scenario still has all changes of a link, perhaps with other changes."""
    parts = "model", "settings", "weights", "source", "training"
    is_same = all(getattr(scenario, name) == getattr(shared, name) for name in parts)
    has_edits = shared.edits.items() <= scenario.edits.items()
    return is_same and has_edits and set(shared.silences) <= set(scenario.silences)


def _opening(scenario: Scenario) -> Scenario | None:
    """Return the initial scenario of a model; None if the model is not in the catalog."""
    try:
        return catalog.first(scenario.model)
    except ValueError:
        return None


def _symbols(state: AppState) -> list[tuple[str, str]]:
    """Return the symbols of the pass with their meanings."""
    explained = symbols(state.scenario, state.trace)
    return [(" ".join(map(labels.plain, each)), words) for each, words in explained]


def _written_by_reader(scenario: Scenario) -> tuple[str, ...]:
    return () if scenario.writes_itself else scenario.target


def _look_label(scenario: Scenario, look: Look) -> str:
    """Return the label of a look; empty if the text no longer has its words."""
    is_crossing, is_encoder = ".cross_attn." in look.path, look.path.startswith("encoder.")
    keys = scenario.source if is_crossing or is_encoder else scenario.target
    queries = scenario.source if is_encoder else scenario.target
    if look.column >= len(keys) or look.row >= len(queries):
        return ""
    return f"Let head {_head(look) + 1} look only at “{_said(keys[look.column])}”"


def _head(look: Look) -> int:
    """Return the head of a suggestion, counted from 0."""
    path = look.path.split(".")
    return int(path[path.index("head") + 1])


def _said(token: str | None) -> str:
    return "∅" if not token else isolated(token.replace(" ", "␣"))
