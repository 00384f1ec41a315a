"""The oscillation of the selected cell on the board."""

from __future__ import annotations

from collections.abc import Callable, Collection

from transformer_math import Trace

from ...components.board.board import Board
from ...inference import cost
from ...matrices.gradients import MIN_FRAMES
from ...matrices.oscillation import OscillationFrames, wanted_frames
from ...matrices.reader import MatrixReader
from ...matrices.resolved_cell import resolve
from ...runtime.background import LatestJob
from ...runtime.page_session import PageSession
from ...session.state import AppState


class OscillationPlayer:
    """Computes and plays the oscillation that the state describes, and ends it.

    An oscillation does not change the scenario. The frames of a large model are computed in a
    thread.
    """

    def __init__(self, state: AppState, board: Board, page: PageSession) -> None:
        self._state = state
        self._board = board
        self._frames = LatestJob(page)
        self._played: object = None  # the key of the frames on the board

    def play(
        self, reader: MatrixReader, drawn: Collection[str], begun: Callable[[Trace], None]
    ) -> bool:
        """Compute the frames and play them; returns whether an oscillation is wanted.

        Args:
            reader: a reader of the present forward pass.
            drawn: stored paths of all matrices on the board, or that these are computed from.
            begun: called with the sweep that is played.
        """
        selection, oscillation = self._state.selection, self._state.oscillation
        if not oscillation.on or selection is None:
            return False
        cell = resolve(reader.shown.trace, selection)
        scenario = reader.shown.scenario
        learning = self._state.learning
        of = selection, self._state.covered, None if learning else reader.shown.trace

        def show(frames: OscillationFrames) -> None:
            self._played = of
            self._board.play(
                path=cell.path,
                i=cell.row,
                j=cell.column,
                values=frames.values.tolist(),
                period=oscillation.period,
                read_frames=frames.frames,
                read_gradients=frames.gradients if frames.has_gradients else None,
            )
            begun(frames.trace)

        settings = wanted_frames(oscillation.period)
        if reader.plane == "gradient":
            settings *= MIN_FRAMES  # a backward pass costs about two forward passes
        is_later = self._frames.run(
            lambda go_on: OscillationFrames(reader, cell, oscillation, drawn, go_on),
            show,
            self._fail,
            inline=cost.fits_inline(settings * cost.forward_pass(scenario)),
            subject=(of, oscillation) if learning else None,
        )
        if is_later and of != self._played:
            self._board.stop()  # the old frames belong to another text or number
        return True

    def _fail(self, said: str) -> None:
        # The board is notified and reads the values again.
        self._state.oscillation = self._state.oscillation._replace(on=False)
        self._state.notice = said

    def stop(self) -> bool:
        """Stop the oscillation; returns whether the board has to be refreshed."""
        self._frames.cancel()
        self._played = None
        played = self._board.playing
        self._board.stop()
        if self._state.oscillation.on:
            self._state.oscillation = self._state.oscillation._replace(on=False)
        return played
