"""Finds gaps between samples of curves in which the curves may cross 0, and crossings."""

from __future__ import annotations

import numpy as np

STEEPER = 2  # maximum slope of a curve in a gap, as a multiple of the slope beside the gap


def gaps(moves: np.ndarray, curves: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return rows and columns of the gaps between moves (k, n) where curves may rise above 0.

    Both ends of a gap are below 0. The curve may rise above 0 if a line with twice the slope before
    the gap reaches 0 within the gap, or a line backward with twice the slope after the gap.
    """
    if moves.shape[1] < 3:
        return np.array([], int), np.array([], int)
    widths = np.diff(moves)
    with np.errstate(invalid="ignore"):  # −∞ − (−∞)
        slopes = np.diff(curves) / widths
        forward = curves[:, 1:-1] + STEEPER * slopes[:, :-1] * widths[:, 1:]
        backward = curves[:, 1:-1] - STEEPER * slopes[:, 1:] * widths[:, :-1]
    may = np.zeros(slopes.shape, bool)
    may[:, 1:] |= forward > 0
    may[:, :-1] |= backward > 0
    rows, columns = np.nonzero(may & (curves[:, :-1] <= 0) & (curves[:, 1:] <= 0))
    return rows, columns


def brackets(
    which: np.ndarray, moves: np.ndarray, margins: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return neighboring moves: a move that fails and, farther from 0, a move that succeeds.

    Args:
        which: (k,), the numbers.
        moves: (k, n), rising.
        margins: (k, n).

    Returns:
        The numbers, the moves that fail and the moves that succeed, each (m,).
    """
    holds = margins > 0
    up = holds[:, 1:] & ~holds[:, :-1] & (moves[:, :-1] >= 0)
    down = holds[:, :-1] & ~holds[:, 1:] & (moves[:, 1:] <= 0)
    (i, a), (j, b) = np.nonzero(up), np.nonzero(down)
    return (
        np.concatenate([which[i], which[j]]),
        np.concatenate([moves[i, a], moves[j, b + 1]]),
        np.concatenate([moves[i, a + 1], moves[j, b]]),
    )
