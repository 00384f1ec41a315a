"""Compares the board with a page that has a Bokeh figure for each matrix."""

import statistics
from collections.abc import Callable

from playwright.sync_api import sync_playwright

from tests.benchmarks import in_page
from tests.benchmarks.in_page import FIRST, PAINT, SWING
from tests.benchmarks.page import CPU, MEMORY
from tests.benchmarks.serving import blank, launched, served
from tests.benchmarks.table import NEVER, heading, line, measured
from tests.benchmarks.visits import Visit, visit

ROUNDS = 2  # rounds, in each of which both are measured
MOVES, THEIR_MOVES = 15, 3
THEIRS = "tests/benchmarks/panel_app.py"
SECOND = (
    " The median of all openings but the first of each server, which counted, too, until 23 "
    "November 2026."
)
OPENING = f"{FIRST} Beside it: until all figures of Bokeh are drawn.{SECOND}"
LAST = (
    f"{PAINT} Beside it: from the move of the slider until the last figure has new numbers and the "
    "main thread has drawn the next frame in which Bokeh has nothing more to do; until 23 November "
    "2026 the next frame, whether Bokeh had more to do or not."
)
PICTURES = f"{SWING} Beside it: moves of the slider, one after another, divided by their time."


def run() -> None:
    """Print both, measured in turn."""
    heading("The page, beside one with the same matrices as a Bokeh figure each")
    with served() as ours, served(THEIRS) as theirs, sync_playwright() as playwright:
        browser = launched(playwright)
        both = ((f"{ours[0]}?view=formulas", ours[1], "numbers"), (*theirs, "figures"))
        opening = []
        for _ in range(1 + ROUNDS):
            page, other = pages = [blank(browser) for _ in both]  # all pages stay open
            opening.append([visit(each, *of) for each, of in zip(pages, both, strict=True)])
        here, beside = zip(*opening[1:], strict=True)
        opened: tuple[tuple[str, str, str, Callable[[Visit], float]], ...] = (
            ("opening: server CPU", "ms", CPU + SECOND, lambda each: 1000 * each.cpu),
            ("opening: server memory a session", "MB", MEMORY + SECOND, lambda each: each.memory),
            ("opening: request to the first numbers", "s", OPENING, lambda each: each.seconds),
        )
        for what, unit, definition, of in opened:
            _row(what, [*map(of, here)], [*map(of, beside)], unit, definition)
        in_page.select(page)
        moves, others, frames, updates = [], [], [], []
        for _ in range(ROUNDS):
            page.bring_to_front()
            moves += in_page.edits(page, MOVES, 5)
            frames.append(in_page.swing(page, 1))
            in_page.rest(page)
            other.bring_to_front()
            taken = in_page.figures(other, THEIR_MOVES)
            others += taken
            updates.append(1000 * len(taken) / sum(taken))
        _row("Stages: slider to paint of the last matrix, median", moves, others, "ms", LAST)
        what = "Stages: changed pictures a second while a number oscillates; beside it by moves"
        _row(what, frames, updates, "", PICTURES)
        browser.close()


def _row(what: str, here: list[float], beside: list[float], unit: str, definition: str) -> None:
    """Print a row with the medians of both."""
    ours, theirs = statistics.median(here), statistics.median(beside)
    line(
        what,
        _figure(ours, unit),
        definition,
        beside=f"Bokeh {_figure(theirs, unit)}",
        ratio=_digits(ours / theirs, 2) if 0 < theirs < NEVER and ours < NEVER else "",
        main=True,
    )


def _figure(x: float, unit: str) -> str:
    return f"{_digits(x, 3)} {unit}".rstrip() if 0 < x < NEVER else measured(NEVER, unit)


def _digits(x: float, digits: int) -> str:
    """Format a number with ``digits`` significant digits, without an exponent."""
    return f"{float(f'{x:.{digits}g}'):,.0f}" if x >= 10**digits else f"{x:.{digits}g}"
