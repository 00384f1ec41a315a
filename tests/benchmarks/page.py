"""The served page in a browser: frames, latency, first paint, memory and processor time."""

from __future__ import annotations

import statistics
import time

from playwright.sync_api import Browser, Page, sync_playwright

from tests.benchmarks import in_page
from tests.benchmarks.serving import PATIENCE, blank, launched, opened, served
from tests.benchmarks.table import counted, figure, heading, line
from tests.benchmarks.usage import come_to_rest, cpu, memory

WATCHED = 10.0  # seconds in which a process is watched
HOVERED = "encoder.0.self_attn.head.0.q"
SLOWER = 6  # times, of the slow browser


def run() -> None:
    """Print all measurements of the page."""
    with served() as (url, pid), sync_playwright() as playwright:
        browser = launched(playwright)
        heading("The page in a browser of 1400 × 1000 on the server's machine, drawn by software")
        _opening(browser, url, pid)
        page = opened(browser, url)
        _oscillating(page, pid)
        _sliding(page)
        _hovering(page)
        _slow_browser(browser, url)
        browser.close()


def _opening(browser: Browser, url: str, pid: int) -> None:
    firsts, used, held = [], [], []
    pages = []
    for _ in range(9):
        before, size = cpu(pid), memory(pid)
        page = blank(browser)
        page.goto(url, wait_until="commit")
        firsts.append(in_page.first(page, "numbers", PATIENCE))
        come_to_rest(pid)
        used.append(cpu(pid) - before)
        held.append(memory(pid) - size)
        pages.append(page)
    for page in pages:
        page.context.close()
    spent = 1000 * statistics.median(used)
    line("opening the page: request to its first numbers", figure(firsts, 0.5, "s", 2), "2.0 s")
    line("opening the page: server CPU", f"{spent:.0f} ms", "100 ms", main=True)
    line("opening the page: server memory a session", f"{statistics.mean(held[2:]):.2f} MB", "1 MB")


def _oscillating(page: Page, pid: int) -> None:
    in_page.select(page)
    rate = in_page.swing(page)
    line("Stages: frames a second while a number oscillates", counted(rate), "58", main=True)
    busy = busy_share(pid)
    line("Stages: server CPU while a number oscillates", f"{100 * busy:.1f} %", "2 %")
    in_page.rest(page)


def busy_share(pid: int) -> float:
    """What a process uses of a processor, over some seconds."""
    before, start = cpu(pid), time.perf_counter()
    time.sleep(WATCHED)
    return (cpu(pid) - before) / (time.perf_counter() - start)


def _sliding(page: Page) -> None:
    times = in_page.edits(page, 200)
    line("Stages: slider to paint, median", figure(times, 0.5, "ms", 1), "20 ms", main=True)
    line("Stages: slider to paint, 95 % are faster", figure(times, 0.95, "ms", 1), "40 ms")


def _hovering(page: Page) -> None:
    times = in_page.operands(page, 60, HOVERED, 6, 4)
    what = "Stages: pointer on a number to the ones it came from, median"
    line(what, figure(times, 0.5, "ms", 1), "50 ms")


def _slow_browser(browser: Browser, url: str) -> None:
    page = opened(browser, url)
    in_page.select(page)
    slow_down(page)
    lags, last_won = in_page.drag(page, 6)
    what = f"Stages: a browser {SLOWER} times as slow"
    line(f"{what}, slider to paint, median", figure(lags, 0.5, "ms"), "150 ms")
    line(f"{what}, slider to paint, 95 % are faster", figure(lags, 0.95, "ms"), "150 ms")
    line(f"{what}, numbers painted a second", f"{len(lags) / 6:.0f}")
    line(f"{what}, the last move won", "yes" if last_won else "no", "yes")


def slow_down(page: Page) -> None:
    """Let the browser's main thread be slower."""
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
