"""Computes the frames of an oscillation: one cell varies, and with it all matrices downstream."""

import math
from collections.abc import Callable, Collection
from typing import NamedTuple

import numpy as np

from transformer_math import Trace

from . import gradients, sweeps
from .reader import MatrixReader
from .resolved_cell import ResolvedCell
from .scale import is_share

FRAMES_A_SECOND = 60
MAX_FRAMES = 241  # one frame per screen refresh, for a period of 8 seconds
MIN_FRAMES = 9


class Oscillation(NamedTuple):
    """The oscillation of the selected cell."""

    amplitude: float = 2.0  # to either side of the cell's value
    period: float = 2.0  # in seconds
    on: bool = False


class OscillationFrames:
    """All frames of half a period; the other half has the same values in reverse."""

    def __init__(
        self,
        reader: MatrixReader,
        cell: ResolvedCell,
        oscillation: Oscillation,
        drawn: Collection[str],
        go_on: Callable[[], None] = sweeps.to_the_end,
    ) -> None:
        """Compute the frames of the reader's pass.

        ``drawn`` has the stored paths of the tensors from which the board's matrices are drawn.
        ``go_on`` is called between pieces of the work, and cancels the work by an exception.
        """
        trace, shows_gradients = reader.shown.trace, reader.plane == "gradient"
        count = frame_count(trace, cell.stored, oscillation.period, drawn)
        if shows_gradients:
            count = gradients.affordable(trace, drawn, count)
        # (T,), ascending, at equal steps of the phase.
        self.values = swing_values(cell, oscillation.amplitude, count)
        settings = self.values.tolist()
        self._reader = reader
        self._sweep = reader.sweep(cell, settings, drawn, go_on)
        self._gradients = (
            gradients.GradientSweep(trace, cell, settings, drawn, go_on)
            if shows_gradients
            else None
        )

    @property
    def trace(self) -> Trace:
        """The sweep of the drawn tensors."""
        return self._sweep.trace

    @property
    def has_gradients(self) -> bool:
        """Whether gradients are shown and have frames."""
        return self._gradients is not None

    def frames(self, path: str) -> np.ndarray | None:
        """Return the frames (T, rows, columns) of a matrix; None if it does not change."""
        found = self._reader.frames(self._sweep, path)
        if found is None and self.gradients(path) is not None:
            # The value is constant, but its gradient changes.
            still = self._reader.still(path)
            found = np.broadcast_to(still, (len(self.values), *still.shape))
        return self._reader.without_covered(path, found)

    def gradients(self, path: str) -> np.ndarray | None:
        """Return the frames of a matrix's gradients; None if they do not exist or are not shown."""
        found = None if self._gradients is None else self._gradients.frames(path)
        return self._reader.without_covered(path, found)


def wanted_frames(period: float) -> int:
    """Return the number of frames in half a period at one frame per screen refresh."""
    return min(round(period * FRAMES_A_SECOND / 2) + 1, MAX_FRAMES)


def frame_count(trace: Trace, path: str, period: float, drawn: Collection[str]) -> int:
    """Return an odd number of frames: one per screen refresh, or what time and memory allow."""
    wanted = wanted_frames(period)
    each = sum(trace[p].value.nbytes for p in trace.downstream(path) if p in drawn)
    most = sweeps.affordable(trace, path, wanted)
    return max(MIN_FRAMES, min(most, sweeps.KEPT_BYTES // max(each, 1))) | 1


def swing_values(cell: ResolvedCell, amplitude: float, count: int) -> np.ndarray:
    """Return values (count,) of half a sine period around the cell's; a share stays in 0 to 1."""
    phase = np.linspace(-math.pi / 2, math.pi / 2, count)
    center = cell.value
    values = center + amplitude * np.sin(phase)
    if is_share(cell.tensor):
        values = values.clip(min(0.0, center), max(1.0, center))
    return values.astype(cell.tensor.value.dtype)
