import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.benchmarks.serving import received
from tests.browser.conftest import Server, open_first_page
from tests.browser.student import open_view

pytestmark = [pytest.mark.served, pytest.mark.in_turn]

FIRST, LATER = 615_000, 60_000  # bytes; at present about 602,000 and 35,000
READY = "window.tinkerformer?.ready && window.tinkerformer.frames > 0"
KEPT = re.compile(r"/components/tinkerformer\.shared_files/")
LATER_VERSION = Path(__file__).parent / "apps" / "later_version" / "main.py"
MODULES = """performance.getEntriesByType("resource").map((each) => each.name)
  .filter((name) => /_resources.*\\.js$/.test(name))"""
# Records formulas that were visible before they were typeset.
NOTE_RAW = """window.raw = [];
const look = () => {
  raw.push(...allOf("[data-tex]:not([data-tex=''], [data-set])").map((el) => el.dataset.tex));
  requestAnimationFrame(look);
};
requestAnimationFrame(look);"""


def asked(page: Page) -> list[str]:
    """Record the addresses of a page's requests from now on."""
    found: list[str] = []
    page.on("request", lambda request: found.append(request.url))
    return found


def drawn(page: Page, count: int) -> None:
    page.wait_for_function(f"[...(window.Bokeh?.index ?? [])].length >= {count}")
    expect(page.locator(".bk-Figure:visible").first).to_be_visible()


def visit(context, url: str) -> tuple[Page, int]:
    """Open a page, wait for its first numbers, and return it with the received bytes."""
    page = context.new_page()
    came = received(page)
    page.goto(url)
    page.wait_for_function(READY)
    return page, sum(came)


def test_a_first_visit_is_small_and_a_later_one_much_smaller(browser, server):
    # A browser does not cache intercepted requests, so this context has no route.
    context = browser.new_context(bypass_csp=True)
    try:
        page, first = visit(context, server)
        page.close()
        _, later = visit(context, server)
    finally:
        context.close()
    assert first < FIRST
    assert later < LATER


def test_the_chart_library_is_loaded_with_the_first_chart(new_context, server):
    page = new_context().new_page()
    addresses = asked(page)
    page.goto(server)
    page.wait_for_function(READY)
    assert not [url for url in addresses if "bokeh" in url or "panel.min" in url]
    assert not page.evaluate("'Bokeh' in window")
    addresses.clear()
    open_view(page, "Positions as clocks")
    drawn(page, 2)
    scripts = [url for url in addresses if "/static/js/" in url]
    assert len(scripts) == 1
    assert "/static/js/bokeh.min.js?v=" in scripts[0]
    addresses.clear()
    open_view(page, "Cost")
    page.get_by_role("heading", name="What a layer costs").wait_for()
    drawn(page, 1)
    assert addresses == []


def test_formulas_are_typeset_at_once_however_late_their_library_arrives(new_context, server):
    page = new_context().new_page()
    held = []
    page.route(re.compile(r"katex\.min\.js"), lambda route: held.append(route))
    page.add_init_script(NOTE_RAW)
    page.goto(f"{server}?view=formulas", wait_until="commit")
    page.wait_for_function("document.querySelectorAll('.carried').length > 10")
    assert not page.evaluate(READY)
    held[0].continue_()
    page.wait_for_function(READY)
    expect(page.locator("[data-tex][data-set]").first).to_be_visible()
    assert page.evaluate("raw") == []


def test_if_a_file_fails_to_load_the_page_is_opened_again(new_context, server):
    page = new_context().new_page()
    refused = []

    def refuse(route):
        refused.append(route.request.url)
        route.fulfill(status=404)

    page.route(re.compile("board/board.js"), refuse, times=2)
    page.goto(server)
    page.wait_for_function(READY)
    assert len(refused) == 2
    assert page.evaluate("sessionStorage['tinkerformer-incomplete']") is None


def test_a_part_that_fails_to_load_later_is_reported(new_context, server):
    page = open_first_page(new_context(), server)
    page.route(KEPT, lambda route: route.fulfill(status=404))
    open_view(page, "Lessons")
    expect(page.get_by_role("alert")).to_contain_text("A part of this page could not be loaded")
    page.unroute(KEPT)
    page.reload()
    page.wait_for_function(READY)
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_page_states_that_its_server_has_another_version(new_context, server):
    page = new_context().new_page()
    versions = ["another"]  # of the next servers, in reverse order

    def answer(socket):
        version = versions.pop() if versions else None
        told = r'"version","\w+"'

        def passed_on(message):
            if version and isinstance(message, str):
                message = re.sub(told, f'"version","{version}"', message)
            socket.send(message)

        socket.connect_to_server().on_message(passed_on)

    page.route_web_socket(re.compile(r"/ws$"), answer)
    page.goto(server)
    page.wait_for_function(READY)
    expect(page.get_by_role("alert")).to_contain_text("This page is of another version")
    page.evaluate("tinkerformer.set('source.W_e', 0, 0, 0.5)")
    page.wait_for_function(
        "JSON.parse(sessionStorage['tinkerformer-visit'] ?? '{}').edits?.['source.W_e']"
    )
    page.get_by_role("button", name="Load again").click()
    page.wait_for_function(f"{READY} && tinkerformer.value('source.W_e', 0, 0) === 0.5")
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_page_continues_if_a_server_with_other_files_replaces_its_server(new_context, own_server):
    context = new_context(own_server.url)
    page = open_first_page(context, f"{own_server.url}?view=formulas")
    page.evaluate("tinkerformer.set('source.W_e', 0, 0, 0.5)")
    page.wait_for_function(
        "JSON.parse(sessionStorage['tinkerformer-visit'] ?? '{}').edits?.['source.W_e']"
    )
    before = page.evaluate(MODULES)
    own_server.stop()
    page.get_by_text("The server is not answering").wait_for()
    later = Server(LATER_VERSION)
    later.port = own_server.port
    later.url = own_server.url
    try:
        later.start()
        page.wait_for_function(f"{READY} && !document.querySelector('.lost')", timeout=40_000)
        page.wait_for_function("tinkerformer.value('source.W_e', 0, 0) === 0.5")
        after = page.evaluate(MODULES)
        assert len(after) == len(before) > 10
        assert not {*after} & {*before}
        open_view(page, "Positions as clocks")
        drawn(page, 2)
    finally:
        later.stop()
