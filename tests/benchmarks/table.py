"""Timing by medians, and the lines of the table."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable


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


def line(what: str, measured: str, asked: str = "") -> None:
    """One measurement beside what is asked for."""
    print(f"  {what:<58} {measured:>20}   {asked}", flush=True)


def heading(text: str) -> None:
    """The heading of a group."""
    print(f"\n{text}", flush=True)
