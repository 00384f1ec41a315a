import itertools
import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from tinkerformer.model.scenario.scenario import Scenario

from tests.browser.conftest import open_first_page, open_page
from tests.browser.student import at_rest, click_cell, open_view, show_all_numbers, wait_until_shown


def test_a_narrow_page_does_not_scroll_sideways_and_its_drawer_closes(new_context, server):
    page = open_page(new_context(viewport={"width": 420, "height": 900}), server)
    assert page.evaluate("document.documentElement.scrollWidth") <= 420
    page.get_by_role("button", name="settings of the model").click()
    page.get_by_role("button", name="increase d_model").click()
    wait_until_shown(page, Scenario().with_setting("d_model", 10), "source.W_e")
    page.keyboard.press("Escape")
    # The drawer slides over the numbers while it closes.
    page.wait_for_function(
        """() => { const r = window.tinkerformer.rect("source.W_e", 0, 0);
          const e = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2);
          return Boolean(e?.closest("main")); }"""
    )
    click_cell(page, "source.W_e", 0, 0)
    page.get_by_role("slider").wait_for()


def phone(new_context, server: str) -> Page:
    """Open the page on a phone."""
    size = {"width": 420, "height": 860}
    context: BrowserContext = new_context(viewport=size, has_touch=True, is_mobile=True)
    return open_first_page(context, server)


@pytest.mark.parametrize(("right", "down"), [(0, -14), (14, 6), (0, 0)])
def test_a_finger_near_the_ring_selects_its_number(new_context, server, right, down):
    page = phone(new_context, server)
    ring = page.locator(".hinted")
    expect(ring).to_be_visible()
    expect(page.get_by_text("Drag me: first tap, then drag.")).to_be_visible()
    expect(page.get_by_role("note", name="numbers that mean “\u2068black\u2069”")).to_be_visible()
    box = ring.bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] / 2 + right, box["y"] + box["height"] / 2 + down)
    page.wait_for_function("window.tinkerformer.selection()")
    selected = page.evaluate("window.tinkerformer.selection()")
    assert (selected["path"], selected["i"]) == ("source.embedding", 1)
    # The number in the hint has the largest magnitude.
    row = page.evaluate(
        "[0, 1, 2, 3, 4, 5, 6, 7].map((j) => window.tinkerformer.value('source.embedding', 1, j))"
    )
    assert selected["j"] == max(range(8), key=lambda j: abs(row[j]))
    page.get_by_role("slider").first.wait_for()
    assert page.evaluate("[document.documentElement.scrollWidth, innerWidth]") == [420, 420]


@pytest.mark.parametrize("size", [(420, 860), (1024, 768)])
@pytest.mark.parametrize(
    "cell", [("source.embedding", 1, 2), ("decoder.0.feed_forward.norm", 5, 7)]
)
def test_a_tapped_number_neither_moves_nor_is_covered(new_context, server, size, cell) -> None:
    size = dict(zip(("width", "height"), size, strict=True))
    page = open_first_page(new_context(viewport=size, has_touch=True, is_mobile=True), server)
    before = at_rest(page, "window.tinkerformer.rect(...a)", *cell, frames=20)
    x, y = before["x"] + before["width"] / 2, before["y"] + before["height"] / 2
    page.touchscreen.tap(x, y)
    inspector = page.get_by_role("complementary", name="Inspector")
    expect(inspector).to_be_visible()
    covered = "document.elementFromPoint(...a).closest('#right') !== null"
    assert not at_rest(page, covered, x, y, frames=20)
    after = at_rest(page, "window.tinkerformer.rect(...a)", *cell)
    assert after == pytest.approx(before, abs=0.5)
    # Dragged up by its button it opens further, and a press lowers it again.
    top = "document.querySelector('#right').offsetTop"
    low = page.evaluate(top)
    handle = inspector.get_by_role("button", name="All of the number")
    box = handle.bounding_box()
    assert min(box["width"], box["height"]) >= 44
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + 20, box["y"] - 60, steps=3)
    page.mouse.up()
    page.wait_for_function(f"(half) => {top} <= half", arg=size["height"] / 2)
    handle.click()
    page.wait_for_function(f"(low) => {top} === low", arg=low)


