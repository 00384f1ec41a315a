"""The served page in a browser: opening it, frames, latency, memory and processor time."""

import statistics
import time
from collections.abc import Mapping
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from tests.benchmarks import in_page
from tests.benchmarks.in_page import FIRST, PAINT, SWING
from tests.benchmarks.serving import blank, launched, opened, received, served
from tests.benchmarks.table import counted, figure, halves, heading, line
from tests.benchmarks.usage import cpu
from tests.benchmarks.visits import Visit, visit

VISITS = 6
WATCHED = 5.0  # seconds in which a process is watched
HOVERED = "encoder.0.self_attn.head.0.q"
SLOWER, DRAGGED = 6, 6  # the factor of the slow browser; seconds of a drag in it
LINE = {  # in ms and bytes a second
    "offline": False,
    "latency": 40,
    "downloadThroughput": 10e6 / 8,
    "uploadThroughput": 10e6 / 8,
}
CPU = (
    "Processor time of the server from before the request until it is at rest, which is below 2 % "
    "of a processor in 0.3 s; median. Changed on 23 November 2026: before, until 0.4 s after the "
    "first numbers."
)
MEMORY = (
    "What the server holds in memory when it is at rest, less what it held before the request, "
    "while the pages before stay open. Changed on 23 November 2026: before, 0.4 s after the first "
    "numbers, and in units of 1,048,576 bytes."
)
MEAN = " The mean of all openings but the first two."
SENT = (
    "Bytes that the browser counts until the first numbers: files, as compressed, and messages "
    "through the socket; median. Changed on 23 November 2026: before, until 0.4 s after them."
)
FIRST_ON_LINE = (
    f"{FIRST} Chromium emulates the line: it delays each answer and the opening of the socket by "
    "40 ms and receives 10 Mbit/s, but a message through an open socket is not delayed."
)
AGAIN = " The browser has opened the page once before, and keeps its files."
BUSY = f"Processor time of the server in {WATCHED:.0f} s of the oscillation, divided by that time."
OPERANDS = (
    "From the pointer's event on a cell until the main thread has drawn rings around the cells "
    "that it was computed from. Changed on 23 November 2026: before, it ended when the rings were "
    "added to the document, before they were drawn."
)
SLOW = (
    f"A slider moves every 8 ms for {DRAGGED} s, in a browser whose main thread is slowed down. A "
    "number counts once, from when it is set until the main thread has drawn the first display "
    "frame that shows it; a number that a later one overtakes does not count. Changed on 23 "
    "November 2026: before, it counted again in each later frame that showed it, and each time "
    "ended with the event that announces the frame."
)
PAINTED = f"Numbers that this drag of {DRAGGED} s paints, divided by its seconds."
WON = (
    "Whether the last number of this drag is shown within 5 s. Changed on 23 November 2026: "
    "before, within 1.5 s."
)


def run() -> None:
    """Print all measurements of the page."""
    with served() as (url, pid), sync_playwright() as playwright:
        browser = launched(playwright)
        heading("The page in a browser of 1400 × 1000 on the server's machine, drawn by software")
        _opening(browser, url, pid)
        page = opened(browser, url)
        _oscillating(page, pid)
        what, times = "Stages: slider to paint", in_page.edits(page, 100)
        halves(what, times, PAINT, ("20 ms", "40 ms"), digits=1, main=True)
        what = "Stages: pointer on a number to rings around its operands, median"
        times = in_page.operands(page, 40, HOVERED, 6, 4)
        line(what, figure(times, 0.5, "ms", 1), OPERANDS, "50 ms")
        _slow_browser(browser, url)
        browser.close()


def _opening(browser: Browser, url: str, pid: int) -> None:
    first, again = _visits(browser, url, pid)
    for where, both, limit in (
        ("", (first, again), "1.4 s"),
        (", 10 Mbit/s and 40 ms", _visits(browser, url, pid, LINE), "2.0 s"),
    ):
        of_line = FIRST_ON_LINE if where else FIRST
        for what, visits, definition in (
            ("opening the page", both[0], of_line),
            ("opening it again", both[1], of_line + AGAIN),
        ):
            seconds = figure([each.seconds for each in visits], 0.5, "s", 2)
            line(f"{what}{where}: request to its first numbers", seconds, definition, limit)
    spent = statistics.median(1000 * each.cpu for each in first)
    held = statistics.mean(each.memory for each in first[2:])
    line("opening the page: server CPU", f"{spent:.0f} ms", CPU, "100 ms", main=True)
    line("opening the page: server memory a session", f"{held:.2f} MB", MEMORY + MEAN, "1 MB")
    for what, visits, definition, limit in (
        ("opening the page: sent to a browser that has nothing of it yet", first, SENT, 1200),
        ("opening it again: sent to a browser that keeps files", again, SENT + AGAIN, 80),
    ):
        sent = statistics.median(each.sent for each in visits) / 1e3
        line(what, f"{sent:,.0f} kB", definition, f"{limit:,} kB")


def _visits(
    browser: Browser, url: str, pid: int, line: Mapping[str, Any] | None = None
) -> tuple[list[Visit], list[Visit]]:
    """Measure first visits, with an empty cache, and second visits of the same browsers.

    All pages stay open, because the memory of a closed page is reused for the next.
    """

    def watched(page: Page) -> Visit:
        came, network = received(page), page.context.new_cdp_session(page)
        if line:
            network.send("Network.enable")
            network.send("Network.emulateNetworkConditions", dict(line))
        return visit(page, url, pid, came=came)

    pages = [blank(browser) for _ in range(VISITS)]
    first = [watched(page) for page in pages]
    again = [watched(page.context.new_page()) for page in pages]
    for page in pages:
        page.context.close()
    return first, again


def _oscillating(page: Page, pid: int) -> None:
    in_page.select(page)
    rate = counted(in_page.swing(page))
    line("Stages: frames a second while a number oscillates", rate, SWING, "58", main=True)
    busy = f"{100 * busy_share(pid):.1f} %"
    line("Stages: server CPU while a number oscillates", busy, BUSY, "2 %")
    in_page.rest(page)


def busy_share(pid: int) -> float:
    """Return the share of a processor that a process uses over some seconds."""
    before, start = cpu(pid), time.perf_counter()
    time.sleep(WATCHED)
    return (cpu(pid) - before) / (time.perf_counter() - start)


def _slow_browser(browser: Browser, url: str) -> None:
    page = opened(browser, url)
    in_page.select(page)
    slow_down(page)
    lags, last_won = in_page.drag(page, DRAGGED)
    what = f"Stages: a browser {SLOWER} times as slow"
    halves(f"{what}, slider to paint", lags, SLOW, ("150 ms", "150 ms"))
    line(f"{what}, numbers painted a second", f"{len(lags) / DRAGGED:.0f}", PAINTED)
    line(f"{what}, the last move won", "yes" if last_won else "no", WON, "yes")


def slow_down(page: Page) -> None:
    """Slow down the browser's main thread."""
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
