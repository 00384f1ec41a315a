"""What would follow if one cell were another number, by one batched pass."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from transformer_math import Trace, sweep
from transformer_math.ops.tensor import Index

from ..matrices import overview, sweeps
from ..matrices.address import PROBABILITIES

Answer = tuple[int, int]  # a position, and a word that may stand next

MAX_POINTS = 201
LIKELIEST = 4  # words of a position among which the one that moves most is looked for
DIGITS = 5  # of a probability: what differs less is rounding
FARTHEST = 1e3  # what moves to infinity counts as so far
MOVES = (0.1, -0.1, 3.0, -3.0)  # by which a number shows what it reaches
ROUNDING = 1e-6  # of a matrix's largest number: frames of one sweep may be rounded differently


class Response(NamedTuple):
    """A probability for each setting of a cell.

    Attributes:
        settings: (points,), what the cell is set to; an odd number of them, at equal steps.
        probabilities: (points,), of one word at one position.
        answer: that position and that word.
        variation: how far it is from what it is now, on average over the settings. Where it ends
            would tell little: far from what it was trained with, a model may write anything.
    """

    settings: np.ndarray
    probabilities: np.ndarray
    answer: Answer
    variation: float


def response(  # noqa: PLR0913 -- most by name
    trace: Trace,
    path: str,
    index: Index,
    answers: Sequence[Answer],
    span: tuple[float, float],
    *,
    points: int = MAX_POINTS,
    go_on: Callable[[], None] = sweeps.to_the_end,
) -> Response:
    """How the answer that a cell matters to most depends on it.

    All answers come out of one sweep; of those that vary alike the first is taken.

    Args:
        trace: a pass.
        path: the drawn matrix of the cell.
        index: the cell in the tensor of that path.
        answers: positions and words to choose from.
        span: the lowest and the highest number that the cell is set to.
        points: how many settings there are at most; a large model is asked at fewer.
        go_on: called between pieces of the work; what it raises ends it.
    """
    rows, columns = np.array(answers).T
    points = sweeps.affordable(trace, path, points, sweeps.CURVE_BYTES)
    settings = np.linspace(*span, points, dtype=np.float32)
    found = []
    for piece in sweeps.pieces(trace, path, index, settings.tolist(), go_on):
        probabilities = piece[PROBABILITIES]
        if "sweep" not in probabilities.dims:
            now = probabilities.value[answers[0]]
            return Response(settings, np.full(points, now, np.float32), answers[0], 0.0)
        found.append(probabilities.value[:, rows, columns])
    curves = np.concatenate(found)
    away = np.abs(curves - trace[PROBABILITIES].value[rows, columns]).mean(axis=0).round(DIGITS)
    most = int(away.argmax())
    return Response(settings, curves[:, most], answers[most], float(away[most]))


def likely_answers(
    probabilities: np.ndarray, labels: Mapping[int, int], first: int
) -> list[Answer]:
    """What a number may matter to: at each position the label and the likeliest words.

    Args:
        probabilities: (positions, words).
        labels: the word that is right at each position that is asked.
        first: the position that is taken where nothing moves.
    """
    likeliest = overview.likeliest(probabilities, LIKELIEST).tolist()
    rows = sorted(labels or range(len(likeliest)), key=lambda row: row != first)
    words = {row: [labels[row]] if row in labels else [] for row in rows}
    return [(row, k) for row in rows for k in dict.fromkeys([*words[row], *likeliest[row]])]


def reach(
    trace: Trace, path: str, index: Index, go_on: Callable[[], None] = sweeps.to_the_end
) -> Mapping[str, np.ndarray]:
    """How far each cell moves when this one does: stored path -> array, in order of computation.

    Found by moving it a little and a lot, so a dead ReLU unit or a masked key stops the reach
    just as it does in the model.

    Args:
        trace: a pass.
        path: the drawn matrix of the cell.
        index: the cell in the tensor of that path.
        go_on: called between pieces of the work; what it raises ends it.

    Returns:
        of each tensor that is reached, numbers from 0 (the cell is not) to 1 (none moves as far);
        the root of the share, so that small moves show, too.
    """
    now = float(trace[path].value[index])
    if not np.isfinite(now):
        return {}
    at_once = max(1, sweeps.PIECE_BYTES // sweeps.bytes_a_setting(trace, path) - 1)
    moves = [now + move for move in MOVES]
    found: dict[str, np.ndarray] = {}
    for start in range(0, len(moves), at_once):
        go_on()
        moved = sweep(trace, path, index, [now, *moves[start : start + at_once]])
        for stored, tensor in moved.tensors.items():
            if "sweep" in tensor.dims:
                far = _moved(tensor.value)
                found[stored] = np.maximum(found[stored], far) if stored in found else far
    most = max((float(far.max(initial=0)) for far in found.values()), default=0)
    return {stored: np.sqrt(far / most) if most else far for stored, far in found.items()}


def _moved(frames: np.ndarray) -> np.ndarray:
    """How far cells of frames (T, …) are at most from the first frame; 0 within its rounding."""
    first, rest = frames[0], frames[1:]
    scale = np.max(np.abs(first), initial=0.0, where=np.isfinite(first))
    with np.errstate(invalid="ignore"):  # −∞ less −∞, which has not moved
        away = np.where(rest == first, 0, np.abs(rest - first))
    away = np.where(away <= ROUNDING * scale, 0, np.minimum(away, FARTHEST))
    moved: np.ndarray = away.max(axis=0)
    return moved
