import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import open_first_page
from tests.browser.student import at_rest, until
from tests.browser.test_whole import look

# Returns whether the map is beside each matrix, or above or below it.
COVERS_NOTHING = """(map, paths) => {
  const {left, right, top, bottom} = map.getBoundingClientRect();
  return paths.every((path) => {
    const {matrix, rect} = window.tinkerformer, {rows, cols} = matrix(path);
    const [first, last] = [rect(path, 0, 0), rect(path, rows - 1, cols - 1)];
    return last.x + last.width <= left || right <= first.x ||
      last.y + last.height <= top || bottom <= first.y;
  });
}"""

NORM = "encoder.0.self_attn.norm"


def box_of(locator: Locator) -> dict[str, float]:
    found = locator.bounding_box()
    assert found
    return dict(found)


def go_near(page: Page, path: str, i: int, j: int, zoom: float) -> None:
    """Zoom in on a cell by the wheel, to ``zoom`` times the zoom that shows all."""
    at = page.evaluate("a => window.tinkerformer.rect(...a)", [path, i, j])
    before = look(page)["zoom"]
    page.mouse.move(at["x"] + at["width"] / 2, at["y"] + at["height"] / 2)
    page.locator(".picture").focus()
    while look(page)["zoom"] < zoom * before:
        page.mouse.wheel(0, -200)


def test_headings_stay_at_the_upper_edge_and_a_line_names_the_place(still: Page) -> None:
    line = still.locator(".place-line")
    expect(line).to_be_hidden()
    go_near(still, NORM, 5, 3, 7)
    view = box_of(still.locator(".whole"))
    title = still.get_by_role("button", name="self-attention, part of the encoder", exact=True)
    symbol = still.locator(f'.label[data-path="{NORM}"]')
    for heading in (title, symbol):
        box = box_of(heading)
        assert view["y"] - 1 <= box["y"] < view["y"] + 45
    expect(line).to_have_text("Encoder › self-attention › add & norm")
    # The columns have names below them: there are letters below each cell.
    names = box_of(still.locator(".column-names"))
    cell = at_rest(still, "window.tinkerformer.rect(...a)", NORM, 5, 3)
    written = still.locator(".column-names").evaluate(
        """(canvas, [left, right]) => {
          const {x} = canvas.getBoundingClientRect(), k = devicePixelRatio;
          const data = canvas.getContext("2d").getImageData((left - x) * k, 0,
            (right - left) * k, canvas.height).data;
          return data.some((v, n) => n % 4 === 3 && v > 0);
        }""",
        [cell["x"], cell["x"] + cell["width"]],
    )
    assert written
    assert names["y"] + names["height"] < cell["y"] + cell["height"]
    still.locator(".picture").focus()
    still.keyboard.press("0")
    expect(line).to_be_hidden()
    expect(still.locator(".band")).to_be_hidden()


def test_a_small_map_shows_the_visible_part_and_moves_it(still: Page) -> None:
    chart = still.get_by_role("group", name=re.compile("^Map of the whole picture"))
    expect(chart).to_be_hidden()
    go_near(still, NORM, 3, 3, 4)
    expect(chart).to_be_visible()
    box = box_of(chart)
    still.mouse.click(box["x"] + 0.9 * box["width"], box["y"] + 0.7 * box["height"])
    there = look(still)
    expect(still.locator(".place-line")).to_contain_text("Decoder")
    chart.focus()
    still.keyboard.press("ArrowLeft")
    still.wait_for_function("x => window.tinkerformer.look().x < x", arg=there["x"])
    assert look(still)["zoom"] == pytest.approx(there["zoom"], rel=1e-3)
    still.keyboard.press("0")
    expect(chart).to_be_hidden()


def test_a_phone_has_no_map(new_context, server: str) -> None:
    page = open_first_page(new_context(viewport={"width": 420, "height": 860}), server)
    page.locator(".picture").focus()
    page.keyboard.press("+")
    page.wait_for_function("!window.tinkerformer.look().isAll")
    expect(page.get_by_role("group", name=re.compile("^Map"))).to_be_hidden()


@pytest.mark.parametrize("path", ["encoder.0.self_attn", "decoder.0.cross_attn"])
def test_an_unfolded_attention_has_large_links_and_no_empty_space_above(
    still: Page, path: str
) -> None:
    title = {"encoder.0.self_attn": "self-attention, part of the encoder"}.get(
        path, "cross-attention, part of the decoder"
    )
    zoom = look(still)["zoom"]
    still.get_by_role("button", name=title, exact=True).click()
    still.wait_for_function("window.tinkerformer.look().unfolded.length === 1")
    # A band of links is three times as wide in units; the zoom may be lower, but not by much.
    assert look(still)["zoom"] * 3 >= 2.5 * zoom
    view = box_of(still.locator(".whole"))
    box = box_of(still.get_by_role("button", name=title, exact=True))
    assert box["y"] - view["y"] < 90


