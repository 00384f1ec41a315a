"""The served page in a browser: frames, latency, first paint, memory and processor time."""

from __future__ import annotations

import statistics
import time

from playwright.sync_api import Browser, Page, sync_playwright

from tests.benchmarks.serving import blank, cpu, launched, memory_of, opened, received, served
from tests.benchmarks.table import heading, line, percentile

W_Q = "encoder.0.self_attn.head.0.W_q"

SLIDE = """async ([count, path]) => {
  const t = window.tinkerformer, times = [];
  for (let k = 0; k < count; k++) {
    const x = 4 * Math.sin(k / 3);
    const start = performance.now();
    await new Promise((done) => {
      const check = () => {
        if (Math.abs(t.value("output.probabilities", 2, 0) - before) > 0) { stop(); }
      };
      const before = t.value("output.probabilities", 2, 0);
      const stop = () => { document.removeEventListener("tinkerformer:frame", check); done(); };
      document.addEventListener("tinkerformer:frame", check);
      t.set(path, 0, 0, x);
      setTimeout(stop, 2000);
    });
    times.push(performance.now() - start);
    await new Promise((done) => setTimeout(done, 23));
  }
  return times;
}"""

# From the pointer on a cell to its operands ringed on the board.
HOVER = """async ([count, path]) => {
  const t = window.tinkerformer, times = [];
  const board = (function find(root) {
    for (const e of root.querySelectorAll("*")) {
      if (e.classList.contains("board")) return e;
      const inside = e.shadowRoot && find(e.shadowRoot);
      if (inside) return inside;
    }
  })(document);
  for (let k = 0; k < count; k++) {
    const box = t.rect(path, k % 6, k % 4), x = box.x + box.width / 2, y = box.y + box.height / 2;
    const under = board.getRootNode().elementFromPoint(x, y);
    const start = performance.now();
    const lit = new Promise((done) => {
      const seen = new MutationObserver((changes) => {
        for (const {addedNodes} of changes) for (const node of addedNodes)
          if (node.classList?.contains("preview")) { seen.disconnect(); done(); }
      });
      seen.observe(board, {childList: true, subtree: true});
      setTimeout(() => { seen.disconnect(); done(); }, 2000);
    });
    under.dispatchEvent(new PointerEvent("pointermove",
      {clientX: x, clientY: y, bubbles: true, composed: true, pointerType: "mouse"}));
    await lit;
    times.push(performance.now() - start);
    await new Promise((done) => setTimeout(done, 31));
  }
  return times;
}"""

# A slider that never rests: a move every 8 ms; lag is how long ago what is now painted was set.
DRAG = """async ([seconds, path]) => {
  const t = window.tinkerformer, lags = [], sent = new Map();
  let k = 0;
  const seen = () => {
    const x = Math.round(t.value(path, 0, 0) * 1000);
    if (sent.has(x)) { lags.push(performance.now() - sent.get(x)); }
  };
  document.addEventListener("tinkerformer:frame", seen);
  const end = performance.now() + 1000 * seconds;
  while (performance.now() < end) {
    const x = ++k % 8000;
    sent.set(x, performance.now());
    t.set(path, 0, 0, x / 1000);
    await new Promise((done) => setTimeout(done, 8));
  }
  await new Promise((done) => setTimeout(done, 1500));
  document.removeEventListener("tinkerformer:frame", seen);
  return [lags, Math.round(t.value(path, 0, 0) * 1000) === k % 8000];
}"""

FRAMES = """async (seconds) => {
  const t = window.tinkerformer, from = t.frames, start = performance.now();
  await new Promise((done) => setTimeout(done, 1000 * seconds));
  return (t.frames - from) / (performance.now() - start) * 1000;
}"""


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
    firsts, used, memory, sent = [], [], [], []
    pages = []
    for _ in range(9):
        before, size = cpu(pid), memory_of(pid)
        page = blank(browser)
        came = received(page)
        start = time.perf_counter()
        page.goto(url, wait_until="commit")
        page.wait_for_function("window.tinkerformer?.frames > 0", polling=10)
        firsts.append(time.perf_counter() - start)
        page.wait_for_timeout(400)
        used.append(cpu(pid) - before)
        memory.append(memory_of(pid) - size)
        sent.append(sum(came))
        pages.append(page)
    for page in pages:
        page.context.close()
    first, spent = statistics.median(firsts), 1000 * statistics.median(used)
    line("opening the page: request to its first numbers", f"{first:.2f} s", "2.0 s")
    line("opening the page: server CPU", f"{spent:.0f} ms", "100 ms", main=True)
    held = statistics.mean(memory[2:])
    line("opening the page: server memory a session", f"{held:.2f} MB", "1 MB")
    megabytes = statistics.median(sent) / 1e6
    line("opening the page: sent to a browser that has nothing of it yet", f"{megabytes:.2f} MB")


def _oscillating(page: Page, pid: int) -> None:
    page.evaluate("(p) => window.tinkerformer.rect(p, 0, 0)", W_Q)
    page.evaluate("(p) => window.tinkerformer.select(p, 0, 0)", W_Q)
    page.wait_for_timeout(500)
    page.evaluate("window.tinkerformer.oscillate(true)")
    page.wait_for_timeout(1500)
    before, start = cpu(pid), time.perf_counter()
    rates = [page.evaluate(FRAMES, 2) for _ in range(5)]
    busy = (cpu(pid) - before) / (time.perf_counter() - start)
    page.evaluate("window.tinkerformer.oscillate(false)")
    rate = f"{statistics.median(rates):.1f}"
    line("Stages: frames a second while a number oscillates", rate, "58", main=True)
    line("Stages: server CPU while a number oscillates", f"{100 * busy:.1f} %", "2 %")


def _sliding(page: Page) -> None:
    page.wait_for_timeout(500)
    page.evaluate(SLIDE, [20, W_Q])
    times = page.evaluate(SLIDE, [200, W_Q])
    half, most = percentile(times, 0.5), percentile(times, 0.95)
    line("Stages: slider to paint, median", f"{half:.1f} ms", "20 ms", main=True)
    line("Stages: slider to paint, 95 % are faster", f"{most:.1f} ms", "40 ms")


def _hovering(page: Page) -> None:
    path = "encoder.0.self_attn.head.0.q"
    page.evaluate("(p) => window.tinkerformer.rect(p, 0, 0)", path)
    page.wait_for_timeout(300)
    times = page.evaluate(HOVER, [60, path])
    line(
        "Stages: pointer on a number to the ones it came from, median",
        f"{statistics.median(times):.1f} ms",
        "50 ms",
    )


def _slow_browser(browser: Browser, url: str) -> None:
    page = opened(browser, url)
    page.evaluate("(p) => window.tinkerformer.rect(p, 0, 0)", W_Q)
    page.evaluate("(p) => window.tinkerformer.select(p, 0, 0)", W_Q)
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": 6})
    lags, last_won = page.evaluate(DRAG, [6, W_Q])
    what = "Stages: a browser six times as slow, slider to paint"
    line(f"{what}, median", f"{percentile(lags, 0.5):.0f} ms", "150 ms")
    line(f"{what}, 95 % are faster", f"{percentile(lags, 0.95):.0f} ms", "150 ms")
    line("Stages: a browser six times as slow, the last move won", _said(last_won), "yes")


def _said(truth: bool) -> str:
    return "yes" if truth else "no"
