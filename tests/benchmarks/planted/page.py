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
from tests.benchmarks.visits import visits
from tests.browser.proxy import Proxy
from tests.browser.student import open_view

DELAY = 0.5  # seconds, of an edit or of what the browser does
FAR = 0.25  # seconds on the way, in each direction
PAGE, CPU, MEMORY, BUSY = 3.0, 0.5, 5.0, 0.2
STEP, STEPS = 0.01, 1000

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
    """A page that is served with what is planted.

    Attributes:
        server: where it is planted.
        url: of the page.
        pid: of the server.
        proxy: the network before it.
        browser: that visits it.
    """

    server: Server
    url: str
    pid: int
    proxy: Proxy
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
        yield Plant(
            f"Stages: server CPU; {BUSY:.0%} of one is busy",
            "%",
            lambda: 100 * busy_share(at.pid),
            functools.partial(at.server.plant, busy=BUSY),
            more(100 * BUSY),
        )
        yield from edit_plants("Stages", page, at)
        yield Plant(
            f"Stages: pointer to operands; the event {1000 * DELAY:.0f} ms",
            "ms",
            lambda: percentile(in_page.operands(page, 10, HOVERED, 6, 4), 0.5),
            functools.partial(burnt, page, POINTER, 1000 * DELAY),
            more(1000 * DELAY),
        )
        slow_down(page)
        for what, share in (("median", 0.5), ("95 %", 0.95)):
            yield Plant(
                f"Stages: a slow browser, {what}; an edit {1000 * DELAY:.0f} ms",
                "ms",
                lambda share=share: percentile(in_page.drag(page, 5)[0], share),  # type: ignore[misc]
                functools.partial(at.server.plant, edit=DELAY),
                more(1000 * DELAY),
            )


def visits_plants() -> Iterator[Plant]:
    """Of first and later visits."""
    with visited() as at:
        for k, which in enumerate(("first", "later")):
            yield Plant(
                f"{which} visit: request to first numbers; its making {PAGE:.0f} s",
                "s",
                lambda k=k: visits(at.browser, at.url, None, times=1)[k][0].seconds,  # type: ignore[misc]
                functools.partial(at.server.plant, page=PAGE),
                more(PAGE),
            )


def _opening_plants(at: Visited) -> Iterator[Plant]:
    opened_pages: list[Page] = []

    def visit() -> Page:
        page = blank(at.browser)
        opened_pages.append(page)
        page.goto(at.url, wait_until="commit")
        return page

    def numbers() -> float:
        return in_page.first(visit(), "numbers", PATIENCE)

    def used(measure: Callable[[int], float]) -> float:
        usage.come_to_rest(at.pid)
        before = measure(at.pid)
        numbers()
        usage.come_to_rest(at.pid)
        return measure(at.pid) - before

    numbers()
    for what, planted in (("its making", "page"), ("the answer", "html")):
        yield Plant(
            f"opening: request to first numbers; {what} {PAGE:.0f} s",
            "s",
            numbers,
            functools.partial(at.server.plant, **{planted: PAGE}),
            more(PAGE),
        )
    yield Plant(
        f"opening: server CPU; {1000 * CPU:.0f} ms more",
        "ms",
        lambda: 1000 * used(usage.cpu),
        functools.partial(at.server.plant, page_cpu=CPU),
        more(1000 * CPU),
    )
    yield Plant(
        f"opening: server memory; {MEMORY:.0f} MB more",
        "MB",
        lambda: used(usage.memory),
        functools.partial(at.server.plant, page_memory=MEMORY),
        more(MEMORY),
    )
    for page in opened_pages:
        page.context.close()


def edit_plants(view: str, page: Page, at: Visited) -> Iterator[Plant]:
    """Of an edit to its paint, wherever the time is lost; and of one that is never answered."""
    delays: list[tuple[str, float, Callable[[], AbstractContextManager[None]]]] = [
        ("on the server", DELAY, lambda: at.server.plant(edit=DELAY)),
        ("on the way, there and back", 2 * FAR, lambda: far(at.proxy)),
        ("in the browser's frame", DELAY, lambda: burnt(page, FRAME, 1000 * DELAY)),
    ]
    for where, seconds, planted in delays:
        for what, share in (("median", 0.5), ("95 %", 0.95)):
            yield Plant(
                f"{view}: slider to paint, {what}; {1000 * seconds:.0f} ms {where}",
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
        for what, mark in (("the outline", "outline"), ("alive", "numbers")):
            yield Plant(
                f"opening Whole: {what}; the answer {PAGE:.0f} s",
                "s",
                functools.partial(_open_whole, at, mark),
                functools.partial(at.server.plant, html=PAGE),
                more(PAGE),
            )
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
    page.goto(f"{at.url}?view=picture", wait_until="commit")
    in_page.first(page, "numbers", PATIENCE)
    found = in_page.first(page, mark, whole.OUTLINE)
    page.context.close()
    return found


def _frame_plants(view: str, page: Page) -> Iterator[Plant]:
    for what, measure in (("it oscillates", _swing), ("the camera moves", _zoom)):
        yield Plant(
            f"{view}: frames a second while {what}; each frame 100 ms",
            "",
            lambda measure=measure: measure(page),  # type: ignore[misc]
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
        for what, share in (("median", 0.5), ("95 %", 0.95)):
            yield Plant(
                f"edit to the sentence, {what}; an edit {1000 * DELAY:.0f} ms",
                "ms",
                lambda share=share: percentile(  # type: ignore[misc]
                    in_page.sentences(page, 10, learning.turning_edit()), share
                ),
                functools.partial(at.server.plant, edit=DELAY),
                more(1000 * DELAY),
            )
        open_view(page, "Train")
        steps = functools.partial(at.server.plant, step=STEP)
        yield Plant(
            f"phrases: from the press to the end; a step {1000 * STEP:.0f} ms",
            "s",
            lambda: _run(page).seconds,
            steps,
            more(STEP * STEPS),
        )
        # The page follows a training in slices of 20 ms and more, one frame of numbers for each.
        for what, measure in (
            ("refreshes of the screen", lambda run: run.refreshes),
            ("changes of the numbers", lambda run: run.changes),
        ):
            yield Plant(
                f"phrases: {what} a second; each frame 100 ms",
                "",
                lambda measure=measure: measure(_run(page)),  # type: ignore[misc]
                functools.partial(burnt, page, FRAME, 100),
                slower_frames(100),
            )
        yield Plant(
            f"phrases: server CPU of a run; {BUSY:.0%} of a processor is busy, for each second",
            "%",
            lambda: _cpu_share(at, page),
            functools.partial(at.server.plant, busy=BUSY),
            more(100 * BUSY),
        )


def _run(page: Page) -> in_page.Run:
    learning.reset(page)
    run = in_page.training(page, learning.train_button(page))
    assert run is not None
    return run


def _cpu_share(at: Visited, page: Page) -> float:
    usage.come_to_rest(at.pid)
    before = usage.cpu(at.pid)
    run = _run(page)
    return 100 * (usage.cpu(at.pid) - before) / run.seconds
