"""Computes the effects of setting one cell to other values, in batched passes."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from transformer_math import Trace, sweep
from transformer_math.ops.tensor import Index

from ..model.matrices import overview, sweeps
from ..model.matrices.address import PROBABILITIES, Answer

MAX_POINTS = 201
LIKELIEST = 4  # candidate words per position
DIGITS = 5  # smaller differences of a probability are rounding
FARTHEST = 1e3  # replaces an infinite change
MOVES = (0.1, -0.1, 3.0, -3.0)  # a small and a large change
NOTICEABLE = 0.25  # minimum share of the largest variation for keeping the answer in focus
# Share of a matrix's largest number below which a change counts as rounding. With logits of about
# 10, rounding of float32 sums moves a probability by up to this share.
ROUNDING = 1e-5


class Response(NamedTuple):
    """The probability of one answer for each setting of a cell."""

    settings: np.ndarray  # (points,), the values of the cell, equally spaced; their number is odd
    probabilities: np.ndarray  # (points,), of the answer
    answer: Answer  # the position and the word
    # The mean distance from the present probability over all settings. The ends alone are not
    # informative, because a model may generate anything far from its training data.
    variation: float


def response(  # noqa: PLR0913 -- most by name
    trace: Trace,
    path: str,
    index: Index,
    answers: Sequence[Answer],
    span: tuple[float, float],
    *,
    focus: Answer | None = None,
    go_on: Callable[[], None] = sweeps.to_the_end,
) -> Response:
    """Return the response of the answer in focus or, below ``NOTICEABLE``, of the most varying one.

    All answers are computed in one sweep; ties are resolved in favor of the first.

    Args:
        index: the index of the cell in the tensor at ``path``.
        go_on: called between pieces of the work; cancels the work by raising an exception.
    """
    rows, columns = np.array(answers).T
    points = sweeps.affordable(trace, path, MAX_POINTS, sweeps.CURVE_BYTES)
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
    if focus in answers and away[answers.index(focus)] >= NOTICEABLE * away[most]:
        most = answers.index(focus)
    return Response(settings, curves[:, most], answers[most], float(away[most]))


def likely_answers(
    probabilities: np.ndarray, labels: Mapping[int, int], first: int
) -> list[Answer]:
    """Return the answers that a cell may affect: each position's label and likeliest words.

    ``probabilities`` is (positions, words). The position ``first`` is at the head of the list, so
    that it is chosen if no answer varies.
    """
    likeliest = overview.likeliest(probabilities, LIKELIEST).tolist()
    rows = sorted(labels or range(len(likeliest)), key=lambda row: row != first)
    words = {row: [labels[row]] if row in labels else [] for row in rows}
    return [(row, k) for row in rows for k in dict.fromkeys([*words[row], *likeliest[row]])]


def reach(
    trace: Trace, path: str, index: Index, go_on: Callable[[], None] = sweeps.to_the_end
) -> Mapping[str, np.ndarray]:
    """Return the effect of a cell on all other cells, by stored path, in order of computation.

    The effect is measured with small and large changes, so that dead ReLU units and masked keys
    block it as they do in the model. It is the square root of a cell's change relative to the
    largest change of any cell, from 0 to 1, so that small changes are visible. ``go_on`` is called
    between pieces of the work, and cancels the work by raising an exception.
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
    """Return each cell's maximum distance from the first frame of (T, …); 0 within rounding."""
    first, rest = frames[0], frames[1:]
    scale = np.max(np.abs(first), initial=0.0, where=np.isfinite(first))
    with np.errstate(invalid="ignore"):  # −∞ − (−∞) is NaN, which counts as no move
        away = np.where(rest == first, 0, np.abs(rest - first))
    away = np.where(away <= ROUNDING * scale, 0, np.minimum(away, FARTHEST))
    moved: np.ndarray = away.max(axis=0)
    return moved
