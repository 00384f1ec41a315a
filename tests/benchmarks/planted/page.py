"""Plants in the served page: in its server, in the network before it, and in the browser."""

from __future__ import annotations

import contextlib
import functools
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, Page, sync_playwright
from tinkerformer.session.link import encode
from tinkerformer.session.session_json import SavedSession

from tests.benchmarks import in_page, learning, usage, whole
from tests.benchmarks.page import HOVERED, busy_share, slow_down
from tests.benchmarks.planted.plant import Plant, Server, more, never, slower_frames
from tests.benchmarks.serving import PATIENCE, blank, launched, opened, served
from tests.benchmarks.table import percentile
from tests.benchmarks.visits import Visit, visit
from tests.browser.proxy import Proxy
from tests.browser.student import open_view

DELAY = 0.5  # seconds, of an edit or of what the browser does
FAR = 0.25  # seconds on the way, in each direction
PAGE, CPU, MEMORY, BUSY = 3.0, 0.5, 5.0, 0.2
STEP, STEPS = 0.01, 1000
SHARES = (0.5, 0.95)  # of the times of edits

# The main thread is kept for so many milliseconds at each event, before the page hears of it.
BURN = """([event, ms]) => {
  window.burnt ??= {};
  if (!(event in window.burnt))
    window.addEventListener(event, () => {
      const end = performance.now() + window.burnt[event];
      while (performance.now() < end);
    }, {capture: true});
  window.burnt[event] = ms;
}"""
FRAME, POINTER = "tinkerformer:frame", "pointermove"


class Visited(NamedTuple):
    """A page that is served with what is planted."""

    server: Server
    url: str  # of the page
    pid: int  # of the server
    proxy: Proxy  # the network before it
    browser: Browser


@contextlib.contextmanager
def visited(app: str = "app/main.py") -> Iterator[Visited]:
    """A server in which something can be planted, and a browser."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder), "panel")
        with served(app, server.start) as (url, pid):
            port = int(url.split(":")[2].partition("/")[0])
            proxy = Proxy(port, Path(app).stem)
            browser = launched(playwright)
            yield Visited(server, url, pid, proxy, browser)
            browser.close()
            proxy.close()


@contextlib.contextmanager
def burnt(page: Page, event: str, ms: float) -> Iterator[None]:
    """The browser's main thread takes longer for each event."""
    page.evaluate(BURN, [event, ms])
    yield
    page.evaluate(BURN, [event, 0])


@contextlib.contextmanager
def far(proxy: Proxy, held: bool = False) -> Iterator[None]:
    """All takes longer on its way, or nothing comes through."""
    if held:
        proxy.hold()
    else:
        proxy.delay = FAR
    yield
    proxy.delay = 0.0
    proxy.go_on()


def page_plants() -> Iterator[Plant]:
    """Of *Stages*, and of opening the page."""
    with visited() as at:
        yield from _opening_plants(at)
        page = opened(at.browser, at.proxy.url)
        in_page.select(page)
        what = "Stages: frames a second while it oscillates; each frame 40 ms"
        planted = functools.partial(burnt, page, FRAME, 40)
        yield Plant(what, "", lambda: _swing(page), planted, slower_frames(40))
        yield at.server.seen("Stages: server CPU", "", lambda: busy_share(at.pid), busy=BUSY)
        yield from edit_plants("Stages", page, at)
        yield Plant(
            f"Stages: pointer to operands; the event {1000 * DELAY:.0f} ms",
            "ms",
            lambda: percentile(in_page.operands(page, 10, HOVERED, 6, 4), 0.5),
            functools.partial(burnt, page, POINTER, 1000 * DELAY),
            more(1000 * DELAY),
        )
        slow_down(page)
        for share in SHARES:
            yield at.server.seen(
                f"Stages: a slow browser, {share:.0%} are faster",
                "ms",
                lambda share=share: percentile(in_page.drag(page, 5)[0], share),  # type: ignore[misc]
                1000,
                edit=DELAY,
            )


def _opening_plants(at: Visited) -> Iterator[Plant]:
    pages: list[Page] = []

    def opening() -> Visit:
        pages.append(blank(at.browser))
        return visit(pages[-1], at.url, at.pid)

    def again() -> float:
        return visit(pages[0].context.new_page(), at.url, at.pid).seconds

    opening()
    for what, unit, measure, planted in (
        ("request to first numbers", "s", lambda: opening().seconds, {"page": PAGE}),
        ("request to first numbers", "s", lambda: opening().seconds, {"html": PAGE}),
        ("again, request to first numbers", "s", again, {"page": PAGE}),
        ("server CPU", "s", lambda: opening().cpu, {"page_cpu": CPU}),
        ("server memory", "MB", lambda: opening().memory, {"page_memory": MEMORY}),
    ):
        yield at.server.seen(f"opening: {what}", unit, measure, **planted)
    for page in pages:
        page.context.close()


