"""The board beside the page that Panel's users would make: a Bokeh figure for each matrix."""

from __future__ import annotations

import contextlib
import statistics
import time
from collections.abc import Callable, Iterator

from playwright.sync_api import Browser, Page, sync_playwright

from tests.benchmarks.page import FRAMES, SLIDE, W_Q
from tests.benchmarks.serving import blank, cpu, launched, memory_of, opened, served
from tests.benchmarks.table import heading, line

ROUNDS = 3
MOVES = 15
THEIRS = "tests/benchmarks/panel_app.py"

DRAWN = "window.Bokeh?.documents?.[0]?.is_idle && Bokeh.documents[0]._all_models.size > 100"

# From a move of the slider to the paint after the last matrix has its numbers.
MOVE = """async (count) => {
  const doc = Bokeh.documents[0], times = [];
  const slider = [...doc._all_models.values()].find((m) => m.type === "Slider");
  const last = [...doc._all_models.values()].filter((m) => m.type === "ColumnDataSource").at(-1);
  for (let k = 0; k < count; k++) {
    const start = performance.now();
    const came = new Promise((done) => last.properties.data.change.connect(done));
    slider.value = 3 * Math.sin(k + 1);
    await Promise.race([came, new Promise((done) => setTimeout(done, 5000))]);
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    times.push(performance.now() - start);
  }
  return times;
}"""


def run() -> None:
    """Print both, measured in turn."""
    heading("The page, beside one with the same matrices as a Bokeh figure each")
    with _both() as (ours, theirs), sync_playwright() as playwright:
        browser = launched(playwright)
        pages: list[Page] = []
        opening = [
            (_cost(browser, *ours, _ours, pages), _cost(browser, *theirs, _theirs, pages))
            for _ in range(ROUNDS)
        ]
        for page in pages:
            page.context.close()
        for what, unit, k in (
            ("opening: server CPU", "ms", 0),
            ("opening: server memory a session", "MB", 1),
            ("opening: request to the first numbers", "s", 2),
        ):
            here, beside = (statistics.median(pair[side][k] for pair in opening) for side in (0, 1))
            _row(what, here, beside, unit)
        page, other = opened(browser, ours[0]), _theirs(browser, theirs[0])
        moves, others, frames, updates = [], [], [], []
        page.evaluate(SLIDE, [5, W_Q])
        for _ in range(ROUNDS):
            page.bring_to_front()
            moves += page.evaluate(SLIDE, [MOVES, W_Q])
            page.evaluate("(p) => window.tinkerformer.select(p, 0, 0)", W_Q)
            page.evaluate("window.tinkerformer.oscillate(true)")
            page.wait_for_timeout(1000)
            frames.append(page.evaluate(FRAMES, 2))
            page.evaluate("window.tinkerformer.oscillate(false)")
            other.bring_to_front()
            taken = other.evaluate(MOVE, MOVES)
            others += taken
            updates.append(1000 * len(taken) / sum(taken))
        _row(
            "Stages: slider to paint of the last matrix, median",
            statistics.median(moves),
            statistics.median(others),
            "ms",
        )
        here, beside = statistics.median(frames), statistics.median(updates)
        _row("Stages: changed pictures a second", here, beside, "")
        browser.close()


def _row(what: str, here: float, beside: float, unit: str) -> None:
    line(
        what,
        f"{_figure(here)} {unit}",
        beside=f"Bokeh {_figure(beside)} {unit}",
        ratio=_figure(here / beside, 2),
        main=True,
    )


def _figure(x: float, digits: int = 3) -> str:
    """So many digits that count, and no power of ten beside them."""
    return f"{float(f'{x:.{digits}g}'):,.0f}" if x >= 10**digits else f"{x:.{digits}g}"


@contextlib.contextmanager
def _both() -> Iterator[tuple[tuple[str, int], tuple[str, int]]]:
    with served() as ours, served(THEIRS) as theirs:
        yield ours, theirs


def _ours(browser: Browser, url: str) -> Page:
    page = blank(browser)
    page.goto(f"{url}?view=stages", wait_until="commit")
    page.wait_for_function("window.tinkerformer?.frames > 0", polling=10)
    return page


def _theirs(browser: Browser, url: str) -> Page:
    page = blank(browser)
    page.goto(url, wait_until="commit")
    page.wait_for_function(DRAWN, polling=10)
    return page


def _cost(
    browser: Browser, url: str, pid: int, opens: Callable[[Browser, str], Page], pages: list[Page]
) -> tuple[float, float, float]:
    """Milliseconds of the server's processor, megabytes, and seconds to the first numbers.

    The page stays open, in ``pages``: the memory of one that has gone is used for the next.
    """
    used, held, start = cpu(pid), memory_of(pid), time.perf_counter()
    page = opens(browser, url)
    first = time.perf_counter() - start
    page.wait_for_timeout(400)
    cost = 1000 * (cpu(pid) - used), max(memory_of(pid) - held, 0.01), first
    pages.append(page)
    return cost
