"""Contours of heights that are known on a grid."""

import numpy as np


def contour_line(xs: np.ndarray, ys: np.ndarray, heights: np.ndarray, level: float) -> np.ndarray:
    """The line on which heights have a level, by marching squares.

    Args:
        xs: (w,), rising.
        ys: (h,), rising.
        heights: (h, w), finite.
        level: the height of the line.

    Returns:
        Straight pieces, one or two for each square that the line crosses: (pieces, 2 ends, 2), each
        end across and up.
    """
    points = np.stack([*np.meshgrid(xs, ys), heights - level], axis=-1)
    start = np.stack([points[:-1, :-1], points[:-1, 1:], points[1:, 1:], points[1:, :-1]], axis=2)
    end = np.roll(start, -1, axis=2)
    # A line enters and leaves a square: of its four sides it crosses none, two or all.
    crossed = (start[..., 2] < 0) != (end[..., 2] < 0)
    a, b = start[crossed], end[crossed]
    share = a[:, 2:] / (a[:, 2:] - b[:, 2:])
    pieces: np.ndarray = (a + share * (b - a))[:, :2].reshape(-1, 2, 2)
    return pieces