@pytest.mark.parametrize(("width", "height"), [(360, 740), (420, 850), (1024, 768)])
def test_an_open_sheet_covers_no_row_of_the_picture(new_context, server, width, height) -> None:
    size = {"width": width, "height": height}
    page = open_first_page(new_context(viewport=size, has_touch=True, is_mobile=True), server)
    ring = page.locator(".hinted").bounding_box()
    page.touchscreen.tap(ring["x"] + ring["width"] / 2, ring["y"] + ring["height"] / 2)
    sheet = page.get_by_role("complementary", name="Inspector")
    expect(sheet).to_be_visible()
    top = at_rest(page, "document.querySelector('#right').getBoundingClientRect().y", frames=20)
    for row in page.locator(".labels .written").all():
        box = row.bounding_box()
        assert box["y"] + 0.8 * box["height"] <= top  # of the line, the letters
    # Its first controls are in sight, and large enough for a finger.
    controls = [sheet.get_by_role("slider").first]
    controls += [sheet.get_by_role("button", name=name, exact=True) for name in SHEET]
    for control in controls:
        box = control.bounding_box()
        assert box["height"] >= 44
        assert box["y"] >= top
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["y"] + box["height"] <= height


SHEET = ("Oscillate", "Restore", "All of the number", "Close")

SAID = """() => {
  const said = [];
  for (const el of allOf(":not(script, style)")) {
    for (const name of ["aria-label", "title", "placeholder"])
      if (el.hasAttribute(name)) said.push(el.getAttribute(name));
    for (const node of el.childNodes)
      if (node.nodeType === Node.TEXT_NODE && node.data.trim()) said.push(node.data.trim());
  }
  return said;
}"""


def test_on_a_phone_words_and_ideas_and_the_picture_have_space(new_context, server):
    page = phone(new_context, server)
    picture = page.locator(".whole").bounding_box()
    assert picture["y"] <= 0.32 * 860
    assert picture["height"] >= 0.5 * 860
    # Its controls are below it, and none of them is cut.
    for control in page.get_by_role("toolbar", name="Picture").get_by_role("button").all():
        box = control.bounding_box()
        assert box["y"] >= picture["y"] + picture["height"]
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 420
    # The film and the other suggestions are beside the forms.
    expect(page.get_by_role("button", name=re.compile("Watch one word"))).to_be_in_viewport()
    page.get_by_role("button", name="Things to try").tap()
    expect(page.get_by_role("button", name=re.compile("^Replace"))).to_be_in_viewport()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name=re.compile("^Replace"))).to_be_hidden()
    words = page.locator(".labels .word")
    assert words.count() == 16
    for at in range(16):
        expect(words.nth(at)).to_have_css("opacity", "1")
    # The letters of a stack's rows do not overlap.
    tops = words.evaluate_all("all => all.slice(0, 7).map((el) => el.getBoundingClientRect().y)")
    assert min(b - a for a, b in itertools.pairwise(tops)) >= 9.5
    page.get_by_role("button", name="More forms of the model").tap()
    for idea in page.get_by_role("menuitemradio").all():
        idea.scroll_into_view_if_needed()
        idea.click(trial=True)  # fails if another element covers it
    page.keyboard.press("Escape")
    page.get_by_role("button", name="How it writes").tap()
    expect(page.locator("#drawer")).to_be_visible()
    drawer = page.locator("#drawer").bounding_box()
    picture = page.locator(".picture").bounding_box()
    assert drawer["y"] - picture["y"] >= 80
    # Words about a mouse, except for the animal that the model translates.
    of_mouse = re.compile(r"\b(click\w*|hover\w*|scroll to zoom|mouse wheel)\b", re.IGNORECASE)
    page.evaluate("window.tinkerformer.select('encoder.0.self_attn.norm', 1, 2)")
    page.wait_for_function("window.tinkerformer.selection() !== null")
    for view in ("Picture", "Formulas"):
        open_view(page, view)
        page.wait_for_function("window.tinkerformer.paths().length > 20")
        assert [text for text in page.evaluate(SAID) if of_mouse.search(text)] == []


SIZES = [(420, 860, "Explore"), (420, 860, "Train"), (768, 1024, "Train"), (1280, 800, "Train")]


@pytest.mark.parametrize(("width", "height", "room"), SIZES)
def test_switching_to_gradients_moves_nothing(new_context, server, width, height, room):
    page = open_first_page(new_context(viewport={"width": width, "height": height}), server)
    if room != "Explore":
        open_view(page, room)
        page.get_by_role("button", name="Test on unseen phrases").wait_for()
        page.wait_for_function("document.querySelector('#curves').offsetHeight > 100")
        page.locator(".examples tr").nth(5).wait_for()  # translations are computed later
    places = """[".whole", ".picture-bar", ".frame", "#curves", "#main"].map((name) => {
      const { x, y, width, height } = allOf(name)[0].getBoundingClientRect();
      return [x, y, width, height];
    })"""
    before = at_rest(page, places, frames=90)  # pictures load one after the other
    page.get_by_role("button", name="Backward", exact=True).click()
    page.get_by_role("button", name="Back to values").wait_for()
    assert at_rest(page, places) == before


