"""Computes contour lines of values on a grid."""

import numpy as np


def contour_line(xs: np.ndarray, ys: np.ndarray, heights: np.ndarray, level: float) -> np.ndarray:
    """Return the contour line of a level, by marching squares.

    Args:
        xs: (w,), ascending.
        ys: (h,), ascending.
        heights: (h, w), finite.
        level: the height of the line.

    Returns:
        Line segments, one or two for each square that the line crosses: (segments, 2 ends, 2), each
        end as x and y.
    """
    points = np.stack([*np.meshgrid(xs, ys), heights - level], axis=-1)
    start = np.stack([points[:-1, :-1], points[:-1, 1:], points[1:, 1:], points[1:, :-1]], axis=2)
    end = np.roll(start, -1, axis=2)
    # A contour enters and leaves a square through its sides, so it meets none, two or all of them.
    crossed = (start[..., 2] < 0) != (end[..., 2] < 0)
    a, b = start[crossed], end[crossed]
    share = a[:, 2:] / (a[:, 2:] - b[:, 2:])
    pieces: np.ndarray = (a + share * (b - a))[:, :2].reshape(-1, 2, 2)
    return pieces
