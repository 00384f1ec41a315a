"""The page without a server: when it can be seen and used, what it weighs, and how fast it is."""

from __future__ import annotations

import functools
import gzip
import http.server
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright
from tinkerformer.site.build import build

from tests.benchmarks import in_page
from tests.benchmarks.learning import reset, train_button
from tests.benchmarks.serving import blank, launched, opened, served
from tests.benchmarks.table import (
    DID_NOT_HAPPEN,
    NEVER,
    counted,
    figure,
    heading,
    line,
    measured,
    percentile,
)
from tests.browser.static_site import ALIVE, Missing, runtime_in
from tests.browser.student import open_view

VISITS = 5
ROUNDS = 3  # of which the median is taken
STARTS = 120_000  # ms that Python may take to start in the browser
STEPS = 50, 900  # of a run: those between which its rate is measured
LEARNED = r"(?<![\d,])(19[89]|200) of 200 "
PRODUCT = "matmul.wasm"  # without it NumPy keeps its own matrix product, which has no SIMD
TEXTS = (".js", ".html", ".css", ".json")


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
        with hosted(Path(folder) / "site") as host:
            _visits(browser, host.url)
            _bytes(browser, host)
            _working(browser, host.url)
            own = trained(alive(browser, host.url))
            _products(browser, host)
        with served() as (url, _):
            other = trained(opened(browser, url, "whole"))
        browser.close()
    what = "training: steps a second, beside those on a server"
    if own is None or other is None:
        line(what, DID_NOT_HAPPEN, "0.4")
        return
    here, beside = own.rate(*STEPS), other.rate(*STEPS)
    ratio = f"{here / beside:.2f}"
    line(what, f"{here:.0f}", "0.4", beside=f"{beside:.0f}", ratio=ratio)
    line("training: phrases learned (99 %) after", measured(own.said, "s", 1), "20 s")


class Host:
    """A host that packs texts as most do.

    Attributes:
        url: of the site.
        sent: what it has sent, in bytes.
        wait: seconds that it takes for the page's own file.
        missing: the end of the names of files that it answers with 404; empty for none.
    """

    def __init__(self) -> None:
        self.url = ""
        self.sent: list[int] = []
        self.wait = 0.0
        self.missing = ""


@contextmanager
def hosted(folder: Path) -> Iterator[Host]:
    """A folder, handed out."""
    host = Host()

    class Handler(http.server.SimpleHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle(self) -> None:
            with suppress(ConnectionError):  # a page was closed while it still loaded
                super().handle()

        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            path = Path(self.translate_path(self.path))
            if path.is_dir():
                path = path / "index.html"
                time.sleep(host.wait)
            is_there = path.is_file() and not (host.missing and path.name.endswith(host.missing))
            data = packed(path) if is_there else b""
            self.send_response(200 if is_there else 404)
            self.send_header("Content-Type", self.guess_type(str(path)))
            self.send_header("Cache-Control", "max-age=600")
            self.send_header("Content-Length", str(len(data)))
            if path.suffix in TEXTS:
                self.send_header("Content-Encoding", "gzip")
            self.end_headers()
            host.sent.append(len(data))
            self.wfile.write(data)

    @functools.cache
    def packed(path: Path) -> bytes:
        data = path.read_bytes() if path.is_file() else b""
        return gzip.compress(data) if path.suffix in TEXTS else data

    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Handler, directory=str(folder))
    )
    threading.Thread(target=server.serve_forever, daemon=True).start()
    host.url = f"http://localhost:{server.server_address[1]}/"
    yield host
    server.shutdown()
    server.server_close()


def _mark(page: Page, name: str) -> float:
    """Seconds from the beginning of the visit; ``NEVER`` if it does not come."""
    entry = f"performance.getEntriesByName('tinkerformer:{name}')[0]"
    if not in_page.happens(page, entry, STARTS):
        return NEVER
    return float(page.evaluate(f"{entry}.startTime")) / 1000


