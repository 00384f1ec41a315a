"""Plants in the site without a server: on its host, and in the browser."""

from __future__ import annotations

import functools
import tempfile
import unittest.mock
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import sync_playwright
from tinkerformer.site.build import build

from tests.benchmarks import in_page, static
from tests.benchmarks.planted.page import FRAME, burnt
from tests.benchmarks.planted.plant import Plant, more, slower_frames
from tests.benchmarks.serving import launched
from tests.benchmarks.table import percentile
from tests.browser.static_site import Missing, runtime_in

WAIT, FRAME_MS = 3.0, 200  # seconds that the host waits before a page; ms more of a frame


def plants() -> Iterator[Plant]:
    """Of visits, of edits, of an oscillation and of a training."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        try:
            runtime = runtime_in(Path(folder) / "runtime")
        except Missing as missing:
            print(f"  not checked: {missing}")
            return
        build(Path(folder) / "site", runtime)
        browser = launched(playwright)
        with static.hosted(Path(folder) / "site") as host:
            for k, (what, times) in enumerate(
                (("real numbers", 1), ("alive", 1), ("alive at the second visit", 0))
            ):
                yield Plant(
                    f"first visit: {what}; the page's own file {WAIT:.0f} s",
                    "s",
                    lambda k=k: static.visit(browser, host.url)[k],  # type: ignore[misc]
                    lambda: unittest.mock.patch.object(host, "wait", WAIT),
                    more(times * WAIT),
                )
            page = static.alive(browser, f"{host.url}?view=formulas")
            page.wait_for_timeout(1000)
            in_page.select(page)
            frames = functools.partial(burnt, page, FRAME, FRAME_MS)
            for what, unit, measure, expected in (
                (
                    "slider to paint",
                    "ms",
                    lambda: percentile(in_page.edits(page, 20, 3), 0.5),
                    more(FRAME_MS),
                ),
                (
                    "frames a second while it oscillates",
                    "",
                    lambda: in_page.swing(page, 1),
                    slower_frames(FRAME_MS),
                ),
            ):
                row = f"Stages: {what}; each frame {FRAME_MS} ms"
                yield Plant(row, unit, measure, frames, expected)
        browser.close()
