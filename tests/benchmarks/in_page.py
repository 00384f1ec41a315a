"""Runs the measurements of ``measures.js`` in a page; ``NEVER`` is the time of a missing event."""

import statistics
from typing import Any, NamedTuple

from playwright.sync_api import Locator, Page, TimeoutError

from tests.benchmarks.table import NEVER

W_Q = "encoder.0.self_attn.head.0.W_q"
STRETCHES, SECONDS = 3, 2  # the number and length of the intervals in which frames are counted
PATIENCE = 20  # the number of equal screenshots that show that the page is at rest
SWINGS = 60_000  # ms until an oscillation must have started
FIRST = (
    "From the start of the navigation, by the clock of the browser, until its main thread has "
    "drawn the display frame with the first numbers; median. Changed on 23 November 2026: before, "
    "by the clock of the process that drives the browser, until that process saw a first frame."
)
PAINT = (
    "From the call that sets a number, as its slider does, until the main thread of the browser "
    "has drawn the display frame that shows this number and a probability that follows from it. "
    "Changed on 23 November 2026: before, it ended with the event that announces this frame, "
    "before the browser had drawn it."
)
SWING = (
    "Display frames in which the number that oscillates has another value than in the frame "
    f"before, divided by the time from the first to the last of them; median of {STRETCHES} "
    f"stretches of {SECONDS} s. Changed on 23 November 2026: before, frames with nothing new "
    "counted, too."
)
ZOOM = (
    "A wheel turns over the picture in each display frame: frames in which the camera is at "
    "another place than in the frame before, divided by the time from the first to the last of "
    f"them; median of {STRETCHES} stretches of {SECONDS} s. Changed on 23 November 2026: before, "
    "frames in which the camera stayed counted, too."
)


class Run(NamedTuple):
    """A training run on the page, measured from the press on its button.

    Attributes:
        seconds: the time until the progress bar is full.
        refreshes: the display frames per second.
        changes: the changes of the shown numbers per second.
        bar: the times at which the progress bar changed, in seconds, each with the shown step.
        said: the time until the expected sentence appeared, in seconds.
    """

    seconds: float
    refreshes: float
    changes: float
    bar: list[tuple[float, int]]
    said: float

    def rate(self, first: int, last: int) -> float:
        """Return the steps per second between the steps ``first`` and ``last``, by the progress
        bar.

        Return 0 if the bar showed fewer than two steps between them.
        """
        seen = [(at, step) for at, step in self.bar if first <= step <= last]
        (begin, one), (end, other) = (seen[0], seen[-1]) if seen else ((0.0, 0), (0.0, 0))
        return (other - one) / (end - begin) if end > begin else 0.0


def first(page: Page, what: str, patience: int) -> float:
    """Return the seconds from navigation to the first ``numbers``, ``outline`` or ``figures``."""
    if not happens(page, f"measures.first.{what} !== null", patience):
        return NEVER
    return float(page.evaluate(f"measures.first.{what}")) / 1000


def happens(page: Page, condition: str, patience: int) -> bool:
    """Return whether a condition becomes true within ``patience`` milliseconds."""
    try:
        page.wait_for_function(condition, timeout=patience)
    except TimeoutError:
        return False
    return True


def select(page: Page) -> None:
    """Select the number to be edited; scroll to it unless the whole picture is open."""
    if not _picture(page).count():
        page.evaluate("(p) => window.tinkerformer.rect(p, 0, 0)", W_Q)
    page.evaluate("(p) => window.tinkerformer.select(p, 0, 0)", W_Q)
    page.wait_for_function("(p) => window.tinkerformer.selection()?.path === p", arg=W_Q)
    page.wait_for_timeout(500)


def edits(page: Page, count: int, warm: int = 20) -> list[float]:
    """Return the milliseconds from each edit to its frame, after ``warm`` edits to warm up."""
    script = "([n, p]) => measures.edits(n, p, 0, 0)"
    page.evaluate(script, [warm, W_Q])
    return _times(page.evaluate(script, [count, W_Q]))


def figures(page: Page, count: int) -> list[float]:
    """Return the milliseconds from each move of the Bokeh page's slider until all figures are
    drawn."""
    return _times(page.evaluate("(n) => measures.bokehMoves(n)", count))


def drag(page: Page, seconds: float) -> tuple[list[float], bool]:
    """Return the ages in ms of numbers when they are painted, and whether the last was painted."""
    found = page.evaluate("([s, p]) => measures.drag(s, p, 0, 0)", [seconds, W_Q])
    return found["lags"], found["last"]


def operands(page: Page, count: int, path: str, rows: int, columns: int) -> list[float]:
    """Return the milliseconds from pointing at a cell until its operands are marked."""
    script = "([n, p, rows, columns]) => measures.operands(n, p, rows, columns)"
    page.evaluate("(p) => window.tinkerformer.rect(p, 0, 0)", path)
    page.wait_for_timeout(300)
    return _times(page.evaluate(script, [count, path, rows, columns]))


def swing(page: Page, stretches: int = STRETCHES) -> float:
    """Return the frames per second in which the selected, oscillating number changes.

    Return 0 if it does not oscillate, or if the picture does not change.
    """
    page.evaluate("window.tinkerformer.oscillate(true)")
    if not happens(page, "window.tinkerformer.oscillating()", SWINGS):
        return 0.0
    page.wait_for_timeout(1500)
    script = "([s, p]) => measures.changes(s, p, 0, 0)"
    rates = [page.evaluate(script, [SECONDS, W_Q]) or 0.0 for _ in range(stretches)]
    return statistics.median(rates) if _moves(page) else 0.0


def rest(page: Page) -> None:
    """Stop the oscillation, and wait until it has stopped."""
    page.evaluate("window.tinkerformer.oscillate(false)")
    page.wait_for_function("!window.tinkerformer.oscillating()")
    page.wait_for_timeout(1000)


def zoom(page: Page, stretches: int = STRETCHES) -> float:
    """Return the frames per second in which the camera moves while a wheel turns."""
    rates = [page.evaluate("(s) => measures.zoom(s)", SECONDS) or 0.0 for _ in range(stretches)]
    return statistics.median(rates)


def training(page: Page, button: Locator, sentence: str = "") -> Run | None:
    """Measure a training run; return None if it did not finish."""
    script = "(button, sentence) => measures.training(button, sentence)"
    found = button.evaluate(script, sentence)
    if found is None:
        return None
    (said,) = _times([found.pop("said")])
    return Run(**found, said=said)


def sentences(page: Page, count: int, edit: tuple[str, int, int, list[float]]) -> list[float]:
    """Return the milliseconds from an edit to the new sentence. ``edit`` gives path and cell of a
    number, and two values, the second of which is the present one."""
    script = "([n, path, i, j, values]) => measures.sentences(n, path, i, j, values)"
    return _times(page.evaluate(script, [count, *edit]))


def _times(found: list[Any]) -> list[float]:
    return [NEVER if time is None else float(time) for time in found]


def _picture(page: Page) -> Locator:
    """Return a locator of the whole picture, which is empty if the picture is not open."""
    return page.locator(".picture:visible")


def _moves(page: Page) -> bool:
    """Return whether screenshots of the whole picture, or else of the selected cell, differ."""
    picture = _picture(page)
    if picture.count():
        box = picture.bounding_box()
    else:
        box = page.evaluate("(p) => window.tinkerformer.rect(p, 0, 0)", W_Q)
    looks = set()
    for _ in range(PATIENCE):
        looks.add(page.screenshot(clip=box))
        if len(looks) > 1:
            return True
    return False
