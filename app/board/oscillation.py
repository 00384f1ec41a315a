"""The oscillation of the selected cell on the board."""

from collections.abc import Callable, Collection

from transformer_math import Trace

from ..model.inference import cost
from ..model.matrices.gradients import MIN_FRAMES
from ..model.matrices.oscillation import OscillationFrames, wanted_frames
from ..model.matrices.reader import MatrixReader
from ..model.matrices.resolved_cell import ResolvedCell, resolve
from ..session.state import AppState
from ..transport.runtime.derived import Derived
from ..transport.runtime.page_session import PageSession
from .frames import Frames


class OscillationPlayer:
    """Computes and plays the oscillation that the state describes, and ends it.

    An oscillation does not change the scenario. For a large model, the frames are computed in a
    thread.
    """

    def __init__(
        self, state: AppState, frames: Frames, page: PageSession, redraw: Callable[[], None]
    ) -> None:
        self._state = state
        self._frames = frames
        self._swing: Derived[OscillationFrames] = Derived(page, redraw)

    def play(
        self, reader: MatrixReader, drawn: Collection[str], begun: Callable[[Trace], None]
    ) -> bool:
        """Compute the frames and play them; return whether an oscillation is wanted.

        ``drawn`` is as in `BoardStructure`; ``begun`` is called with the trace of the frames.
        """
        selection, oscillation = self._state.selection, self._state.oscillation
        if not oscillation.on or selection is None:
            return False
        cell = resolve(reader.shown.trace, selection)
        scenario = reader.shown.scenario
        settings = wanted_frames(oscillation.period)
        if reader.plane == "gradient":
            settings *= MIN_FRAMES  # a backward pass costs about two forward passes
        found = self._swing.want(
            (scenario, selection, oscillation, self._state.covered, frozenset(drawn)),
            lambda check: OscillationFrames(reader, cell, oscillation, drawn, check),
            cost.level(settings * cost.forward_pass(scenario)),
            subject=(selection, oscillation, scenario.model_key),
            finishes=self._state.learning,
        )
        if found.status == "failed":
            self._state.notice = found.note
            return False
        if found.value is not None and found.status == "ready":
            self._play(cell, found.value)
            begun(found.value.trace)
        elif not self._state.learning:
            self._frames.stop()  # the present frames belong to another text or number
        return True

    def _play(self, cell: ResolvedCell, frames: OscillationFrames) -> None:
        self._frames.play(
            path=cell.path,
            i=cell.row,
            j=cell.column,
            values=frames.values.tolist(),
            period=self._state.oscillation.period,
            read_frames=frames.frames,
            read_gradients=frames.gradients if frames.has_gradients else None,
        )

    def stop(self) -> bool:
        """Stop the oscillation; return whether the board has to be refreshed."""
        self._swing.drop()
        played = self._frames.playing
        self._frames.stop()
        if self._state.oscillation.on:
            self._state.oscillation = self._state.oscillation._replace(on=False)
        return played
