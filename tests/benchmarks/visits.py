"""Opening the page: how long it takes and what is sent, the first time and a later one.

On the loopback, and on a line as the browser emulates it: that delays every answer and the opening
of the socket, and sends no faster than the line, but a message through an open socket is not
delayed.
"""

from __future__ import annotations

import statistics
import time
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Page, sync_playwright

from tests.benchmarks.serving import PATIENCE, SIZE, launched, received, served
from tests.benchmarks.table import heading, line

VISITS = 7
LINE = {
    "offline": False,
    "latency": 40,
    "downloadThroughput": 10e6 / 8,
    "uploadThroughput": 10e6 / 8,
}


class Visit(NamedTuple):
    """Until the first numbers: seconds from the request, and bytes that were sent."""

    seconds: float
    sent: int


def run() -> None:
    """Print all measurements of opening the page."""
    heading("Opening the page: a first visit, and a later one of a browser that keeps files")
    with served() as (url, _), sync_playwright() as playwright:
        browser = launched(playwright)
        for where, conditions, limit in (
            ("", None, "1.4 s"),
            (", 10 Mbit/s and 40 ms", LINE, "2.0 s"),
        ):
            first, later = visits(browser, url, conditions)
            line(f"first visit{where}: request to first numbers", _seconds(first), limit)
            line(f"later visit{where}: request to first numbers", _seconds(later), limit)
        sent = statistics.median(each.sent for each in first) / 1e6
        line("first visit: sent until the first numbers", f"{sent:.2f} MB", "1.2 MB", main=True)
        kept = statistics.median(each.sent for each in later) / 1e3
        line("later visit: sent until the first numbers", f"{kept:.0f} kB", "80 kB", main=True)
        browser.close()


def _seconds(found: list[Visit]) -> str:
    return f"{statistics.median(each.seconds for each in found):.2f} s"


def visits(
    browser: Browser, url: str, conditions: dict[str, Any] | None, times: int = VISITS
) -> tuple[list[Visit], list[Visit]]:
    """First visits, each of a browser that has nothing yet, and later ones of the same browsers.

    Args:
        browser: that visits.
        url: of the page.
        conditions: of the line, as ``Network.emulateNetworkConditions`` takes them; None: as it is.
        times: how many of each.
    """
    first, later = [], []
    for _ in range(times):
        # Playwright's waiting evaluates texts, which the policy of the page forbids.
        context = browser.new_context(bypass_csp=True, viewport=SIZE)
        for found in (first, later):
            page = context.new_page()
            found.append(_visit(page, url, conditions))
            page.close()
        context.close()
    return first, later


def _visit(page: Page, url: str, conditions: dict[str, Any] | None) -> Visit:
    page.set_default_timeout(PATIENCE)
    came = received(page)
    if conditions is not None:
        network = page.context.new_cdp_session(page)
        network.send("Network.enable")
        network.send("Network.emulateNetworkConditions", conditions)
    start = time.perf_counter()
    page.goto(url, wait_until="commit")
    page.wait_for_function("window.tinkerformer?.frames > 0", polling=10)
    seconds = time.perf_counter() - start
    return Visit(seconds, sum(came))
