"""The board beside the page that Panel's users would make: a Bokeh figure for each matrix."""

from __future__ import annotations

import contextlib
import statistics
from collections.abc import Iterator

from playwright.sync_api import Browser, Page, sync_playwright

from tests.benchmarks import in_page
from tests.benchmarks.serving import PATIENCE, blank, launched, opened, served
from tests.benchmarks.table import NEVER, heading, line, measured
from tests.benchmarks.usage import come_to_rest, cpu, memory

ROUNDS = 3
MOVES = 15
THEIRS = "tests/benchmarks/panel_app.py"


def run() -> None:
    """Print both, measured in turn."""
    heading("The page, beside one with the same matrices as a Bokeh figure each")
    with _both() as (ours, theirs), sync_playwright() as playwright:
        browser = launched(playwright)
        pages: list[Page] = []
        both = [(*ours, "?view=formulas", "numbers"), (*theirs, "", "figures")]
        for each in both:  # what only the first page of a server costs
            cost(browser, *each, pages)
        opening = [[cost(browser, *each, pages) for each in both] for _ in range(ROUNDS)]
        for page in pages:
            page.context.close()
        for what, unit, k in (
            ("opening: server CPU", "ms", 0),
            ("opening: server memory a session", "MB", 1),
            ("opening: request to the first numbers", "s", 2),
        ):
            here, beside = (statistics.median(pair[side][k] for pair in opening) for side in (0, 1))
            _row(what, here, beside, unit)
        page, other = opened(browser, ours[0]), blank(browser)
        other.goto(theirs[0])
        in_page.first(other, "figures", PATIENCE)
        in_page.select(page)
        moves, others, frames, updates = [], [], [], []
        for _ in range(ROUNDS):
            page.bring_to_front()
            moves += in_page.edits(page, MOVES)
            frames.append(in_page.swing(page, 1))
            in_page.rest(page)
            other.bring_to_front()
            taken = in_page.figures(other, MOVES)
            others += taken
            updates.append(1000 * len(taken) / sum(taken))
        _row(
            "Stages: slider to paint of the last matrix, median",
            statistics.median(moves),
            statistics.median(others),
            "ms",
        )
        what = "Stages: changed pictures a second while a number oscillates; beside it by moves"
        _row(what, statistics.median(frames), statistics.median(updates), "")
        browser.close()


def _row(what: str, here: float, beside: float, unit: str) -> None:
    line(
        what,
        _figure(here, unit),
        beside=f"Bokeh {_figure(beside, unit)}",
        ratio="" if NEVER in (here, beside) or not beside else _digits(here / beside, 2),
        main=True,
    )


def _figure(x: float, unit: str) -> str:
    return f"{_digits(x, 3)} {unit}".rstrip() if 0 < x < NEVER else measured(NEVER, unit)


def _digits(x: float, digits: int) -> str:
    """So many digits that count, and no power of ten beside them."""
    return f"{float(f'{x:.{digits}g}'):,.0f}" if x >= 10**digits else f"{x:.{digits}g}"


@contextlib.contextmanager
def _both() -> Iterator[tuple[tuple[str, int], tuple[str, int]]]:
    with served() as ours, served(THEIRS) as theirs:
        yield ours, theirs


def cost(
    browser: Browser, url: str, pid: int, query: str, what: str, pages: list[Page]
) -> tuple[float, float, float]:
    """Milliseconds of the server's processor, megabytes, and seconds to the first numbers.

    The page stays open, in ``pages``: the memory of one that has gone is used for the next.
    """
    used, held = cpu(pid), memory(pid)
    page = blank(browser)
    page.goto(f"{url}{query}", wait_until="commit")
    first = in_page.first(page, what, PATIENCE)
    come_to_rest(pid)
    pages.append(page)
    return 1000 * (cpu(pid) - used), memory(pid) - held, first
