"""What the Learn view draws on the page's board: an example through the model of a run."""

from __future__ import annotations

import numpy as np

from ...components.board.board import Board
from ...learning import ExamplePass, TrainingRun
from ...matrices.values import ValuesAndMarks, matrix_shape
from ...scenario.axis_tokens import AxisTokens
from ...scenario.vocabulary import vocabulary_of_pairs
from ...stages import learning
from ...state import AppState


class Onlooker:
    """A listener for numbers that are only looked at: nothing on this board is set or moved."""

    def on_ready(self, link: str | None, saved: str | None) -> None: ...
    def on_hover(self, path: str | None, i: int, j: int) -> None: ...
    def on_undo(self) -> None: ...
    def on_redo(self) -> None: ...
    def on_select(self, path: str | None, i: int, j: int) -> None: ...
    def on_set(self, path: str, i: int, j: int, value: float) -> None: ...
    def on_restore(self, path: str, i: int, j: int) -> None: ...
    def on_oscillate(
        self, on: bool, amplitude: float | None, period: float | None, value: float | None
    ) -> None: ...
    def on_visible(self) -> None: ...
    def on_focus(self, scope: str, head: int) -> None: ...
    def on_pair(self, scope: str, head: int, query: int, key: int) -> None: ...
    def on_window(self, path: str, row: int, column: int) -> None: ...
    def on_choose(self, name: str, number: int) -> None: ...
    def on_goto(self, place: str) -> None: ...


class LearnBoard:
    """Draws an example in the place of the page's board, while the Learn view is open.

    Attributes:
        plane: which numbers are drawn, one of ``stages.learning.PLANES``.
        parameter: the path of the matrix that is drawn beside the attention.
    """

    def __init__(self, state: AppState, page: Board) -> None:
        self.plane = "value"
        self.parameter = ""
        self._state = state
        self._page = page
        self._board = Board(listener=Onlooker(), instead_of=page)
        self._drawn: object = None
        self._version = 0

    def open(self) -> None:
        """Draw in the page's place from now on."""
        self._page.give_way(self._board)

    def close(self) -> None:
        """Leave the place to the page's own board again."""
        self._board.give_way(self._page)

    def show(self, run: TrainingRun, shown: ExamplePass, initial: ExamplePass) -> None:
        """Draw a pass; changes are counted from ``initial``, the first of the run."""
        parameters = list(run.trainer.model.parameters)
        if self.parameter not in parameters:
            usual = "decoder.0.cross_attn.W_q"
            self.parameter = usual if usual in parameters else parameters[0]
        structure = run, shown.example, self.plane, self.parameter
        if structure != self._drawn:
            self._drawn = structure
            self._version -= 1  # never one that the page's own board counts up to
            chosen = learning.LearnPlane(self.plane, self.parameter, run.pairs.name == "dates")
            tokens = tokens_of(run, shown)
            self._board.show(learning.manifest(tokens, shown.trace, self._version, chosen))
        if initial.example is not shown.example:
            initial = shown  # another example was just chosen; its own first pass is on the way
        view = self._state.scenario.view
        attention_on_fixed = self.plane == "value" and view.scale == "fixed"
        self._board.view(
            palette=view.palette,
            scale="fixed" if attention_on_fixed else "matrix",
            numbers=view.numbers,
        )
        if self.plane == "gradient":
            shown.with_gradients()
        self._board.refresh(lambda path: read(path, shown, initial, self.plane))


def read(path: str, shown: ExamplePass, initial: ExamplePass, plane: str) -> ValuesAndMarks:
    """The numbers of a matrix in one plane; no cell has a mark here."""
    tensor = shown.trace[path]
    values: np.ndarray = tensor.value
    if plane == "gradient":
        assert tensor.grad is not None
        values = tensor.grad
    elif plane == "change":
        values = values - initial.trace[path].value
    return values.reshape(matrix_shape(tensor)), None


def tokens_of(run: TrainingRun, shown: ExamplePass) -> AxisTokens:
    """What rows and columns of a pass are called by."""
    example, vocabulary = shown.example, vocabulary_of_pairs(run.pairs)
    written = tuple(vocabulary.target[i] for i in example.target)
    return AxisTokens(
        source=tuple(vocabulary.source[i] for i in example.source),
        target=written[:-1],
        label_tokens=written[1:],
        vocabulary=vocabulary,
    )
