"""The parameters of ``tf.panel`` in apps of Panel: widgets, links, addresses, sizes, themes."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Frame, Page, expect

from .conftest import served

pytestmark = pytest.mark.in_turn

EXAMPLE = Path(__file__).parents[2] / "assets" / "examples" / "dashboard.py"
FIRST = "the black cat sat on the mat"  # the first text of the phrases, which a link omits
FONTS = "https://fonts.googleapis.com"  # Panel's template requests a font there, which is blocked
SOURCE = f"(window.tinkerformer.scenario().source ?? ['{FIRST}']).join(' ')"
NUMBER = "encoder.0.feed_forward.b_1"


@pytest.fixture(scope="module")
def app():
    yield from served(Path(__file__).parent / "apps" / "panel_parameters.py")


@pytest.fixture(scope="module")
def example():
    yield from served(EXAMPLE)


@pytest.fixture(scope="module")
def documented():
    yield from served(Path(__file__).parent / "apps" / "documented.py")


def opened(new_context, url: str, query: str = "") -> Page:
    page = new_context(url, FONTS).new_page()
    page.goto(f"{url}{query}")
    return page


def whole(page: Page) -> Frame:
    """Return the frame of the whole page, once it is ready."""
    return the_frame(page, 0)


def the_frame(page: Page, number: int) -> Frame:
    page.locator(".tinkerformer-frame iframe").nth(number).wait_for()
    found = page.locator(".tinkerformer-frame iframe").nth(number).element_handle().content_frame()
    found.wait_for_function("window.tinkerformer?.ready && window.tinkerformer.frames > 0")
    return found


def reads(frame: Frame, text: str) -> None:
    """Wait until the page reads a text."""
    frame.wait_for_function(f"{SOURCE} === '{text}'")


def theme(frame: Frame, name: str) -> None:
    frame.wait_for_function(f"document.documentElement.dataset.theme === '{name}'")


def write(page: Page, label: str, text: str) -> None:
    field = page.get_by_label(label)
    field.fill(text)
    field.press("Enter")


def test_widgets_and_the_page_follow_each_other_and_refusals_are_explained(new_context, app):
    page = opened(new_context, app)
    frame = whole(page)
    write(page, "Sentence", "the elephant sat")
    told = frame.locator(".unknown:popover-open")
    expect(told).to_contain_text("“elephant”: the model has never seen this word.")
    write(page, "Sentence", "the cat sat")
    reads(frame, "the cat sat")
    expect(told).to_have_count(0)
    refused = frame.get_by_text("The source has room for 64 tokens, not 200.")
    write(page, "Sentence", "the " * 200)
    expect(refused).to_be_visible()
    write(page, "Sentence", "the dog")
    reads(frame, "the dog")
    expect(refused).to_be_hidden()
    write(page, "Sentence", "the dog")
    reads(frame, "the dog")
    expect(page.get_by_label("Linked in the browser")).to_have_value("the dog")
    write(page, "Linked in the browser", "a mouse")
    reads(frame, "a mouse")
    expect(page.get_by_label("Sentence")).to_have_value("a mouse")
    frame.get_by_role("button", name="Tools of Source").click()
    frame.get_by_role("button", name="Another sentence").click()
    frame.wait_for_function(f"{SOURCE} !== 'a mouse'")
    text = frame.evaluate(SOURCE)
    expect(page.get_by_label("Sentence")).to_have_value(text)
    expect(page.get_by_label("Linked in the browser")).to_have_value(text)


def test_the_address_of_the_app_has_the_parameters(new_context, app):
    page = opened(new_context, app, "?source=the+dog&view=attention")
    frame = whole(page)
    reads(frame, "the dog")
    expect(page.get_by_text("attention: le chien")).to_be_visible()
    write(page, "Sentence", "a mouse")
    asked = "new URLSearchParams(location.search)"
    page.wait_for_function(f"{asked}.get('source')?.includes('a mouse')")
    frame.get_by_role("tab", name="Picture").click()
    page.wait_for_function(f"{asked}.get('view')?.includes('picture')")


def test_a_dark_template_has_a_dark_page_and_a_theme_can_be_set(new_context, app):
    page = opened(new_context, app)
    frame, alone = whole(page), the_frame(page, 1)
    theme(frame, "dark")
    theme(alone, "dark")
    still = page.locator(".tinkerformer-frame").first  # shows a picture until the page is ready
    expect(still).to_have_class(re.compile("is-dark"))
    page.get_by_label("Theme").select_option("light")
    expect(still).not_to_have_class(re.compile("is-dark"))
    theme(frame, "light")
    theme(alone, "dark")
    page.get_by_label("Theme").select_option("auto")
    theme(frame, "dark")
    frame.get_by_role("button", name="Menu", exact=True).click()
    frame.get_by_role("button", name="Light theme").click()
    theme(frame, "light")
    expect(page.get_by_label("Theme")).to_have_value("light")


def test_a_disabled_page_ignores_the_user(new_context, app):
    page = opened(new_context, app)
    frame = whole(page)
    page.get_by_role("button", name="Closed").click()
    framed = page.locator(".tinkerformer-frame").first
    expect(framed).to_have_attribute("aria-disabled", "true")
    assert framed.locator("iframe").evaluate("frame => frame.inert")
    write(page, "Sentence", "the dog")  # a program can still change it
    reads(frame, "the dog")
    page.get_by_role("button", name="Closed").click()
    expect(framed).to_have_attribute("aria-disabled", "false")
    assert not framed.locator("iframe").evaluate("frame => frame.inert")


def test_a_frame_has_the_size_of_its_layout(new_context, app):
    page = opened(new_context, app)
    whole(page)
    frames = page.locator(".tinkerformer-frame")
    first, second = (frames.nth(k).bounding_box() for k in (0, 1))
    assert first["height"] == 500
    assert (second["width"], second["height"]) == (600, 300)


# The words of each list, and the space between the last word and the end of the list.
WORDS = """lists => lists.map(list => {
    const chips = [...list.querySelectorAll(".chip:not(.special)")];
    const words = chips.filter(chip => chip.checkVisibility());
    const end = list.getBoundingClientRect().right;
    return [words.length, Math.round(end - words.at(-1).getBoundingClientRect().right)];
})"""


def test_the_app_of_the_guide_shows_both_sentences_whole(new_context, documented):
    page = new_context(documented, FONTS).new_page()
    page.set_viewport_size({"width": 1200, "height": 800})
    page.goto(documented)
    lists = whole(page).locator(".lists > section:not([hidden])").evaluate_all(WORDS)
    (reads, left_of_it), (writes, left) = lists
    assert (reads, writes) == (6, 7)
    assert 0 <= left_of_it < 120  # neither cut nor followed by much empty space
    assert left >= 0


def test_the_example_is_a_dashboard_of_two_pages(new_context, example):
    page = opened(new_context, example)
    left, right = the_frame(page, 0), the_frame(page, 1)
    reads(left, FIRST)
    write(page, "right sentence", "a rabbit sat in a car")
    reads(right, "a rabbit sat in a car")
    reads(left, FIRST)
    expect(page.locator(".bk-Figure")).to_have_count(2)
    titles = "[...Bokeh.documents[0]._all_models.values()].filter(m => m.type === 'Title')"
    page.wait_for_function(f"{titles}.some(title => title.text.startsWith('after le chat noir'))")
    page.wait_for_function(f"{titles}.some(title => title.text.startsWith('after un lapin'))")
    slider = page.locator(".noUi-handle").last
    slider.focus()
    number = f"window.tinkerformer.value('{NUMBER}', 0, 0)"
    before = left.evaluate(number)
    slider.press("PageUp")
    left.wait_for_function(f"(before) => {number} > before + 0.05", arg=before)
    page.get_by_label("what is shown").select_option("Attention")
    shown = "window.tinkerformer.scenario && document.documentElement.dataset.view === 'attention'"
    for frame in (left, right):
        frame.wait_for_function(shown)
