"""What the Learn view draws on the page's board: an example through the model of a run."""

from __future__ import annotations

from ...components.board.board import Board, BoardListener
from ...learning import ExamplePass, TrainingRun
from ...matrices.reader import MatrixCells, plane_values
from ...scenario.axis_tokens import AxisTokens
from ...scenario.vocabulary import vocabulary_of_pairs
from ...stages import learning
from ...state import AppState


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
        self._board = Board(listener=BoardListener(), instead_of=page)
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
        plane, traces = self.plane, (shown.trace, initial.trace)
        self._board.refresh(
            lambda path: MatrixCells(plane_values(traces[0], path, plane, traces[1]), None)
        )


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
