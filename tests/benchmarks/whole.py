"""The whole picture in a browser: the first paint, oscillation, the camera, edits."""

from __future__ import annotations

import statistics
import time

from playwright.sync_api import Browser, Page, sync_playwright
from tinkerformer.files.permalink import encode
from tinkerformer.files.scenario_json import SavedSession
from tinkerformer.scenario.scenario import Scenario

from tests.benchmarks.page import FRAMES, SLIDE, W_Q
from tests.benchmarks.serving import blank, launched, opened, served
from tests.benchmarks.table import heading, line, percentile

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
        heading("The whole picture in a browser of 1400 × 1000, drawn by software")
        _opening(browser, url)
        page = opened(browser, url, "whole")
        rate = f"{_oscillating(page):.1f}"
        line("Whole: frames a second while a number oscillates", rate, "58", main=True)
        page.wait_for_timeout(1500)
        line("Whole: frames a second while the camera moves", f"{_zooming(page):.1f}", "30")
        _sliding(browser, url)
        page.context.close()
        _large(browser, url)
        browser.close()


def _opening(browser: Browser, url: str) -> None:
    painted, alive = [], []
    for _ in range(7):
        page = blank(browser)
        start = time.perf_counter()
        page.goto(url, wait_until="commit")
        page.wait_for_function("window.tinkerformer?.frames > 0", polling=10)
        alive.append(time.perf_counter() - start)
        name = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
        painted.append(page.evaluate(name))
        page.context.close()
    outline = statistics.median(painted)
    line("opening Whole: first paint, the outline", f"{outline:.0f} ms", "500 ms")
    line("opening Whole: alive", f"{statistics.median(alive):.2f} s", "1.5 s")


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
    times = page.evaluate(SLIDE, [100, W_Q])
    line("Whole: slider to paint, median", f"{percentile(times, 0.5):.1f} ms", "20 ms")
    line("Whole: slider to paint, 95 % are faster", f"{percentile(times, 0.95):.1f} ms", "40 ms")
    page.context.close()


def _large(browser: Browser, url: str) -> None:
    scenario = Scenario()
    for name in ("encoder_layers", "decoder_layers"):
        scenario = scenario.with_setting(name, 6)
    words = [f"w{k % 20}" for k in range(64)]
    scenario = scenario.with_tokens("source", words).with_tokens("target", words)
    link = f"{url}#s={encode(SavedSession(scenario))}"
    page = blank(browser)
    page.goto(link)
    page.wait_for_function("window.tinkerformer?.frames > 0", timeout=60_000)
    page.wait_for_timeout(4000)
    what, rate = "Whole of 64 + 64 tokens, 6+6 layers", f"{_oscillating(page):.1f}"
    line(f"{what}: frames a second while a number oscillates", rate, "20", main=True)
    line(f"{what}: frames a second while the camera moves", f"{_zooming(page):.1f}", "20")
