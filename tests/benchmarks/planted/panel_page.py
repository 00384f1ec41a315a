"""Plants in the page of Bokeh figures that stands beside this one."""

from __future__ import annotations

import functools
from collections.abc import Iterator

from playwright.sync_api import Page

from tests.benchmarks import in_page, panel_page
from tests.benchmarks.planted.page import visited
from tests.benchmarks.planted.plant import Plant, more
from tests.benchmarks.serving import PATIENCE, blank

PASS, OPENING = 5.0, 60.0  # seconds


def plants() -> Iterator[Plant]:
    """Of theirs alone: ours is measured by what ``page`` checks."""
    with visited(panel_page.THEIRS) as at:
        pages: list[Page] = []
        cost = functools.partial(panel_page.cost, at.browser, at.url, at.pid, "", "figures", pages)
        cost()
        for page in pages:
            page.context.close()
        page = blank(at.browser)
        page.goto(at.url)
        in_page.first(page, "figures", PATIENCE)
        yield Plant(
            f"slider to paint of the last figure; its pass {PASS:.0f} s",
            "s",
            lambda: in_page.figures(page, 1)[0] / 1000,
            functools.partial(at.server.plant, **{"pass": PASS}),
            more(PASS),
        )
        page.context.close()
        yield Plant(
            f"opening: request to the first figures; its pass {OPENING:.0f} s",
            "s",
            lambda: cost()[2],
            functools.partial(at.server.plant, **{"pass": OPENING}),
            more(OPENING),
        )
