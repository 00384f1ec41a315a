"""The selected cell swings on the board."""

from __future__ import annotations

from collections.abc import Collection

from ...components.board.board import Board
from ...matrices.oscillation import OscillationFrames
from ...matrices.reader import MatrixReader
from ...state import AppState


class OscillationPlayer:
    """Plays what the state says of the oscillation, and ends it.

    Swinging is for looking: it changes no scenario.
    """

    def __init__(self, state: AppState, board: Board) -> None:
        self._state = state
        self._board = board

    def play(self, reader: MatrixReader, drawn: Collection[str]) -> OscillationFrames | None:
        """Compute the frames and play them; None where nothing is to swing.

        Args:
            reader: of the present pass.
            drawn: stored paths of all that is on the board, or that it is made of.
        """
        cell, oscillation = self._state.selection, self._state.oscillation
        if not oscillation.on or cell is None:
            return None
        frames = OscillationFrames(reader, cell, oscillation, drawn)
        self._board.play(
            path=cell.path,
            i=cell.row,
            j=cell.column,
            values=frames.values.tolist(),
            period=oscillation.period,
            read_frames=frames.frames,
            read_gradients=frames.gradients if frames.has_gradients else None,
        )
        return frames

    def stop(self) -> bool:
        """The cell is what it was before; whether the board has to be refreshed."""
        played = self._board.playing
        self._board.stop()
        if self._state.oscillation.on:
            self._state.oscillation = self._state.oscillation._replace(on=False)
        return played