def test_a_lesson_on_a_phone_highlights_its_tab_and_leaves_most_of_the_screen_to_the_picture(
    new_context, server
):
    size = {"width": 420, "height": 860}
    context = new_context(viewport=size, has_touch=True, is_mobile=True)
    page = open_first_page(context, f"{server}?view=lesson:vectors")
    expect(page.get_by_role("tab", name="Lessons")).to_have_attribute("aria-selected", "true")
    assert page.locator("#lesson").bounding_box()["height"] <= 860 / 3
    assert page.locator(".whole").bounding_box()["height"] >= 860 / 4
    expect(page.get_by_role("button", name="Next", exact=True)).to_be_in_viewport()
    expect(page.locator("#lesson")).not_to_contain_text("Click")
    page.get_by_role("tab", name="Lessons").tap()  # the highlighted tab opens the list
    expect(page.get_by_role("heading", name="Lessons", exact=True)).to_be_visible()
    page.get_by_role("tab", name="Explore").tap()
    page.wait_for_function("document.documentElement.dataset.lesson === undefined")
    expect(page.get_by_role("tab", name="Explore")).to_have_attribute("aria-selected", "true")


# The sizes of the letters of every visible label in CSS px; names of stacks are in capitals.
LETTERS = """() => {
  const labels = allOf(".labels :is(.label, .word, .written), .ribbon-end, .drag-hint");
  const isSeen = (el) => el.checkVisibility({ opacityProperty: true }) && el.textContent.trim();
  return labels.filter(isSeen).map((el) => {
    const scale = el.getBoundingClientRect().height / el.offsetHeight;
    const capital = el.matches(".stack") ? 13 / 12 : 1;
    return [el.textContent, capital * scale * parseFloat(getComputedStyle(el).fontSize)];
  });
}"""


@pytest.mark.parametrize(("width", "height"), [(390, 844), (420, 900)])
def test_all_labels_on_a_phone_are_large_enough_to_be_read(new_context, server, width, height):
    size = {"width": width, "height": height}
    page = open_first_page(new_context(viewport=size, has_touch=True, is_mobile=True), server)
    letters = at_rest(page, f"({LETTERS})()")
    assert len(letters) > 35
    assert [(text, size) for text, size in letters if size < 11.4] == []
    titles = page.locator(".labels .label.title").filter(visible=True)
    boxes = sorted((title.bounding_box() for title in titles.all()), key=lambda box: box["x"])
    assert len(boxes) == 8
    for a, b in itertools.combinations(boxes, 2):
        assert abs(a["y"] - b["y"]) > 20 or a["x"] + a["width"] <= b["x"]


BOXES = """allOf(".labels .label.symbol").filter((el) => el.checkVisibility())
  .map((el) => el.getBoundingClientRect().toJSON())"""


@pytest.mark.parametrize("width", [390, 420])
def test_the_names_of_weights_can_be_read_and_do_not_overlap(new_context, server, width):
    size = {"width": width, "height": 900}
    page = open_first_page(new_context(viewport=size, has_touch=True, is_mobile=True), server)
    show_all_numbers(page)
    names = at_rest(page, BOXES)
    assert len(names) >= 3
    for a, b in itertools.combinations(names, 2):
        apart = a["x"] + a["width"] <= b["x"] or b["x"] + b["width"] <= a["x"]
        upper, lower = sorted((a, b), key=lambda box: box["y"])
        # Letters leave a fifth of a line's height free, and more between two lines.
        assert apart or upper["y"] + 0.8 * upper["height"] <= lower["y"]
    # The followed word and the legend are below the picture.
    picture = page.locator(".whole").bounding_box()
    for part in (".followed", ".legend"):
        box = page.locator(f".status {part}:visible").bounding_box()
        assert box["y"] + box["height"] / 4 >= picture["y"] + picture["height"]
        assert box["x"] + box["width"] <= width
    # A larger ring would cover the word of its row.
    ring = page.locator(".hinted").bounding_box()
    assert ring["width"] >= 16
    # The whole sentence is visible, except for its end token.
    words = page.locator(".written .chip:not(.special)")
    for word in words.all():
        box = word.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width + 1


@pytest.mark.parametrize(("width", "count"), [(420, 3), (1024, 4)])
def test_the_word_that_an_edit_removes_is_among_the_bars(new_context, server, width, count):
    page = open_first_page(new_context(viewport={"width": width, "height": 860}), server)
    bars = page.locator("[data-part=bar] .word").filter(visible=True)
    expect(bars).to_have_count(count)
    page.evaluate("tinkerformer.set('source.W_e', 4, 2, 0.4)")
    expect(page.get_by_text("“noir” falls away.").first).to_be_visible()
    expect(bars.filter(has_text="noir")).to_have_count(1)
