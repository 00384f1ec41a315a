"""The whole picture in a browser: the first paint, oscillation, the camera, edits."""

from __future__ import annotations

from playwright.sync_api import Browser, ViewportSize, sync_playwright
from tinkerformer.scenario.scenario import Scenario
from tinkerformer.session.link import encode
from tinkerformer.session.session_json import SavedSession

from tests.benchmarks import engines, in_page
from tests.benchmarks.serving import PATIENCE, blank, launched, opened, served
from tests.benchmarks.table import counted, figure, heading, line

OUTLINE = 1000  # ms that it may take beside the numbers


def run() -> None:
    """Print all measurements of the whole picture."""
    with served() as (url, _), sync_playwright() as playwright:
        browser = launched(playwright)
        heading("The whole picture in a browser of 1400 × 1000, drawn by software")
        _opening(browser, url)
        page = opened(browser, url, "whole")
        in_page.select(page)
        rate = in_page.swing(page)
        line("Whole: frames a second while a number oscillates", counted(rate), "58", main=True)
        in_page.rest(page)
        rate = in_page.zoom(page)
        line("Whole: frames a second while the camera moves", counted(rate), "30")
        page.context.close()
        _sliding(browser, url)
        _large(browser, url)
        _dense(browser, url)
        engines.run(browser, url)
        browser.close()


def _opening(browser: Browser, url: str) -> None:
    outlines, numbers = [], []
    for _ in range(7):
        page = blank(browser)
        page.goto(f"{url}?view=picture", wait_until="commit")
        numbers.append(in_page.first(page, "numbers", PATIENCE))
        outlines.append(1000 * in_page.first(page, "outline", OUTLINE))
        page.context.close()
    line("opening Whole: first paint, the outline", figure(outlines, 0.5, "ms"), "500 ms")
    line("opening Whole: alive", figure(numbers, 0.5, "s", 2), "1.5 s")


def _sliding(browser: Browser, url: str) -> None:
    page = opened(browser, url, "whole")
    in_page.select(page)
    times = in_page.edits(page, 100)
    line("Whole: slider to paint, median", figure(times, 0.5, "ms", 1), "20 ms")
    line("Whole: slider to paint, 95 % are faster", figure(times, 0.95, "ms", 1), "40 ms")
    page.context.close()


def _large(browser: Browser, url: str) -> None:
    page = blank(browser)
    page.goto(f"{url}#s={encode(SavedSession(large()))}")
    what = "Whole of 64 + 64 tokens, 6+6 layers"
    in_page.first(page, "numbers", PATIENCE)
    page.wait_for_timeout(4000)
    in_page.select(page)
    rate = in_page.swing(page)
    line(f"{what}: frames a second while a number oscillates", counted(rate), "20", main=True)
    in_page.rest(page)
    rate = in_page.zoom(page)
    line(f"{what}: frames a second while the camera moves", counted(rate), "20")
    page.context.close()


def _dense(browser: Browser, url: str) -> None:
    """On a large screen with twice as many pixels each way."""
    size: ViewportSize = {"width": 2560, "height": 1440}
    page = blank(browser, size, density=2)
    page.goto(f"{url}?view=picture")
    in_page.first(page, "numbers", PATIENCE)
    page.wait_for_timeout(2000)
    in_page.select(page)
    what = f"Whole, {size['width']:,} × {size['height']:,} at twice the density"
    rate = in_page.swing(page)
    line(f"{what}: frames a second while a number oscillates", counted(rate), "58")
    page.context.close()


def large() -> Scenario:
    """Six layers in each stack, and 64 tokens on each side."""
    scenario = Scenario()
    for name in ("encoder_layers", "decoder_layers"):
        scenario = scenario.with_setting(name, 6)
    words = [f"w{k % 20}" for k in range(64)]
    return scenario.with_tokens("source", words).with_tokens("target", words)
