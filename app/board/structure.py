"""The matrices that the board shows, and their layout."""

from collections.abc import Callable, Iterable, Iterator

from transformer_math import Trace

from ..experiments.depths import depths, read_stack
from ..explain.units import in_units
from ..manifest import Manifest, MatrixEntry, StageEntry
from ..model.matrices.address import part_of, whole_of
from ..model.matrices.attention import torn
from ..model.scenario.lock import ALL
from ..model.scenario.matrix_address import matrix_address
from ..model.scenario.scenario import Scenario
from ..model.scenario.structure import is_same_cell, structure_digest
from ..session.state import AppState
from ..view_model.page_location import MATRIX
from . import stages
from .board import Board
from .stages.sheet import Viewport
from .windows import Windows

# The views that draw matrices. The view Train draws the picture.
ON_BOARD = ("picture", "formulas", "attention", "train")
LOCKED_HINT = "Press a number to read it; it can also oscillate."
OTHER_CELL = "The number that you touched is gone, so nothing was changed."
MOST_KNOWN = 16  # number of structures to which messages may still refer


class BoardStructure:
    """Sends the board a manifest whenever the drawn matrices or their layout change."""

    def __init__(
        self, state: AppState, board: Board, windows: Windows, say: Callable[[str], None]
    ) -> None:
        """Create the structure; ``say`` shows why a single stage cannot be shown."""
        view = state.location.view
        # Picture, formulas or attention.
        self.view = view if view in ON_BOARD and view != "train" else ON_BOARD[0]
        # Stored paths of all matrices on the board, and of the inputs of the shown products.
        self.drawn: set[str] = set()
        self._alone_with: set[str] = set()  # stored paths in a stage or matrix shown alone
        self.scenario: Scenario | None = None  # the scenario last shown
        self._state = state
        self._board = board
        self._windows = windows
        self._say = say
        self._key: object = None
        self._known: dict[str, Scenario] = {}  # recently shown scenarios, by structure digest
        self._version = 0

    def show(self) -> bool:
        """Send the structure of the current pass if it changed; return whether it was sent."""
        state, scenario, trace = self._state, self._state.scenario, self._state.trace
        self.scenario = scenario
        key = (
            scenario.structure_key,
            self.view,
            state.attention_focus if self.view == "attention" else None,
            state.layer_choice,
            state.location.unfolded if self.view == "picture" else state.location.only,
            state.location.lens and self.view == "picture",
            state.current.longest_texts if self.view == "picture" else None,
            scenario.settings if self.view == "formulas" else None,
            # The notes on attention weights depend on whether their rows sum to 1.
            torn(trace, (edit.path for edit in scenario.edits if edit.path.endswith(".weights"))),
        )
        if key == self._key:
            return False
        self._key = None  # if sending fails, the structure is sent again
        self._send(scenario, trace)
        self._key = key
        return True

    def forget(self) -> None:
        """Send the structure again at the next `show`, even if it is unchanged."""
        self._key = None

    def check(self, of: str, path: str | None, row: int | None, column: int | None) -> None:
        """Raise ``ValueError`` if a cell of an earlier structure has another address now."""
        before = self._known.get(of)
        is_same = before is not None and (
            path is None or is_same_cell(before, self._state.scenario, whole_of(path), row, column)
        )
        if not is_same:
            raise ValueError(OTHER_CELL)

    def alone_without(self, stored: str) -> str:
        """Return the stage or matrix shown alone if it lacks the tensor; otherwise empty."""
        only = self._state.location.only if self.view == "formulas" else ""
        return "" if not only or stored in self._alone_with else only.removeprefix(MATRIX)

    def problem_of_address(self) -> str:
        """Return why the stage or matrix in the address cannot be shown; empty if it can."""
        only = self._state.address.only
        try:
            if only:
                self._alone(only)
        except ValueError as error:
            return f"{error} These are all its stages."
        return ""

    def _send(self, scenario: Scenario, trace: Trace) -> None:
        self._version += 1
        manifest = self.manifest(scenario, trace)
        manifest["structure"] = self._remember(scenario)
        manifest["model"] = scenario.model
        if "whole" not in manifest:
            manifest["lanes"] = stages.picture.lanes(scenario, trace)
        if scenario.silences:
            manifest["silenced"] = stages.silenced(scenario)
        lock = self._state.address.lock
        if lock == ALL:
            manifest["hint"] = LOCKED_HINT
        for stage in manifest["stages"]:
            _name_units(scenario, stage)
            if lock:
                stage.pop("settings", None)
        self.drawn = _stored(manifest["matrices"], trace)
        if self._state.location.only:
            shown = [manifest["matrices"][index] for index in _indices(manifest["stages"])]
            self._alone_with = _stored(shown, trace)
        self._board.show(manifest)
        self._windows.take(manifest)

    def manifest(self, scenario: Scenario, trace: Trace) -> Manifest:
        """Return the matrices of the current view and their layout."""
        state, version = self._state, self._version
        viewport = Viewport(state.layer_choice, state.windows)
        if self.view == "attention":
            focus = state.attention_focus
            return stages.attention.manifest(scenario, trace, version, focus, viewport)
        if self.view == "picture":
            # The depths at which the lens shows words along the lanes.
            lens = depths(trace, read_stack(scenario)) if state.location.lens else []
            unfolded = state.location.unfolded
            rows = stages.picture.Rows(lens, state.current.longest_texts)
            return stages.picture.manifest(scenario, trace, version, unfolded, viewport, rows)
        if state.location.only:
            try:
                return self._alone(state.location.only)
            except ValueError as error:
                self._say(f"{error} These are all its stages.")
        return stages.manifest(scenario, trace, version, viewport)

    def _alone(self, only: str) -> Manifest:
        """Return the structure of a single stage or matrix; raise ``ValueError`` without it."""
        state = self._state
        viewport = Viewport(state.layer_choice, state.windows)
        return stages.alone.manifest(state.scenario, state.trace, self._version, only, viewport)

    def _remember(self, scenario: Scenario) -> str:
        """Return the digest of a scenario's structure; store the scenario by this digest."""
        name = structure_digest(scenario)
        self._known.pop(name, None)
        self._known[name] = scenario
        if len(self._known) > MOST_KNOWN:
            del self._known[next(iter(self._known))]
        return name


def _indices(entry: object) -> Iterator[int]:
    """Yield the indices of the matrices that stages show."""
    if isinstance(entry, dict):
        if isinstance(index := entry.get("matrix"), int):
            yield index
        entry = list(entry.values())
    if isinstance(entry, list | tuple):
        for each in entry:
            yield from _indices(each)


def _name_units(scenario: Scenario, stage: StageEntry) -> None:
    """Name the model's tokens in the texts of a stage."""
    stage["text"] = [in_units(scenario, text) for text in stage["text"]]
    for row in stage["rows"]:
        if row["caption"]:
            row["caption"] = in_units(scenario, row["caption"])


def _stored(matrices: Iterable[MatrixEntry], trace: Trace) -> set[str]:
    """Return the stored paths of matrices, and of the inputs of a pair's products."""
    found = set()
    for matrix in matrices:
        part = part_of(matrix["path"])
        stored = matrix_address(matrix["path"] if part is None else part.path).stored
        found.add(stored)
        if part is not None and part.made == "products":
            found.update(tensor.path for tensor in trace[stored].inputs)
    return found
