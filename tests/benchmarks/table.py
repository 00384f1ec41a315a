"""Measures medians of times, and holds the rows of the table."""

import math
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

PAUSE = 0.15  # seconds; threads of BLAS and PyTorch keep spinning after their work, less than 0.1
NEVER = math.inf  # the time of an expected event that did not happen
DID_NOT_HAPPEN = "did not happen"
REASON = 160  # the length limit of a reason why something was not measured


class Row(NamedTuple):
    """One row.

    Attributes:
        what: the measured quantity; it must be clear without the rows around it.
        here: the measurement of this project.
        definition: the events that start and stop the clock, or the counted events; if the
            definition has changed, also the date and the old definition.
        limit: the required value, of the ratio if there is one.
        beside: the measurement of the alternative, taken in turn in the same run.
        ratio: the ratio of the two.
        main: whether the README has the row, too.
    """

    what: str
    here: str
    definition: str
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
    """Return the median time of a call in milliseconds, after a few warm-up calls."""
    return statistics.median(times_ms(run, repeats, warm))


def times_ms(run: Callable[[], object], repeats: int, warm: int) -> list[float]:
    """Return the milliseconds of each call, after a few warm-up calls."""
    for _ in range(warm):
        run()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        run()
        times.append(1000 * (time.perf_counter() - start))
    return times


def in_turn(
    calls: Sequence[Callable[[], object] | None], rounds: int, repeats: int, warm: int = 5
) -> list[float | None]:
    """Return the median milliseconds of each of several functions; None for None.

    The functions are timed in turn, so that a busy moment of the machine affects all of them. Each
    is preceded by a pause, because threads of the one before may still spin.
    """
    times: list[list[float]] = [[] for _ in calls]
    for _ in range(rounds):
        for found, call in zip(times, calls, strict=True):
            if call:
                time.sleep(PAUSE)
                found += times_ms(call, repeats, warm)
    return [statistics.median(found) if found else None for found in times]


def line(what: str, here: str, definition: str, limit: str = "", **more: Any) -> None:
    """Print one row and keep it under the last heading; the arguments are those of ``Row``."""
    add(Row(what, here, definition, limit, **more))


def add(row: Row) -> None:
    """Print one row and keep it under the last heading."""
    tables[-1].rows.append(row)
    print_row(row.what, row.here, row.beside, row.ratio, row.limit)


def halves(
    what: str,
    times: Sequence[float],
    definition: str,
    limits: tuple[str, str] = ("", ""),
    *,
    digits: int = 0,
    main: bool = False,
) -> None:
    """Add two rows for times in milliseconds: the median and the 95th percentile."""
    line(f"{what}, median", figure(times, 0.5, "ms", digits), definition, limits[0], main=main)
    line(f"{what}, 95 % are faster", figure(times, 0.95, "ms", digits), definition, limits[1])


def reason(error: Exception) -> str:
    """Return why a measurement is missing: an error's type and the start of its message."""
    return f"not measured: {type(error).__name__}: {error}".partition("\n")[0][:REASON]


def percentile(times: Sequence[float], share: float) -> float:
    """Return a quantile of times; ``NEVER`` if there are no times."""
    return sorted(times)[int(share * (len(times) - 1))] if times else NEVER


def figure(times: Sequence[float], share: float, unit: str, digits: int = 0) -> str:
    """Return a quantile of times in words, with the number of missing events, if any."""
    missing = sum(time == NEVER for time in times)
    said = measured(percentile(times, share), unit, digits)
    if not missing or said == DID_NOT_HAPPEN:
        return said
    return f"{said}; {missing} of {len(times)} {DID_NOT_HAPPEN}"


def measured(value: float, unit: str, digits: int = 0) -> str:
    """Format a number with its unit, or state that there is none."""
    return f"{value:,.{digits}f} {unit}".rstrip() if value < NEVER else DID_NOT_HAPPEN


def counted(rate: float) -> str:
    """Format a rate per second, or state that nothing happened."""
    return f"{rate:.1f}" if rate else DID_NOT_HAPPEN


def compared(
    what: str,
    here: float,
    beside: float | None,
    definition: str,
    limit: str = "",
    *,
    unit: str = "ms",
    digits: int = 1,
    name: str = "PyTorch",
) -> Row:
    """Return a row of two numbers and their ratio, which should not exceed ``limit``.

    A 0 in ``here`` means that nothing happened; without ``beside``, the other is not installed.
    """
    told, other = (measured(each or NEVER, unit, digits) for each in (here, beside))
    is_known = here and beside and max(here, beside) < NEVER
    ratio = f"{here / beside:.2f}" if is_known else ""
    other = f"{name} {other}".lstrip() if beside is not None else f"{name}: not installed"
    return Row(what, told, definition, limit, other, ratio)


def heading(text: str) -> None:
    """Print the heading of a table and of its columns."""
    tables.append(Table(text, []))
    print(f"\n{text}", flush=True)
    print_row("", "here", "beside it", "ratio", "limit")


def print_row(what: str, here: str, beside: str = "", ratio: str = "", last: str = "") -> None:
    """Print the cells of one row, which is not stored."""
    print(f"  {what:70} {here:>16} {beside:>22} {ratio:>8}   {last}", flush=True)
