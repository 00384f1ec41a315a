"""Timing by medians, and the rows of the one table."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

WIDTHS = (60, 22, 22, 8)


def median_ms(run: Callable[[], object], repeats: int = 50, warm: int = 5) -> float:
    """The median time of a call in milliseconds, after a few that do not count."""
    for _ in range(warm):
        run()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return 1000 * statistics.median(times)


def line(what: str, here: str, limit: str = "", *, beside: str = "", ratio: str = "") -> None:
    """One row.

    Args:
        what: is measured.
        here: what was measured of this project.
        limit: what is asked for; of the ratio where there is one.
        beside: what was measured of the alternative, in turn with it in the same run.
        ratio: of the two.
    """
    cells = (f"  {what}", here, beside, ratio)
    padded = [
        f"{cell:<{WIDTHS[0]}}" if k == 0 else f"{cell:>{WIDTHS[k]}}" for k, cell in enumerate(cells)
    ]
    print(" ".join(padded) + f"   {limit}", flush=True)


def heading(text: str) -> None:
    """The heading of a group, and of the columns."""
    print(f"\n{text}", flush=True)
    line("", "here", "limit", beside="beside it", ratio="ratio")
