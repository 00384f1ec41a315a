import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import open_first_page
from tests.browser.student import at_rest

PICTURES = {"words": ".words-map .word", "arrows": ".arrows .arrow", "landscape": ".landscape"}
SAID = ".idea-said"


@pytest.fixture
def opened(new_context, server):
    """Return a function that opens the phrases with the picture of an idea."""

    def open_picture(name: str, query: str = "", **context) -> Page:
        page = open_first_page(new_context(**context), f"{server}?view=idea:{name}{query}")
        expect(page.locator(PICTURES[name]).first).to_be_visible()
        expect(page.locator(SAID).first).to_be_visible()
        return page

    return open_picture


def center(page: Page, selector: str) -> tuple[float, float]:
    """Return the middle of a node once it stops moving."""
    node = page.locator(selector).first
    node.scroll_into_view_if_needed()
    at_rest(page, "scrollY")
    box = node.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, selector: str, by: tuple[float, float], *, release: bool = True) -> None:
    x, y = center(page, selector)
    page.mouse.move(x, y)
    page.mouse.down()
    for share in (0.3, 0.6, 1.0):
        page.mouse.move(x + share * by[0], y + share * by[1])
    if release:
        page.mouse.up()


@pytest.mark.parametrize("name", ["words", "arrows"])
def test_an_embedded_page_shows_the_same_picture(opened, name):
    page = opened(name, "&embed")
    assert page.locator(".idea").count() == 0  # the handle cannot leave the picture


def test_a_word_is_dragged_and_moved_by_keys_and_dropped_and_the_translation_follows(opened):
    page = opened("words")
    word = page.locator(".word.chosen")
    expect(word).to_have_attribute("aria-label", re.compile("^black, "))
    before = page.locator(SAID).first.inner_text()
    written = page.locator("[data-region=sentence]").inner_text()
    drag(page, ".word.chosen", (220, 160), release=False)
    expect(page.locator(SAID).first).not_to_have_text(before)
    expect(page.locator("[data-region=sentence]")).not_to_have_text(written)
    page.mouse.up()
    expect(page.get_by_role("button", name="Restore", exact=True)).to_be_enabled()
    page.get_by_role("button", name="Restore", exact=True).click()
    expect(page.locator(SAID).first).to_have_text(before)
    written = page.locator("[data-region=sentence]").inner_text()
    page.get_by_role("button", name=re.compile("^Try: drop")).click()
    expect(page.locator(SAID).first).to_contain_text("is written instead of")
    expect(page.locator("[data-region=sentence]")).not_to_have_text(written)
    page.get_by_role("button", name=re.compile("^Move it in all")).click()
    expect(page.locator(SAID).first).to_contain_text("now has all numbers of")
    word = page.locator(".word.chosen")
    word.focus()
    label = word.get_attribute("aria-label")
    page.keyboard.press("ArrowRight")
    expect(word).not_to_have_attribute("aria-label", label or "")
    page.keyboard.press("PageDown")
    expect(page.locator(".word.chosen")).to_be_focused()
    expect(page.locator(".word.chosen")).not_to_have_attribute("aria-label", re.compile("^black, "))


def test_dragging_a_query_or_a_key_changes_the_sentence(opened):
    page = opened("arrows")
    said = page.locator(SAID).first
    plain = said.inner_text()
    top = page.locator(".arrows svg").first.bounding_box()
    drag(page, ".arrow.query .hit", (-60, -160), release=False)
    expect(said).to_have_text(re.compile("You turned the query of “chat” by .*would write"))
    assert page.locator(".arrows svg").first.bounding_box()["y"] == top["y"]
    page.mouse.up()
    expect(said).to_have_text(
        re.compile("You turned the query of “chat” by .*The model now writes")
    )
    page.get_by_role("button", name="Restore the arrows").click()
    expect(said).to_have_text(plain)
    weights = page.locator(".arrows td.weight")
    before = weights.all_inner_texts()
    drag(page, ".arrow.query .hit", (-60, -120))
    expect(weights).not_to_have_text(before)
    now = [float(text) for text in weights.all_inner_texts()]
    assert sum(now) == pytest.approx(1, abs=0.004)
    page.get_by_role("button", name="Restore the arrows").click()
    expect(weights).to_have_text(before)
    dot = page.locator(".arrows td.dot").first
    before = dot.inner_text()
    page.locator(".arrow.key").first.focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowLeft")
    expect(dot).not_to_have_text(before)


def test_a_picture_opens_at_its_top(opened):
    page = opened("landscape", viewport={"width": 1024, "height": 500})
    page.evaluate("scrollTo(0, 9999)")
    assert page.evaluate("scrollY") > 0
    for label in ("Cost", "The loss as a landscape"):
        page.locator(".more:visible", has_text="Ideas").click()
        page.get_by_role("menuitemradio", name=label).click()
        expect(page.get_by_role("heading", name=label, exact=True)).to_be_in_viewport()
    page.wait_for_function("scrollY === 0")


