"""Learning on screen: how long it takes, how smooth the page stays, what other users feel."""

from __future__ import annotations

import re
import statistics

from playwright.sync_api import Page, sync_playwright

from tests.benchmarks.page import SLIDE, W_Q
from tests.benchmarks.serving import cpu, launched, memory_of, opened, served
from tests.benchmarks.table import heading, line

# From the press on Learn until the run is over: its time, and refreshes of the screen a second.
WATCH = """async () => {
  const bar = document.querySelector("[role=progressbar]") ?? (function find(root) {
    for (const e of root.querySelectorAll("*")) {
      const root = e.shadowRoot;
      const inside = root && (root.querySelector("[role=progressbar]") || find(root));
      if (inside) return inside;
    }
  })(document);
  const start = performance.now();
  let refreshes = 0;
  while (bar.getAttribute("aria-valuenow") !== bar.getAttribute("aria-valuemax")) {
    await new Promise(requestAnimationFrame);
    refreshes += 1;
  }
  const seconds = (performance.now() - start) / 1000;
  return [seconds, refreshes / seconds];
}"""


def run() -> None:
    """Print the measurements of three runs with the defaults, the last beside another user."""
    with served() as (url, pid), sync_playwright() as playwright:
        browser = launched(playwright)
        heading("Learning on screen: 32 wide, 1+1, 600 steps")
        page = opened(browser, url)
        page.get_by_role("tab", name="Learn").click()
        page.wait_for_timeout(2000)
        before = memory_of(pid)
        for k in range(3):
            used = cpu(pid)
            page.get_by_role("button", name="Learn", exact=True).click()
            seconds, rate = page.evaluate(WATCH)
            right = _right(page)
            line(
                f"run {k + 1}: from the press to the end",
                f"{seconds:.1f} s, {right}",
                "10 s, 1,000",
            )
            line("  refreshes of the screen a second", f"{rate:.0f}", "30")
            line("  server CPU", f"{cpu(pid) - used:.1f} s")
            page.get_by_role("button", name="Reset", exact=True).click()
            page.wait_for_timeout(1000)
        line("memory of three runs", f"{memory_of(pid) - before:.0f} MB", "200 MB")
        _beside(page, opened(browser, url))
        browser.close()


def _right(page: Page) -> str:
    """How many of the held-out dates the page says are right at the end."""
    said = page.get_by_text(re.compile(r"1,000 (held-out|of)")).first
    said.wait_for()
    return re.sub(r"\D*([\d,]+) of 1,000.*", r"\1", said.inner_text())


def _beside(page: Page, other: Page) -> None:
    """What the slider of another user takes while somebody trains."""
    other.evaluate("(p) => window.tinkerformer.rect(p, 0, 0)", W_Q)
    page.get_by_role("button", name="Learn", exact=True).click()
    page.wait_for_timeout(1000)
    times = sorted(other.evaluate(SLIDE, [100, W_Q]))
    line("slider of another user meanwhile, median", f"{statistics.median(times):.0f} ms")
    line("  95th percentile", f"{times[int(0.95 * len(times))]:.0f} ms")
