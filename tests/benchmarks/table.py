"""Timing by medians, and the rows of the one table."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import NamedTuple

WIDTHS = (70, 16, 22, 6)


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
    for _ in range(warm):
        run()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return 1000 * statistics.median(times)


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


def percentile(times: list[float], share: float) -> float:
    """The time that this share of them stays under."""
    return sorted(times)[int(share * (len(times) - 1))]


def heading(text: str) -> None:
    """The heading of a table, and of the columns."""
    tables.append(Table(text, []))
    print(f"\n{text}", flush=True)
    _show("", "here", "beside it", "ratio", "limit")


def _show(*cells: str) -> None:
    *padded, limit = cells
    columns = zip(padded, WIDTHS, ("<", ">", ">", ">"), strict=True)
    print(" ".join(f"{c:{side}{width}}" for c, width, side in columns) + f"   {limit}", flush=True)
