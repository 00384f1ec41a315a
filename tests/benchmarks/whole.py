"""The whole picture in a browser: the first paint, oscillation, the camera, edits."""

from __future__ import annotations

import statistics
import time

from playwright.sync_api import Browser, Page, sync_playwright
from tinkerformer.files.permalink import encode
from tinkerformer.files.scenario_json import SavedSession
from tinkerformer.scenario.scenario import Scenario

from tests.benchmarks.page import FRAMES, SLIDE, W_Q
from tests.benchmarks.serving import launched, opened, served
from tests.benchmarks.table import heading, line

# A wheel that turns to and fro over the middle, once in every display frame: frames a second.
ZOOM = """async (seconds) => {
  const find = (root) => {
    for (const e of root.querySelectorAll("*")) {
      if (e.classList.contains("picture")) return e;
      const inside = e.shadowRoot && find(e.shadowRoot);
      if (inside) return inside;
    }
  };
  const el = find(document), box = el.getBoundingClientRect();
  const from = window.tinkerformer.frames, start = performance.now();
  await new Promise((done) => {
    const turn = () => {
      const t = performance.now() - start;
      el.dispatchEvent(new WheelEvent("wheel", {
        deltaY: Math.sin(t / 500) < 0 ? 30 : -30, bubbles: true, cancelable: true,
        clientX: box.x + box.width / 2, clientY: box.y + box.height / 2,
      }));
      if (t > 1000 * seconds) done(); else requestAnimationFrame(turn);
    };
    turn();
  });
  return (window.tinkerformer.frames - from) / (performance.now() - start) * 1000;
}"""


def run() -> None:
    """Print all measurements of the whole picture."""
    with served() as (url, _), sync_playwright() as playwright:
        browser = launched(playwright)
        heading("Whole, 1400 x 1000, loopback, software rendering")
        _opening(browser, url)
        page = opened(browser, url, "whole")
        line("frames a second while a weight oscillates", f"{_oscillating(page):.1f}", "58")
        page.wait_for_timeout(1500)
        line("camera moves a second", f"{_zooming(page):.1f}", "30")
        _sliding(browser, url)
        page.context.close()
        _large(browser, url)
        browser.close()


def _opening(browser: Browser, url: str) -> None:
    painted, alive = [], []
    for _ in range(7):
        context = browser.new_context(bypass_csp=True, viewport={"width": 1400, "height": 1000})
        page = context.new_page()
        start = time.perf_counter()
        page.goto(url, wait_until="commit")
        page.wait_for_function("window.tinkerformer?.frames > 0", polling=10)
        alive.append(time.perf_counter() - start)
        name = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
        painted.append(page.evaluate(name))
        context.close()
    line("first paint, the outline (median)", f"{statistics.median(painted):.0f} ms", "500 ms")
    line("alive (median)", f"{statistics.median(alive):.2f} s", "1.5 s")


def _oscillating(page: Page) -> float:
    page.evaluate("(p) => window.tinkerformer.select(p, 0, 0)", W_Q)
    page.wait_for_timeout(500)
    page.evaluate("window.tinkerformer.oscillate(true)")
    page.wait_for_function("window.tinkerformer.oscillating()")
    page.wait_for_timeout(1500)
    rates = [page.evaluate(FRAMES, 2) for _ in range(5)]
    page.evaluate("window.tinkerformer.oscillate(false)")
    return statistics.median(rates)


def _zooming(page: Page) -> float:
    return statistics.median(page.evaluate(ZOOM, 2) for _ in range(5))


def _sliding(browser: Browser, url: str) -> None:
    page = opened(browser, url, "whole")
    page.evaluate(SLIDE, [20, W_Q])
    times = sorted(page.evaluate(SLIDE, [100, W_Q]))
    line("edit to paint, median", f"{statistics.median(times):.1f} ms", "20 ms")
    line("edit to paint, 95th percentile", f"{times[int(0.95 * len(times))]:.1f} ms", "40 ms")
    page.context.close()


def _large(browser: Browser, url: str) -> None:
    scenario = Scenario()
    for name in ("encoder_layers", "decoder_layers"):
        scenario = scenario.with_setting(name, 6)
    words = [f"w{k % 20}" for k in range(64)]
    scenario = scenario.with_tokens("source", words).with_tokens("target", words)
    link = f"{url}#s={encode(SavedSession(scenario))}"
    context = browser.new_context(bypass_csp=True, viewport={"width": 1400, "height": 1000})
    page = context.new_page()
    page.goto(link)
    page.wait_for_function("window.tinkerformer?.frames > 0", timeout=60_000)
    page.wait_for_timeout(4000)
    line("64 tokens a side, 6 + 6 layers: frames a second", f"{_oscillating(page):.1f}", "20")
    line("  camera moves a second", f"{_zooming(page):.1f}", "20")