def test_a_press_in_the_contour_sets_both_numbers(opened):
    page = opened("landscape")
    outputs = page.locator(".landscape output")
    before = outputs.all_inner_texts()
    chart = page.locator(".bk-Figure").first
    expect(chart).to_be_visible()
    drag(page, ".bk-Figure", (80, -60))
    for k in (0, 1):
        expect(outputs.nth(k)).not_to_have_text(before[k])
    page.get_by_role("button", name="To the lowest place").click()
    said = page.locator(SAID).first
    expect(said).to_have_text(
        re.compile(r"to (\d\.\d{3})\. At the cross, the lowest place, it is \1")
    )
    expect(page.locator(".walked")).to_have_text(re.compile(r"each place: \d\.\d{3} → \d.*→"))
    page.get_by_role("button", name="Restore", exact=True).click()
    expect(page.locator(".walked")).to_be_hidden()
    expect(said).to_contain_text("at the dot")
    for k in (0, 1):
        expect(outputs.nth(k)).to_have_text(before[k])


def finger(page: Page, start: tuple[float, float], by: tuple[float, float]) -> None:
    """Drag by touch, as the browser receives it, including scrolling."""
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        at = [{"x": x, "y": y} for x, y in points]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})

    touch("touchStart", start)
    for k in range(1, 11):
        touch("touchMove", (start[0] + by[0] * k / 10, start[1] + by[1] * k / 10))
    touch("touchEnd")


PHONE = {"viewport": {"width": 420, "height": 860}, "has_touch": True, "is_mobile": True}


def test_a_finger_drags_the_nearest_word_and_the_page_does_not_scroll(opened):
    page = opened("words", **PHONE)
    x, y = center(page, ".word.chosen .dot")
    scrolled = page.evaluate("scrollY")
    label = page.locator(".word.chosen").get_attribute("aria-label")
    finger(page, (x + 3, y + 2), (40, 60))  # beside "white", which is drawn above
    expect(page.locator(".word.chosen")).not_to_have_attribute("aria-label", label or "")
    expect(page.locator(".word.chosen")).to_have_attribute("aria-label", re.compile("^black, "))
    assert page.evaluate("scrollY") == scrolled


def test_a_finger_drags_the_dot_of_the_landscape(opened):
    page = opened("landscape", **PHONE)
    outputs = page.locator(".landscape output")
    before = outputs.all_inner_texts()
    chart = page.locator(".bk-Figure").first
    expect(chart).to_be_visible()
    chart.scroll_into_view_if_needed()
    at_rest(page, "scrollY")
    where = page.evaluate(
        """() => {
          const find = (view) => view.model?.name === "landscape" && view.frame
            ? view : (view.child_views ?? []).map(find).find(Boolean);
          const { el, frame } = [...window.Bokeh.index].map(find).find(Boolean);
          const box = el.getBoundingClientRect();
          const [x, y] = allOf(".landscape output")
            .map((node) => Number(node.textContent.replace("−", "-")));
          return [box.left + frame.x_scale.compute(x), box.top + frame.y_scale.compute(y)];
        }"""
    )
    scrolled = page.evaluate("scrollY")
    finger(page, where, (50, 70))
    for k in (0, 1):
        expect(outputs.nth(k)).not_to_have_text(before[k])
    assert page.evaluate("scrollY") == scrolled


def test_words_move_apart_with_depth_and_opening_an_explanation_moves_nothing(opened):
    page = opened("words")
    figure = page.locator(".plane").first
    before = figure.bounding_box()
    page.get_by_role("button", name="about seen from").click()
    expect(page.get_by_text("of the many directions of a word")).to_be_visible()
    assert figure.bounding_box() == before
    page.keyboard.press("Escape")
    expect(page.get_by_text("of the many directions of a word")).to_be_hidden()
    depth = page.get_by_label("how deep in the model")
    depth.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(SAID).first).to_contain_text("The distance of its two embeddings is 0.00")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator(SAID).first).to_contain_text("after layer 1, self-attention they are")
    expect(page.locator(".word text").first).to_have_text("the (0)")


def test_a_part_and_a_selected_number_open_their_pictures(new_context, server):
    page = open_first_page(new_context(), f"{server}?view=formulas")
    page.get_by_role("button", name="Queries and keys as arrows →").first.click()
    expect(page.locator(".arrows .arrow").first).to_be_visible()
    page.evaluate("window.tinkerformer.select('source.W_e', 4, 0)")
    page.get_by_role("button", name="Words as a map →").last.click()
    expect(page.locator(".word.chosen")).to_be_visible()
