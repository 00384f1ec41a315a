"""The whole picture in a browser: the first paint, oscillation, the camera, edits."""

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.session.link import encode
from tinkerformer.session.session_json import SavedSession

from tests.benchmarks import engines, in_page
from tests.benchmarks.in_page import FIRST, PAINT, SWING, ZOOM
from tests.benchmarks.serving import PATIENCE, blank, launched, opened, served
from tests.benchmarks.table import counted, figure, halves, heading, line
from tests.benchmarks.visits import visit

VISITS = 4
OUTLINE = 1000  # ms that may be added to the time of the numbers
DENSE: ViewportSize = {"width": 2560, "height": 1440}
SKETCH = (
    "From the start of the navigation, by the clock of the browser, until its main thread has "
    "drawn the display frame with the outline of the picture; median. Changed on 23 November 2026: "
    "before, until what the browser calls the first contentful paint."
)


def run() -> None:
    """Print all measurements of the whole picture."""
    with served() as (url, pid), sync_playwright() as playwright:
        browser = launched(playwright)
        heading("The whole picture in a browser of 1400 × 1000, drawn by software")
        _opening(browser, f"{url}?view=picture", pid)
        page = opened(browser, url, "whole")
        in_page.select(page)
        times = in_page.edits(page, 60)
        halves("Whole: slider to paint", times, PAINT, ("20 ms", "40 ms"), digits=1)
        _frames(page, "Whole", "58", "30")
        page.context.close()
        page = blank(browser)
        page.goto(f"{url}#s={encode(SavedSession(large()))}")
        in_page.first(page, "numbers", PATIENCE)
        page.wait_for_timeout(4000)
        _frames(page, "Whole of 64 + 64 tokens, 6+6 layers", "20", "20")
        page.context.close()
        page = blank(browser, DENSE, density=2)
        page.goto(f"{url}?view=picture")
        in_page.first(page, "numbers", PATIENCE)
        page.wait_for_timeout(2000)
        size = f"{DENSE['width']:,} × {DENSE['height']:,}"
        _frames(page, f"Whole, {size} at twice the density", "58", main=False)
        page.context.close()
        engines.run(browser, url)
        browser.close()


def _opening(browser: Browser, url: str, pid: int) -> None:
    outlines, numbers = [], []
    for _ in range(VISITS):
        page = blank(browser)
        numbers.append(visit(page, url, pid).seconds)
        outlines.append(1000 * in_page.first(page, "outline", OUTLINE))
        page.context.close()
    what = "opening Whole: first paint, the outline"
    line(what, figure(outlines, 0.5, "ms"), SKETCH, "500 ms")
    line("opening Whole: alive", figure(numbers, 0.5, "s", 2), FIRST, "1.5 s")


def _frames(page: Page, what: str, limit: str, moving: str = "", *, main: bool = True) -> None:
    """Print the rows of an oscillating number and, if it has a limit, of a moving camera."""
    in_page.select(page)
    rate = counted(in_page.swing(page))
    line(f"{what}: frames a second while a number oscillates", rate, SWING, limit, main=main)
    if moving:
        in_page.rest(page)
        rate = counted(in_page.zoom(page))
        line(f"{what}: frames a second while the camera moves", rate, ZOOM, moving)


def large() -> Scenario:
    """Return a scenario with six layers in each stack, and 64 tokens on each side."""
    scenario = Scenario()
    for name in ("encoder_layers", "decoder_layers"):
        scenario = scenario.with_setting(name, 6)
    words = [f"w{k % 20}" for k in range(64)]
    return scenario.with_tokens("source", words).with_tokens("target", words)
