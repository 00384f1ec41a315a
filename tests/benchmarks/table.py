"""Timing by medians, and the rows of the one table."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

WIDTHS = (70, 16, 22, 6)
PAUSE = 0.3  # seconds; threads of BLAS and of PyTorch go on spinning after their work, below 0.1
NEVER = math.inf  # the time of what was waited for and did not happen
DID_NOT_HAPPEN = "did not happen"


class Row(NamedTuple):
    """One row.

    Attributes:
        what: is measured; to be understood without its neighbors.
        here: what was measured of this project.
        limit: what is asked for; of the ratio where there is one.
        beside: what was measured of the alternative, in turn with it in the same run.
        ratio: of the two.
        main: whether the README has it, too.
    """

    what: str
    here: str
    limit: str = ""
    beside: str = ""
    ratio: str = ""
    main: bool = False


class Table(NamedTuple):
    """Rows under a heading."""

    heading: str
    rows: list[Row]


tables: list[Table] = []
"""What this process has measured so far."""


def median_ms(run: Callable[[], object], repeats: int = 50, warm: int = 5) -> float:
    """The median time of a call in milliseconds, after a few that do not count."""
    return statistics.median(times_ms(run, repeats, warm))


def times_ms(run: Callable[[], object], repeats: int, warm: int) -> list[float]:
    """The milliseconds of each of some calls, after a few that do not count."""
    for _ in range(warm):
        run()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        run()
        times.append(1000 * (time.perf_counter() - start))
    return times


def in_turn(
    calls: Sequence[Callable[[], object]], rounds: int, repeats: int, warm: int = 5
) -> list[float]:
    """The median milliseconds of each of several calls.

    They are timed in turn, so that a busy moment of the machine meets all of them, with a pause
    before each, so that threads that still spin for one are not counted against the next.
    """
    times: list[list[float]] = [[] for _ in calls]
    for _ in range(rounds):
        for found, call in zip(times, calls, strict=True):
            time.sleep(PAUSE)
            found += times_ms(call, repeats, warm)
    return [statistics.median(found) for found in times]


def line(
    what: str,
    here: str,
    limit: str = "",
    *,
    beside: str = "",
    ratio: str = "",
    main: bool = False,
) -> None:
    """Print and keep one row; the arguments are those of ``Row``."""
    add(Row(what, here, limit, beside, ratio, main))


def add(row: Row) -> None:
    """Print one row, and keep it where it stands under a heading."""
    if tables:
        tables[-1].rows.append(row)
    _show(f"  {row.what}", row.here, row.beside, row.ratio, row.limit)


def percentile(times: Sequence[float], share: float) -> float:
    """The time that this share of them stays under; without any, ``NEVER``."""
    return sorted(times)[int(share * (len(times) - 1))] if times else NEVER


def figure(times: Sequence[float], share: float, unit: str, digits: int = 0) -> str:
    """The time that a share of them stays under, and how many did not happen, if any."""
    missing = sum(time == NEVER for time in times)
    said = measured(percentile(times, share), unit, digits)
    if not missing or said == DID_NOT_HAPPEN:
        return said
    return f"{said}; {missing} of {len(times)} {DID_NOT_HAPPEN}"


def measured(value: float, unit: str, digits: int = 0) -> str:
    """A figure with its unit, or that there is none."""
    return f"{value:,.{digits}f} {unit}".rstrip() if value < NEVER else DID_NOT_HAPPEN


def counted(rate: float) -> str:
    """How often something happened in a second, or that it did not."""
    return f"{rate:.1f}" if rate else DID_NOT_HAPPEN


def compared(
    what: str, here: float, limit: str, beside: float | None, name: str, digits: int
) -> Row:
    """A row of two times in milliseconds: the one here, and one of PyTorch where it is installed.

    Args:
        what: was measured.
        here: the time of this project.
        limit: what is asked of the ratio.
        beside: the time of the other; None: there is none.
        name: of the other.
        digits: after the point.
    """
    if beside is None:
        return Row(what, measured(here, "ms", digits), limit, f"{name}: not installed")
    told = f"{name} {measured(beside, 'ms', digits)}"
    return Row(what, measured(here, "ms", digits), limit, told, f"{here / beside:.2f}")


def heading(text: str) -> None:
    """The heading of a table, and of the columns."""
    tables.append(Table(text, []))
    print(f"\n{text}", flush=True)
    _show("", "here", "beside it", "ratio", "limit")


def _show(*cells: str) -> None:
    *padded, limit = cells
    columns = zip(padded, WIDTHS, ("<", ">", ">", ">"), strict=True)
    print(" ".join(f"{c:{side}{width}}" for c, width, side in columns) + f"   {limit}", flush=True)
