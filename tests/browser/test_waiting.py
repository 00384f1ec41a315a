from collections.abc import Iterator

import pytest
from tinkerformer.transport.runtime.limits import SESSIONS

from tests.browser.conftest import Server, open_first_page
from tests.browser.proxy import Proxy
from tests.browser.test_faults import ALIVE, COMES_BACK, set_cell, wait_for_cell, wait_until_kept

pytestmark = [pytest.mark.served, pytest.mark.in_turn]

FULL = "All places are taken at the moment."


@pytest.fixture
def small() -> Iterator[Server]:
    """Start a server with room for one page."""
    own = Server(**{SESSIONS.variable: "1"})
    own.start()
    yield own
    own.stop()


def test_without_room_a_visitor_waits_and_then_gets_the_page(new_context, small):
    first = open_first_page(new_context(small.url), small.url)
    second = new_context(small.url).new_page()
    second.goto(f"{small.url}?view=attention&embed&theme=dark#what")
    second.get_by_text(FULL).wait_for()
    first.close()
    second.wait_for_function(ALIVE, timeout=COMES_BACK)
    assert second.evaluate("location.search + location.hash") == (
        "?view=attention&embed&theme=dark#what"
    )
    assert second.evaluate("document.documentElement.dataset.embed") is not None


def test_a_page_that_loses_its_socket_gets_its_own_place_again(new_context, small):
    between = Proxy(small.port, small.app.stem)
    try:
        page = open_first_page(new_context(between.url), f"{between.url}?view=formulas")
        for value in (0.5, 1.5):
            set_cell(page, value)
            wait_until_kept(page, value)
            page.evaluate("window.isBefore = true")
            between.cut()
            page.wait_for_function(f"!window.isBefore && {ALIVE}", timeout=COMES_BACK)
            wait_for_cell(page, value)
    finally:
        between.close()