def edit_plants(view: str, page: Page, at: Visited) -> Iterator[Plant]:
    """Of an edit to its paint, wherever the time is lost; and of one that is never answered."""
    delays: list[tuple[str, float, Callable[[], AbstractContextManager[None]]]] = [
        ("on the server", DELAY, lambda: at.server.plant(edit=DELAY)),
        ("on the way, there and back", 2 * FAR, lambda: far(at.proxy)),
        ("in the browser's frame", DELAY, lambda: burnt(page, FRAME, 1000 * DELAY)),
    ]
    for where, seconds, planted in delays:
        for share in SHARES:
            yield Plant(
                f"{view}: slider to paint, {share:.0%} are faster; {1000 * seconds:.0f} ms {where}",
                "ms",
                lambda share=share: percentile(in_page.edits(page, 20, 3), share),  # type: ignore[misc]
                planted,
                more(1000 * seconds),
            )
    yield Plant(
        f"{view}: slider to paint; the network is silent",
        "ms",
        lambda: percentile(in_page.edits(page, 3, 0), 0.5),
        lambda: far(at.proxy, held=True),
        never,
    )


def whole_plants() -> Iterator[Plant]:
    """Of *Whole*, and of a large model on it."""
    with visited() as at:
        for mark in ("outline", "numbers"):
            opening = functools.partial(_open_whole, at, mark)
            yield at.server.seen(f"opening Whole: {mark}", "s", opening, html=PAGE)
        page = opened(at.browser, at.proxy.url, "whole")
        in_page.select(page)
        yield from _frame_plants("Whole", page)
        yield from edit_plants("Whole", page, at)
        page.context.close()
        page = blank(at.browser)
        page.goto(f"{at.url}#s={encode(SavedSession(whole.large()))}")
        in_page.first(page, "numbers", PATIENCE)
        page.wait_for_timeout(4000)
        in_page.select(page)
        yield from _frame_plants("Whole of 64 + 64 tokens", page)


def _open_whole(at: Visited, mark: str) -> float:
    page = blank(at.browser)
    visit(page, f"{at.url}?view=picture", at.pid)
    found = in_page.first(page, mark, whole.OUTLINE)
    page.context.close()
    return found


def _frame_plants(view: str, page: Page) -> Iterator[Plant]:
    for what, measure in (("it oscillates", _swing), ("the camera moves", _zoom)):
        yield Plant(
            f"{view}: frames a second while {what}; each frame 100 ms",
            "",
            functools.partial(measure, page),
            lambda: burnt(page, FRAME, 100),
            slower_frames(100),
        )


def _swing(page: Page) -> float:
    rate = in_page.swing(page, 1)
    in_page.rest(page)
    return rate


def _zoom(page: Page) -> float:
    return in_page.zoom(page, 1)


def learning_plants() -> Iterator[Plant]:
    """Of a training on screen, and of the sentence that follows an edit."""
    with visited() as at:
        page = opened(at.browser, at.proxy.url)
        for share in SHARES:
            yield at.server.seen(
                f"edit to the sentence, {share:.0%} are faster",
                "ms",
                lambda share=share: percentile(  # type: ignore[misc]
                    in_page.sentences(page, 10, learning.turning_edit()), share
                ),
                1000,
                edit=DELAY,
            )
        open_view(page, "Train")
        what = "phrases: from the press to the end"
        yield at.server.seen(what, "s", lambda: _run(page).seconds, STEPS, step=STEP)
        # The page follows a training in slices of 20 ms and more, one frame of numbers for each.
        for what, measure in (
            ("refreshes of the screen", lambda: _run(page).refreshes),
            ("changes of the numbers", lambda: _run(page).changes),
        ):
            row = f"phrases: {what} a second; each frame 100 ms"
            yield Plant(
                row, "", measure, functools.partial(burnt, page, FRAME, 100), slower_frames(100)
            )
        what = "phrases: server CPU of a run, for each second"
        yield at.server.seen(what, "", lambda: _cpu_share(at, page), busy=BUSY)


def _run(page: Page) -> in_page.Run:
    learning.reset(page)
    run = in_page.training(page, learning.train_button(page))
    assert run is not None
    return run


def _cpu_share(at: Visited, page: Page) -> float:
    usage.come_to_rest(at.pid)
    before = usage.cpu(at.pid)
    run = _run(page)
    return (usage.cpu(at.pid) - before) / run.seconds