def test_the_last_part_unfolds_with_its_title_and_the_words_beside_it(still: Page) -> None:
    title = still.get_by_role("button", name="next word, part of the decoder")
    title.click()
    still.wait_for_function("window.tinkerformer.look().unfolded.length === 1")
    at_rest(still, "window.tinkerformer.rect('output.logits', 2, 0)", frames=20)
    picture = still.locator(".picture").bounding_box()
    right = picture["x"] + picture["width"]
    expect(title).not_to_have_class(re.compile("covered"))
    for word in still.locator(".labels .written").all():
        box = word.bounding_box()
        assert box["x"] + box["width"] <= right


def test_the_next_word_unfolds_with_all_its_rows_and_stays_followed(whole: Page) -> None:
    lane = whole.evaluate("window.tinkerformer.look().following")
    whole.get_by_role("button", name="next word, part of the decoder").click()
    whole.wait_for_function("window.tinkerformer.look().unfolded.includes('output')")
    view = box_of(whole.locator(".whole"))
    rows = whole.evaluate("window.tinkerformer.matrix('output.logits').rows")
    for row in (0, rows - 1):
        cell = at_rest(whole, "window.tinkerformer.rect(...a)", "output.logits", row, 0)
        assert view["y"] < cell["y"]
        assert cell["y"] + cell["height"] < view["y"] + view["height"]
    assert whole.evaluate("window.tinkerformer.look().following") == lane
    for button in whole.locator(".read-as:visible").all():
        box = box_of(button)
        assert box["x"] + box["width"] <= view["x"] + view["width"]
    # The map covers no number, once it has found its corner.
    chart = whole.get_by_role("group", name=re.compile("^Map of the whole picture"))
    paths = ["output.logits", "output.probabilities"]
    until(whole, lambda: chart.evaluate(COVERS_NOTHING, paths))


def test_the_map_moves_to_another_corner_and_stays_there(still: Page) -> None:
    go_near(still, NORM, 3, 3, 4)
    chart = still.get_by_role("group", name=re.compile("^Map of the whole picture"))
    before = box_of(chart)
    still.get_by_role("button", name="Move the map to another corner").press("Enter")
    after = box_of(chart)
    assert (before["x"], before["y"]) != (after["x"], after["y"])
    still.locator(".picture").focus()
    still.keyboard.press("+")
    at_rest(still, "window.tinkerformer.look()", frames=20)
    assert box_of(chart)["x"] == after["x"]


def test_a_symbol_is_explained_in_words_and_no_heading_is_cut_by_the_edges(still: Page) -> None:
    still.get_by_role("button", name="cross-attention, part of the decoder").click()
    still.wait_for_function("window.tinkerformer.look().unfolded.length === 1")
    for path, words in {
        "decoder.0.cross_attn.head.0.raw_scores": "scores before",
        "decoder.0.cross_attn.head.0.context": "context",
        "decoder.0.cross_attn.head.0.W_q": "queries",
    }.items():
        symbol = still.locator(f".label[data-path^='{path}']").first
        expect(symbol).to_be_visible()
        expect(symbol).to_have_attribute("title", re.compile(words))
        expect(symbol).to_have_attribute("aria-label", re.compile(words))
    still.wait_for_function("window.tinkerformer.look().unfolded.length === 1")
    at_rest(still, "window.tinkerformer.look()", frames=20)
    cut = still.locator(".labels").evaluate(
        """layer => {
          const view = layer.getBoundingClientRect(), gutter = layer.querySelector(".gutter");
          const left = view.left + (gutter.hidden ? 0 : gutter.getBoundingClientRect().width);
          return [...layer.querySelectorAll(".label")].filter((el) => {
            const box = el.getBoundingClientRect();
            return el.checkVisibility({opacityProperty: true}) && box.right > view.left
              && box.left < view.right && (box.left < left - 4 || box.right > view.right + 4);
          }).map((el) => el.textContent);
        }"""
    )
    assert cut == []


def test_the_key_g_opens_the_search_for_a_matrix_also_from_a_title(still: Page) -> None:
    still.get_by_role("button", name="cross-attention, part of the decoder").focus()
    still.keyboard.press("g")
    expect(still.get_by_role("dialog")).to_be_visible()
