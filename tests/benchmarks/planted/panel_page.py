"""Plants in the page of Bokeh figures that stands beside this one."""

from __future__ import annotations

from collections.abc import Iterator

from playwright.sync_api import Page

from tests.benchmarks import in_page, panel_page
from tests.benchmarks.planted.page import visited
from tests.benchmarks.planted.plant import Plant
from tests.benchmarks.serving import blank
from tests.benchmarks.visits import visit

PASS, OPENING = 5.0, 60.0  # seconds


def plants() -> Iterator[Plant]:
    """Of theirs alone: ours is measured by what ``page`` checks."""
    with visited(panel_page.THEIRS) as at:

        def opening() -> tuple[float, Page]:
            page = blank(at.browser)
            return visit(page, at.url, at.pid, "figures").seconds, page

        _, page = opening()
        what = "slider to paint of the last figure"
        yield at.server.seen(
            what, "s", lambda: in_page.figures(page, 1)[0] / 1000, **{"pass": PASS}
        )
        page.context.close()
        what = "opening: request to the first figures"
        yield at.server.seen(what, "s", lambda: opening()[0], **{"pass": OPENING})
