"""The movable windows on large matrices, and the numbers that are always sent to the board."""

from transformer_math import Trace

from ..manifest import Manifest
from ..model.matrices import overview
from ..model.matrices.address import PROBABILITIES
from ..model.matrices.values import likeliest, matrix_shape
from ..session.state import AppState
from .board import Board
from .stages.sheet import single, window


class Windows:
    """Moves the windows on large matrices and sends the selected number.

    The state stores the positions of windows, so that a change of the model preserves them;
    everything else is read from the board's manifest.
    """

    def __init__(self, state: AppState, board: Board) -> None:
        self.state = state
        self.board = board
        self._places: dict[str, str] = {}  # path of a large matrix -> path of its window
        self._shapes: dict[str, overview.Cell] = {}  # path of a large matrix -> shape of its window
        self._held: str | None = None
        self._words: tuple[str, list[list[str]]] | None = None

    def take(self, manifest: Manifest) -> None:
        """Read the windows of a new structure."""
        matrices = manifest["matrices"]
        windows = [m for m in matrices if "overview" in m]
        self._places = {m["origin"][0]: m["path"] for m in windows}
        self._shapes = {m["origin"][0]: (m["rows"], m["cols"]) for m in windows}
        self._held = matrices[manifest["selected"]]["path"] if "selected" in manifest else None
        at = manifest.get("likeliest")
        self._words = None if at is None else (matrices[at]["path"], [])

    def go(self, path: str, row: int, column: int) -> None:
        """Move a matrix's window so that it begins at a cell, within the matrix."""
        now = self._places.get(path)
        if now is None:
            return
        tensor = self.state.trace[path]
        shape = self._shapes[path]
        place = overview.clamped((row, column), *matrix_shape(tensor), shape)
        self.state.windows = {**self.state.windows, path: place}
        entry = window(self.state.scenario.axis_tokens, tensor, place, shape)
        if entry["path"] != now:
            self._places[path] = entry["path"]
            self.board.move(now, entry)

    def hold(self) -> bool:
        """Send the selected number from now on, and move the window on its matrix to show it.

        Return whether the board has to be refreshed.
        """
        cell = self.state.cell
        if cell is None:
            return False
        path, i, j = cell.address
        before = self._held, self._places.get(path)
        tensor = cell.tensor
        if self._held is not None:
            entry = single(self.state.scenario.axis_tokens, tensor, (i, j))
            if entry["path"] != self._held:
                self.board.move(self._held, entry)
                self._held = entry["path"]
        if path in self._places:
            place = self.state.windows.get(path, (0, 0))
            shape = self._shapes[path]
            self.go(path, *overview.holding(place, *matrix_shape(tensor), (i, j), shape))
        return before != (self._held, self._places.get(path))

    def send_words(self, trace: Trace) -> None:
        """Send the words of the largest probabilities, if the board has only these."""
        if self._words is None:
            return
        path, sent = self._words
        vocabulary = self.state.scenario.output_vocabulary
        columns = likeliest(trace, PROBABILITIES).tolist()
        words = [[vocabulary[k] for k in row] for row in columns]
        if words != sent:
            self._words = (path, words)
            self.board.move(path, {"path": path, "words": words})
