"""The page without a server: the times until it is visible and usable, size and speed."""

import functools
import gzip
import http.server
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright
from tinkerformer.site.build import build

from tests.benchmarks import in_page
from tests.benchmarks.in_page import PAINT, SWING
from tests.benchmarks.learning import reset, train_button
from tests.benchmarks.serving import blank, launched, opened, served
from tests.benchmarks.table import (
    NEVER,
    add,
    compared,
    counted,
    figure,
    heading,
    line,
    measured,
    percentile,
    reason,
)
from tests.browser.static_site import ALIVE, Missing, runtime_in
from tests.browser.student import open_view

VISITS, ROUNDS = 3, 2
STARTS = 120_000  # ms until Python must have started in the browser
STEPS = 50, 900  # steps of a run between which its rate is measured
LEARNED = r"(?<![\d,])(19[89]|200) of 200 "
TEXTS = (".js", ".html", ".css", ".json")
NUMBERS = (
    "From the start of the navigation, by the clock of the browser, until its main thread has "
    "drawn the display frame with the first numbers, which come with the files, before Python has "
    "started; median. Changed on 23 November 2026: before, until the page said that it has them, "
    "before they were drawn."
)
STARTED = (
    "From the start of the navigation, by the clock of the browser, until the page says that its "
    "Python answers; median."
)
KEPT = f"{STARTED} The browser opened the site before; its service worker keeps the files."
SENT = "Bytes that the host has sent when Python answers, texts in gzip, without a service worker."
CHART = "Bytes that the host sends from then until the chart of Cost, the first, is there."
RATE = (
    "Steps from step 50 to step 900, as the bar shows them, divided by the time between; median of "
    "the runs. Changed on 23 November 2026: before, the 100 steps after step 50."
)
SAID = (
    "From the press on Train until the page says that 198 of 200 unseen phrases are right; median "
    "of the runs. Changed on 23 November 2026: before, by the clock of the process that drives the "
    "browser."
)


def run() -> None:
    """Print all measurements of the static site, over this machine's loopback."""
    heading("The site without a server, its Python in the browser")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        try:
            runtime = runtime_in(Path(folder) / "runtime")
        except Missing as missing:
            line("the site without a server", reason(missing), STARTED)
            return
        build(Path(folder) / "site", runtime)
        browser = launched(playwright)
        with hosted(Path(folder) / "site") as host:
            _visits(browser, host.url)
            _bytes(browser, host)
            own = _working(browser, host)
        with served() as (url, _):
            on_server = _rate([trained(opened(browser, url, "whole"))])
        browser.close()
    what = "training: steps a second, beside those on a server"
    add(compared(what, own, on_server, RATE, "0.4", unit="", name=""))


@dataclass
class Host:
    """A host that compresses texts, as most hosts do.

    Attributes:
        url: of the site.
        sent: the bytes that it has sent.
        wait: its delay before it sends the page's own file, in seconds.
    """

    url: str = ""
    sent: list[int] = field(default_factory=list)
    wait: float = 0.0


@contextmanager
def hosted(folder: Path) -> Iterator[Host]:
    """Serve a folder."""
    host = Host()

    class Handler(http.server.SimpleHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle(self) -> None:
            with suppress(ConnectionError):  # a page was closed while it loaded
                super().handle()

        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            path = Path(self.translate_path(self.path))
            if path.is_dir():
                path = path / "index.html"
                time.sleep(host.wait)
            self.send_response(200 if path.is_file() else 404)
            data = packed(path)
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
    """Return the seconds from the start of the visit to an event; ``NEVER`` if it is missing."""
    entry = f"performance.getEntriesByName('tinkerformer:{name}')[0]"
    if not in_page.happens(page, entry, STARTS):
        return NEVER
    return float(page.evaluate(f"{entry}.startTime")) / 1000


def alive(browser: Browser, url: str) -> Page:
    """Open the site, and wait until its Python answers."""
    page = blank(browser)
    page.goto(url, wait_until="commit")
    page.wait_for_function(ALIVE, timeout=STARTS, polling=20)
    return page


def _visits(browser: Browser, url: str) -> None:
    firsts, alives, agains = zip(*[visit(browser, url) for _ in range(VISITS)], strict=True)
    line("first visit: real numbers after", figure(firsts, 0.5, "s", 2), NUMBERS, "1 s")
    line("first visit: alive after", figure(alives, 0.5, "s", 1), STARTED, "6 s")
    line("second visit: alive after", figure(agains, 0.5, "s", 1), KEPT, "5 s")


def visit(browser: Browser, url: str) -> tuple[float, float, float]:
    """Return the seconds until numbers are shown and until Python answers, first and second
    visit."""
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
    """Create a context without a service worker, which would fetch files for later."""
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    host.sent.clear()
    page.goto(host.url)
    page.wait_for_function(ALIVE, timeout=STARTS)
    first = sum(host.sent)
    host.sent.clear()
    open_view(page, "Cost")
    page.wait_for_function("[...(window.Bokeh?.index ?? [])].length > 0", timeout=60_000)
    line("first visit: sent until it is alive", f"{first / 1e6:.1f} MB", SENT, "10 MB")
    line("first visit: sent for the first chart", f"{sum(host.sent) / 1e6:.2f} MB", CHART, "1.1 MB")
    context.close()


def _working(browser: Browser, host: Host) -> float:
    """Measure edits and training; return the training steps per second."""
    times: list[float] = []
    runs: list[in_page.Run | None] = []
    swings = []
    for _ in range(ROUNDS):
        page = alive(browser, f"{host.url}?view=formulas")
        page.wait_for_timeout(1000)
        in_page.select(page)
        times += in_page.edits(page, 50)
        if not swings:
            swings.append(in_page.swing(page))
            in_page.rest(page)
        runs.append(trained(page))
    edits = percentile(times, 0.5)
    line("Stages: slider to paint, median", measured(edits, "ms", 1), PAINT, "20 ms")
    what = "Stages: frames a second while a number oscillates"
    line(what, counted(*swings), SWING, "58")
    said = [run.said if run else NEVER for run in runs]
    line("training: phrases learned (99 %) after", figure(said, 0.5, "s", 1), SAID, "20 s")
    return _rate(runs)


def _rate(runs: Sequence[in_page.Run | None]) -> float:
    """Return the median steps per second of some runs; an unfinished run counts as 0."""
    return statistics.median(run.rate(*STEPS) if run else 0.0 for run in runs)


def trained(page: Page) -> in_page.Run | None:
    """Measure a run from random weights to its end."""
    open_view(page, "Train")
    page.get_by_role("button", name="Step", exact=True).click()  # loads the library of the charts
    page.get_by_text("step 1 of 1,000", exact=True).wait_for(timeout=60_000)
    reset(page)
    run = in_page.training(page, train_button(page), LEARNED)
    page.context.close()
    return run
