from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from tinkerformer.charts.contours import contour_line

HEIGHTS = arrays(
    np.float64,
    st.tuples(st.integers(2, 6), st.integers(2, 6)),
    elements=st.integers(-3, 3).map(float),
)


@given(HEIGHTS, st.sampled_from([-1.5, -0.5, 0.5, 1.5]))
def test_every_crossing_of_a_grid_line_ends_a_segment(heights, level):
    """The reference lists the crossings of the grid lines with the level."""
    expected = set()
    for (i, j), low in np.ndenumerate(heights):
        for k, m in ((i + 1, j), (i, j + 1)):
            if k < heights.shape[0] and m < heights.shape[1]:
                share = (level - low) / (heights[k, m] - low) if heights[k, m] != low else -1.0
                if 0 < share < 1:
                    x, y = j + share * (m - j), i + share * (k - i)
                    expected.add((round(x, 9), round(y, 9)))
    ends = _ends(heights, level)
    assert set(ends) == expected


@given(HEIGHTS, st.sampled_from([-1.5, -0.5, 0.5, 1.5]))
def test_a_line_ends_only_at_the_border(heights, level):
    height, width = heights.shape
    for (x, y), count in _ends(heights, level).items():
        is_at_border = x in (0, width - 1) or y in (0, height - 1)
        assert count == (1 if is_at_border else 2)


def test_the_contour_of_a_cone_is_a_circle():
    axis = np.linspace(-1, 1, 41)
    heights = np.hypot(axis, 2 * axis[:, None])
    pieces = contour_line(axis, axis, heights, 0.6)
    radii = np.hypot(pieces[..., 0], 2 * pieces[..., 1])
    # Between two grid points, the height deviates from a line by at most h² / 8 · curvature.
    assert radii == pytest.approx(0.6, abs=4 * 0.05**2 / 8 / 0.6 * 1.01)
    assert np.abs(pieces[..., 0]).max() == pytest.approx(0.6, abs=1e-9)
    assert np.linalg.norm(pieces[:, 1] - pieces[:, 0], axis=1).max() <= np.hypot(0.05, 0.05)


def test_a_level_outside_the_heights_has_no_line():
    assert contour_line(np.arange(3.0), np.arange(2.0), np.ones((2, 3)), 2.0).shape == (0, 2, 2)


def _ends(heights: np.ndarray, level: float) -> Counter[tuple[float, float]]:
    height, width = heights.shape
    pieces = contour_line(np.arange(float(width)), np.arange(float(height)), heights, level)
    return Counter((round(x, 9), round(y, 9)) for x, y in pieces.reshape(-1, 2).tolist())
