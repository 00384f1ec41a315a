"""The outline of the whole picture, a placeholder until the page has numbers.

The outline is part of the HTML, so that the page is not blank at first. It has the position and the
colors of the picture.
"""

from __future__ import annotations

from collections.abc import Iterator

WIDTH, HEIGHT = 1100, 640
LANE, STRIP = 20, 52
# The stacks of the initial model: the left edge of the lanes, and their number.
STACKS = ((60, 7), (350, 9))
# The left edges of strips, and the boxes of attention and of the feed-forward networks.
STRIPS = ((80, 150, 220, 395, 555), (80, 150, 220, 395, 755, 915))
ATTENTION = ((300, 0), (300, 1))
HIDDEN = ((470, 0), (830, 1))
CROSS = (640, 90)
LAST = 990  # the probabilities


def skeleton() -> str:
    """Return the outline as SVG; the style sheet colors its shapes by their classes."""
    shapes = "".join(_shapes())
    return (
        f'<svg class="skeleton" viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="xMidYMid meet" '
        f'aria-hidden="true">{shapes}</svg>'
    )


def _shapes() -> Iterator[str]:
    for (top, lanes), strips in zip(STACKS, STRIPS, strict=True):
        for k in range(lanes):
            y = top + k * LANE
            yield _box("word", 24, y + 4, 34, 9)
            for x in strips:
                yield _box("strip", x, y, STRIP, LANE - 4)
    for x, stack in ATTENTION:
        top, lanes = STACKS[stack]
        yield _box("attention", x, top - 4, 76, lanes * LANE + 4)
    for x, stack in HIDDEN:
        top, lanes = STACKS[stack]
        yield _box("hidden", x, top - 4, 66, lanes * LANE + 4)
    top, bottom = STACKS[0][0], STACKS[1][0] + STACKS[1][1] * LANE
    yield _box("attention", CROSS[0], top - 4, CROSS[1], bottom - top + 8)
    for k in range(STACKS[1][1]):
        yield _box("strip", LAST, STACKS[1][0] + k * LANE, 70, LANE - 4)


def _box(name: str, x: int, y: int, width: int, height: int) -> str:
    return f'<rect class="{name}" x="{x}" y="{y}" width="{width}" height="{height}" rx="2"/>'
