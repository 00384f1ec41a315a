"""``tf.panel`` in a user's app of Panel."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.student import open_view

from .conftest import served
from .in_frames import PATH, alive, select, swing, wait_for_value

pytestmark = pytest.mark.in_turn


@pytest.fixture(scope="module")
def app():
    yield from served(Path(__file__).parent / "apps" / "panel_app.py")


@pytest.fixture
def page(new_context, app):
    page = new_context(app).new_page()
    page.goto(app)
    return page


def test_two_pages_in_an_app_work_separately(page):
    first, second = alive(page, "phrases"), alive(page, "dates")
    before = second.evaluate("JSON.stringify(window.tinkerformer.scenario())")
    select(first, PATH, 1, 2)
    expect(page.get_by_text(f"{PATH} 1 2")).to_be_visible()
    page.get_by_role("button", name="set it").click()
    wait_for_value(first, PATH, 1, 2, 3.5)
    swing(first)
    wait_for_value(first, PATH, 1, 2, 3.5)
    assert second.evaluate("window.tinkerformer.selection()") is None
    assert second.evaluate("JSON.stringify(window.tinkerformer.scenario())") == before
    expect(page.locator(".tinkerformer-frame > div").first).to_be_hidden()


def test_a_page_runs_in_one_place_at_a_time_and_can_be_called_back(page):
    first = alive(page, "phrases")
    select(first, PATH, 1, 2)
    page.get_by_role("button", name="once more below").click()
    frames = page.locator(".tinkerformer-frame")
    expect(frames.nth(0)).to_contain_text("shown somewhere else")
    expect(frames.nth(0).get_by_role("img")).to_be_visible()
    expect(frames.nth(2).locator("iframe")).to_be_visible()
    below = alive(page, "phrases")
    below.wait_for_function(f"window.tinkerformer.selection()?.path === '{PATH}'")
    frames.nth(0).get_by_role("button", name="Show it here").click()
    expect(frames.nth(2)).to_contain_text("shown somewhere else")
    expect(frames.nth(0).locator("iframe")).to_be_visible()
    wait_for_selection = f"window.tinkerformer.selection()?.path === '{PATH}'"
    alive(page, "phrases").wait_for_function(wait_for_selection)


def test_in_panel_the_page_looks_the_same_and_shares_a_file(page, new_context, server):
    frame = alive(page, "phrases")
    alone = new_context().new_page()
    alone.goto(server)
    alone.wait_for_function("window.tinkerformer?.ready")
    look = """() => ['body', '.frame h1', '.sentence', '#right'].map(selector => {
        const style = getComputedStyle(document.querySelector(selector));
        return [style.color, style.backgroundColor, style.fontFamily, style.display];
    })"""
    assert frame.evaluate(look) == alone.evaluate(look)
    loaded = "document.fonts.ready.then(() => document.fonts.check('16px KaTeX_Main'))"
    assert frame.evaluate(loaded)
    share = frame.get_by_role("button", name="Share", exact=True)
    if not share.is_visible():
        frame.get_by_role("button", name="Menu", exact=True).click()
    share.click()
    dialog = frame.get_by_role("dialog")
    with page.expect_download() as download:
        dialog.get_by_role("button", name="Save as a file").click()
    assert "the" in download.value.path().read_text()
    expect(dialog.get_by_label("Link")).to_be_hidden()


def test_charts_and_training_work_in_panel(page):
    frame = alive(page, "phrases")
    open_view(frame, "Train")
    done = frame.get_by_text("step 1,000 of 1,000", exact=True)
    frame.get_by_role("button", name="Start from random numbers").click()
    expect(done).to_be_hidden()
    frame.get_by_label("pace", exact=True).select_option("full")
    frame.get_by_role("button", name="Train").first.click()
    expect(done).to_be_visible(timeout=120_000)
    expect(frame.get_by_role("region", name="Curves of the run")).to_contain_text("100 %")
    open_view(frame, "Cost")
    frame.wait_for_function("[...(window.Bokeh?.index ?? [])].length >= 1")


# Playwright's own calls activate the page; this makes only presses do so.
UNTOUCHED = """
    let isActive = false;
    addEventListener("pointerdown", () => { isActive = true; }, true);
    Object.defineProperty(Navigator.prototype, "userActivation", { get: () => ({ isActive }) });
"""


def test_pages_that_open_do_not_scroll_the_app_around_them(new_context, below):
    context = new_context(below)
    context.add_init_script(UNTOUCHED)
    page = context.new_page()
    page.goto(below)
    frames = []
    for number in (0, 1):
        element = page.locator(".tinkerformer-frame iframe").nth(number)
        element.wait_for(state="attached")
        frames.append(element.element_handle().content_frame())
        frames[-1].wait_for_function("window.tinkerformer?.ready && window.tinkerformer.frames > 0")
    step = "[...document.querySelectorAll('*')].some(each => each.scrollTop > 0) || scrollY > 0"
    frames[0].wait_for_function(step)  # the lesson scrolls inside to the part of its first step
    assert page.evaluate("scrollY") == 0


def test_a_page_in_dynamic_tabs_runs_whenever_its_tab_is_active(new_context, tabs):
    page = new_context(tabs).new_page()
    page.goto(tabs)
    alive(page, "phrases").evaluate(f"window.tinkerformer.set('{PATH}', 1, 2, 3.5)")
    page.get_by_text("A text", exact=True).click()
    expect(page.get_by_text("nothing")).to_be_visible()
    expect(page.locator(".tinkerformer-frame")).to_have_count(0)
    page.get_by_text("The page", exact=True).click()
    wait_for_value(alive(page, "phrases"), PATH, 1, 2, 3.5)


@pytest.fixture(scope="module")
def tabs():
    yield from served(Path(__file__).parent / "apps" / "tabs.py")


@pytest.fixture(scope="module")
def below():
    yield from served(Path(__file__).parent / "apps" / "below.py")
