"""Learning on screen: how long it takes, how smooth the page stays, what other users feel.

And how soon after an edit the sentence that the model writes is on screen.
"""

from __future__ import annotations

import re
import statistics

import numpy as np
from playwright.sync_api import Page, sync_playwright
from tinkerformer.files import catalog
from tinkerformer.inference.forward_pass import ForwardPassRunner

from tests.benchmarks.page import SLIDE, W_Q
from tests.benchmarks.serving import cpu, launched, memory_of, opened, served
from tests.benchmarks.table import heading, line, percentile

# From the press on Train until the run is over: its time, refreshes of the screen a second, and
# how many of them painted new numbers on the board.
WATCH = """async () => {
  const find = (root) => {
    for (const e of root.querySelectorAll("*")) {
      const inside = e.shadowRoot &&
        (e.shadowRoot.querySelector("[role=progressbar]") || find(e.shadowRoot));
      if (inside) return inside;
    }
  };
  const bar = document.querySelector("[role=progressbar]") ?? find(document);
  const start = performance.now(), painted = window.tinkerformer.frames;
  let refreshes = 0;
  while (bar.getAttribute("aria-valuenow") !== bar.getAttribute("aria-valuemax")) {
    await new Promise(requestAnimationFrame);
    refreshes += 1;
  }
  const seconds = (performance.now() - start) / 1000;
  return [seconds, refreshes / seconds, (window.tinkerformer.frames - painted) / seconds];
}"""

# From an edit that makes another word the likeliest, and from undoing it, to the new sentence.
WRITE = """async ([count, path, i, j, values]) => {
  const find = (root) => {
    for (const e of root.querySelectorAll("*")) {
      const inside = e.shadowRoot &&
        (e.shadowRoot.querySelector(".written:not([hidden]) ul") || find(e.shadowRoot));
      if (inside) return inside;
    }
  };
  const list = find(document), times = [];
  const words = () => [...list.querySelectorAll(".chip")].map((e) => e.textContent).join(" ");
  for (let k = 0; k < count; k++) {
    const before = words(), start = performance.now();
    const seen = new Promise((done, fail) => {
      const observer = new MutationObserver(() => {
        if (words() !== before) { observer.disconnect(); done(); }
      });
      observer.observe(list, {childList: true, characterData: true, subtree: true});
      setTimeout(() => fail(new Error(`The sentence stays as it was: ${words()}`)), 5000);
    });
    window.tinkerformer.set(path, i, j, values[k % 2]);
    await seen;
    await new Promise(requestAnimationFrame);
    times.push(performance.now() - start);
    await new Promise((done) => setTimeout(done, 60));
  }
  return times;
}"""


def run() -> None:
    """Print the measurements of the phrases and the dates, one run beside another user."""
    with served() as (url, pid), sync_playwright() as playwright:
        browser = launched(playwright)
        heading("Learning on screen: the phrases, 8 wide, 1+1 layers, 1,000 steps")
        page = opened(browser, url)
        times = sorted(page.evaluate(WRITE, [40, *_turning_edit()]))
        line(
            "edit to the sentence that the model writes then, median",
            f"{statistics.median(times):.0f} ms",
            "20 ms",
        )
        line("edit to the sentence, 95 % are faster", f"{percentile(times, 0.95):.0f} ms")
        page.get_by_role("tab", name="Learn").click()
        before = memory_of(pid)
        for k in range(3):
            _run(page, pid, f"phrases, training {k + 1}", "8 s, 1,000")
        line(
            "phrases: server memory of three trainings",
            f"{memory_of(pid) - before:.0f} MB",
            "200 MB",
        )
        heading("Learning on screen: the dates, 32 wide, 1+1 layers, 600 steps")
        page.get_by_role("button", name="Model: Phrases").click()
        page.locator("button.model", has_text="Dates").click()
        page.wait_for_timeout(1500)
        _run(page, pid, "dates, training", "10 s, 1,000")
        _beside(page, opened(browser, url))
        browser.close()


def _turning_edit() -> tuple[str, int, int, list[float]]:
    """A cell of W_out and two values for it, of which only the first makes another sentence."""
    scenario = catalog.first("phrases")
    trace = ForwardPassRunner().trace(scenario)
    row, column = scenario.target.index("noir") - 1, scenario.ids("target")[3]
    i = int(np.abs(trace["decoder.0.feed_forward.norm"].value[row]).argmax())
    sign = np.sign(trace["decoder.0.feed_forward.norm"].value[row, i])
    now = float(trace["output.W_out"].value[i, column])
    return "output.W_out", i, column, [float(now - 8 * sign), now]


def _run(page: Page, pid: int, name: str, wanted: str) -> None:
    """One run from random to the end."""
    page.get_by_role("button", name="Reset weights").click()
    page.get_by_text(re.compile(r"^step 0 of")).locator("visible=true").first.wait_for()
    used = cpu(pid)
    page.get_by_role("button", name=re.compile("^Train")).click()
    seconds, rate, painted = page.evaluate(WATCH)
    line(
        f"{name}: from the press to the end, right of 1,000",
        f"{seconds:.1f} s, {_right(page)}",
        wanted,
    )
    line(f"{name}: refreshes of the screen a second", f"{rate:.0f}")
    line(f"{name}: refreshes of the numbers on the board a second", f"{painted:.0f}", "30")
    line(f"{name}: server CPU", f"{cpu(pid) - used:.1f} s")


def _right(page: Page) -> str:
    """How many of all held-out pairs the page says are right at the end."""
    told = page.get_by_text(re.compile(r"[\d,]+ of 1,000 held-out \w+ right"))
    said = told.locator("visible=true").first
    said.wait_for()
    return re.sub(r"\D*([\d,]+) of 1,000.*", r"\1", said.inner_text(), flags=re.DOTALL)


def _beside(page: Page, other: Page) -> None:
    """What the slider of another user takes while somebody trains."""
    other.evaluate("(p) => window.tinkerformer.rect(p, 0, 0)", W_Q)
    page.get_by_role("button", name=re.compile("^Train")).click()
    page.wait_for_timeout(1000)
    times = sorted(other.evaluate(SLIDE, [100, W_Q]))
    line(
        "dates: slider to paint of another user meanwhile, median",
        f"{statistics.median(times):.0f} ms",
    )
    line("dates: slider of another user, 95 % are faster", f"{percentile(times, 0.95):.0f} ms")
