"""What would follow if one cell were another number, by one batched pass. Pure: no panel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from transformer_math import Trace, sweep
from transformer_math.tensor import Index

POINTS = 201


class Response(NamedTuple):
    """A probability for each setting of a cell.

    Attributes:
        settings: (POINTS,), what the cell is set to.
        probabilities: (POINTS,), of one word at one position.
    """

    settings: np.ndarray
    probabilities: np.ndarray


def response(
    trace: Trace, path: str, index: Index, row: int, column: int, low: float, high: float
) -> Response:
    """How ``output.probabilities[row, column]`` answers to a cell between ``low`` and ``high``."""
    settings = np.linspace(low, high, POINTS, dtype=np.float32)
    output = sweep(trace, path, index, settings)["output.probabilities"]
    if "sweep" in output.dims:
        return Response(settings, output.value[:, row, column])
    return Response(settings, np.full(POINTS, output.value[row, column], np.float32))


def reach(trace: Trace, path: str, index: Index) -> Mapping[str, np.ndarray]:
    """Which cells move when this one does: stored path -> Boolean array, in order of computation.

    Found by moving it a little and a lot, so a dead ReLU unit or a masked key stops the reach
    just as it does in the model.
    """
    now = float(trace[path].value[index])
    if not np.isfinite(now):
        return {}
    moved = sweep(trace, path, index, [now, now + 0.1, now - 0.1, now + 3, now - 3])
    found = {}
    for stored, tensor in moved.tensors.items():
        if "sweep" in tensor.dims:
            found[stored] = (tensor.value[1:] != tensor.value[0]).any(axis=0)
    return found