def alive(browser: Browser, url: str) -> Page:
    """The site, once its Python answers."""
    page = blank(browser)
    page.goto(url, wait_until="commit")
    page.wait_for_function(ALIVE, timeout=STARTS, polling=20)
    return page


def _visits(browser: Browser, url: str) -> None:
    firsts, alives, agains = zip(*[visit(browser, url) for _ in range(VISITS)], strict=True)
    line("first visit: real numbers after", figure(firsts, 0.5, "s", 2), "1 s")
    line("first visit: alive after", figure(alives, 0.5, "s", 1), "6 s")
    line("second visit: alive after", figure(agains, 0.5, "s", 1), "5 s")


def visit(browser: Browser, url: str) -> tuple[float, float, float]:
    """Seconds until there are numbers, until it is alive, and until it is at the second visit."""
    page = blank(browser)
    page.goto(url, wait_until="commit")
    numbers, first = in_page.first(page, "numbers", STARTS), _mark(page, "alive")
    in_page.happens(page, "navigator.serviceWorker.controller", STARTS)
    page.evaluate("sessionStorage.clear()")
    page.goto(url, wait_until="commit")
    again = _mark(page, "alive")
    page.context.close()
    return numbers, first, again


def _bytes(browser: Browser, host: Host) -> None:
    """A service worker would fetch what is for later: not in this context."""
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    host.sent.clear()
    page.goto(host.url)
    page.wait_for_function(ALIVE, timeout=STARTS)
    first = sum(host.sent)
    host.sent.clear()
    open_view(page, "Positions")
    page.wait_for_function("[...(window.Bokeh?.index ?? [])].length > 0", timeout=60_000)
    line("first visit: sent until it is alive", f"{first / 1e6:.1f} MB", "10 MB")
    line("first visit: sent for the first chart", f"{sum(host.sent) / 1e6:.2f} MB", "1.1 MB")
    context.close()


def _working(browser: Browser, url: str) -> None:
    page = alive(browser, f"{url}?view=formulas")
    page.wait_for_timeout(1000)
    in_page.select(page)
    times = in_page.edits(page, 200)
    line("Stages: slider to paint, median", figure(times, 0.5, "ms", 1), "20 ms")
    rate = in_page.swing(page)
    line("Stages: frames a second while a number oscillates", counted(rate), "58")
    page.context.close()


def _products(browser: Browser, host: Host) -> None:
    """Training and edits with the site's own matrix product, and with NumPy's, in turn."""
    rates, times = {"": [], PRODUCT: []}, {"": [], PRODUCT: []}
    for _ in range(ROUNDS):
        for host.missing in rates:
            page = alive(browser, f"{host.url}?view=formulas")
            page.wait_for_timeout(1000)
            in_page.select(page)
            times[host.missing].append(percentile(in_page.edits(page, 100), 0.5))
            page.context.close()
            run = trained(alive(browser, host.url))
            rates[host.missing].append(run.rate(*STEPS) if run else 0.0)
    host.missing = ""
    own, plain = (statistics.median(rates[missing]) for missing in rates)
    what = "training: steps a second, beside NumPy's own matrix product"
    ratio = f"{own / plain:.2f}" if own and plain else ""
    line(what, counted(own), "1.2", beside=counted(plain), ratio=ratio)
    fast, slow = (statistics.median(times[missing]) for missing in times)
    what = "Stages: slider to paint, beside NumPy's own matrix product"
    ratio = f"{fast / slow:.2f}" if max(fast, slow) < NEVER else ""
    line(what, measured(fast, "ms", 1), "1.1", beside=measured(slow, "ms", 1), ratio=ratio)


def trained(page: Page) -> in_page.Run | None:
    """A run from random to its end."""
    open_view(page, "Train")
    page.get_by_role("button", name="Step", exact=True).click()  # draws the charts, once
    page.get_by_text("step 1 of 1,000", exact=True).wait_for(timeout=60_000)
    reset(page)
    run = in_page.training(page, train_button(page), LEARNED)
    page.context.close()
    return run
