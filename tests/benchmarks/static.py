"""The page without a server: when it can be seen and used, what it weighs, and how fast it is."""

from __future__ import annotations

import functools
import gzip
import http.server
import re
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright
from tinkerformer.site.build import build

from tests.benchmarks.page import FRAMES, SLIDE, W_Q
from tests.benchmarks.serving import blank, launched, opened, served
from tests.benchmarks.table import heading, line
from tests.browser.static_site import ALIVE, Missing, runtime_in
from tests.browser.student import open_view

VISITS = 5
TEXTS = (".js", ".html", ".css", ".json")

# Steps a second, amid a run: from its 50th step on for so many more.
RATE = """async (count) => {
  const find = (root) => {
    for (const e of root.querySelectorAll("*")) {
      const inside = e.shadowRoot &&
        (e.shadowRoot.querySelector("[role=progressbar]") || find(e.shadowRoot));
      if (inside) return inside;
    }
  };
  const bar = find(document), now = () => Number(bar.getAttribute("aria-valuenow"));
  const next = () => new Promise(requestAnimationFrame);
  while (now() > 500) await next();
  while (now() < 50) await next();
  const first = now(), start = performance.now();
  while (now() < first + count) await next();
  return (now() - first) / (performance.now() - start) * 1000;
}"""


def run() -> None:
    """Print all measurements of the static site, on this machine's own loopback."""
    heading("The site without a server, its Python in the browser")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        try:
            runtime = runtime_in(Path(folder) / "runtime")
        except Missing as missing:
            line(f"not measured: {missing}", "")
            return
        build(Path(folder) / "site", runtime)
        browser = launched(playwright)
        with hosted(Path(folder) / "site") as (url, sent):
            _visits(browser, url)
            _bytes(browser, url, sent)
            _working(browser, url)
            page = _alive(browser, url)
            own, learned = _training(page, until=r"(19[89]|200) of 200")
        with served() as (url, _):
            other, _ = _training(opened(browser, url, "whole"))
        line(
            "training: steps a second, beside those on a server",
            f"{own:.0f}",
            "0.4",
            beside=f"{other:.0f}",
            ratio=f"{own / other:.2f}",
        )
        line("training: phrases learned (99 %) after", f"{learned:.0f} s", "20 s")
        browser.close()


@contextmanager
def hosted(folder: Path) -> Iterator[tuple[str, list[int]]]:
    """A host that packs texts as most do; with the list of what it has sent, in bytes."""
    sent: list[int] = []

    class Host(http.server.SimpleHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            path = Path(self.translate_path(self.path))
            path = path / "index.html" if path.is_dir() else path
            data = packed(path)
            self.send_response(200 if path.is_file() else 404)
            self.send_header("Content-Type", self.guess_type(str(path)))
            self.send_header("Cache-Control", "max-age=600")
            self.send_header("Content-Length", str(len(data)))
            if path.suffix in TEXTS:
                self.send_header("Content-Encoding", "gzip")
            self.end_headers()
            self.wfile.write(data)
            sent.append(len(data))

    @functools.cache
    def packed(path: Path) -> bytes:
        data = path.read_bytes() if path.is_file() else b""
        return gzip.compress(data) if path.suffix in TEXTS else data

    host = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Host, directory=str(folder))
    )
    threading.Thread(target=host.serve_forever, daemon=True).start()
    yield f"http://localhost:{host.server_address[1]}/", sent
    host.shutdown()
    host.server_close()


def _mark(page: Page, name: str) -> float:
    """Seconds from the beginning of the visit."""
    script = "(name) => performance.getEntriesByName(`tinkerformer:${name}`)[0].startTime"
    return float(page.evaluate(script, name)) / 1000


def _alive(browser: Browser, url: str) -> Page:
    page = blank(browser)
    page.goto(url, wait_until="commit")
    page.wait_for_function(ALIVE, timeout=120_000, polling=20)
    return page


def _visits(browser: Browser, url: str) -> None:
    firsts, alive, again = [], [], []
    for _ in range(VISITS):
        page = _alive(browser, url)
        firsts.append(_mark(page, "first"))
        alive.append(_mark(page, "alive"))
        page.wait_for_function("navigator.serviceWorker.controller", timeout=60_000)
        page.evaluate("sessionStorage.clear()")
        page.goto(url, wait_until="commit")
        page.wait_for_function(ALIVE, timeout=120_000, polling=20)
        again.append(_mark(page, "alive"))
        page.context.close()
    line("first visit: real numbers after", f"{statistics.median(firsts):.2f} s", "1 s")
    line("first visit: alive after", f"{statistics.median(alive):.1f} s", "6 s")
    line("second visit: alive after", f"{statistics.median(again):.1f} s", "5 s")


def _bytes(browser: Browser, url: str, sent: list[int]) -> None:
    """A service worker would fetch what is for later: not in this context."""
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    sent.clear()
    page.goto(url)
    page.wait_for_function(ALIVE, timeout=120_000)
    first = sum(sent)
    sent.clear()
    open_view(page, "Positions")
    page.wait_for_function("[...(window.Bokeh?.index ?? [])].length > 0", timeout=60_000)
    line("first visit: sent until it is alive", f"{first / 1e6:.1f} MB", "10 MB")
    line("first visit: sent for the first chart", f"{sum(sent) / 1e6:.2f} MB", "1.1 MB")
    context.close()


def _working(browser: Browser, url: str) -> None:
    page = _alive(browser, f"{url}?view=stages")
    page.wait_for_timeout(1000)
    page.evaluate("(p) => window.tinkerformer.rect(p, 0, 0)", W_Q)
    page.evaluate("(p) => window.tinkerformer.select(p, 0, 0)", W_Q)
    page.wait_for_timeout(500)
    page.evaluate(SLIDE, [20, W_Q])
    times = sorted(page.evaluate(SLIDE, [200, W_Q]))
    line("Stages: slider to paint, median", f"{statistics.median(times):.1f} ms", "20 ms")
    page.evaluate("window.tinkerformer.oscillate(true)")
    page.wait_for_timeout(1500)
    rates = [page.evaluate(FRAMES, 2) for _ in range(5)]
    line(
        "Stages: frames a second while a number oscillates", f"{statistics.median(rates):.1f}", "58"
    )
    page.context.close()


def _training(page: Page, until: str = "") -> tuple[float, float]:
    """Steps a second, and after how many seconds the page says what is waited for."""
    page.get_by_role("tab", name="Learn").click()
    page.get_by_role("button", name="Step", exact=True).click()  # draws the charts, once
    page.get_by_text("step 1 of 1,000", exact=True).wait_for(timeout=60_000)
    page.get_by_role("button", name="Reset weights", exact=True).click()
    button = page.get_by_role("button", name=re.compile("^Train"))
    button.wait_for()
    start = time.perf_counter()
    button.click()
    rate = page.evaluate(RATE, 100)
    if until:
        page.get_by_text(re.compile(until)).first.wait_for(timeout=240_000)
    seconds = time.perf_counter() - start
    page.context.close()
    return rate, seconds
