"""Near in the whole picture: what stays in sight, where one is, a map, and cells as they are."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect
from tinkerformer.files import catalog

from tests.browser.conftest import open_first_page
from tests.browser.student import at_rest, computed
from tests.browser.test_whole import look

# The colors down the middle of a column of cells, of each stretch between two gaps.
STRETCHES = """(canvas, [first, last]) => {
  const {x, y} = canvas.getBoundingClientRect(), ctx = canvas.getContext("2d");
  const [top, bottom] = [first.y - y, last.y + last.height - y].map(Math.round);
  const data = ctx.getImageData(first.x + first.width / 2 - x, top, 1, bottom - top).data;
  const found = [new Set()];
  for (const pixel of new Uint32Array(data.buffer)) {
    if (pixel >>> 24) found.at(-1).add(pixel);
    else if (found.at(-1).size) found.push(new Set());
  }
  return found.map(({size}) => size).filter(Boolean);
}"""

FIRST = catalog.first("phrases")
NORM = "encoder.0.self_attn.norm"


@pytest.fixture
def still(new_context, server: str) -> Page:
    """The page for whoever wants no motion: the camera is at once where it goes."""
    return open_first_page(new_context(reduced_motion="reduce"), server)


def box_of(locator: Locator) -> dict[str, float]:
    found = locator.bounding_box()
    assert found
    return dict(found)


def go_near(page: Page, path: str, i: int, j: int, zoom: float) -> None:
    """Go near to a cell by the wheel, until so many times the zoom that shows all."""
    at = page.evaluate("a => window.tinkerformer.rect(...a)", [path, i, j])
    before = look(page)["zoom"]
    page.mouse.move(at["x"] + at["width"] / 2, at["y"] + at["height"] / 2)
    while look(page)["zoom"] < zoom * before:
        page.mouse.wheel(0, -200)


def test_headings_stay_at_the_upper_edge_and_a_line_says_where_one_is(still: Page) -> None:
    line = still.locator(".place-line")
    expect(line).to_be_hidden()
    go_near(still, NORM, 5, 3, 7)
    view = box_of(still.locator(".whole"))
    title = still.get_by_role("button", name="self-attention, part of the encoder", exact=True)
    symbol = still.locator(f'.label[data-path="{NORM}"]')
    for heading in (title, symbol):
        box = box_of(heading)
        assert view["y"] - 1 <= box["y"] < view["y"] + 45
    expect(line).to_have_text("Encoder › layer 1 › self-attention › add & norm")
    # The columns have names under them: something is written there, over each cell.
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


def test_a_small_map_shows_what_is_seen_and_moves_it(still: Page) -> None:
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


def test_a_phone_has_no_room_for_a_map(new_context, server: str) -> None:
    page = open_first_page(new_context(viewport={"width": 420, "height": 860}), server)
    page.locator(".picture").focus()
    page.keyboard.press("+")
    page.wait_for_function("!window.tinkerformer.look().isAll")
    expect(page.get_by_role("group", name=re.compile("^Map"))).to_be_hidden()


@pytest.mark.parametrize("path", ["encoder.0.self_attn", "decoder.0.cross_attn"])
def test_an_unfolded_attention_has_large_links_and_nothing_empty_above(
    still: Page, path: str
) -> None:
    title = {"encoder.0.self_attn": "self-attention, part of the encoder"}.get(
        path, "cross-attention, part of the decoder"
    )
    zoom = look(still)["zoom"]
    still.get_by_role("button", name=title, exact=True).click()
    still.wait_for_function("window.tinkerformer.look().unfolded.length === 1")
    # A link band is three times as wide in units; the zoom may be less, but not by much.
    assert look(still)["zoom"] * 3 >= 2.5 * zoom
    view = box_of(still.locator(".whole"))
    box = box_of(still.get_by_role("button", name=title, exact=True))
    assert box["y"] - view["y"] < 90


@pytest.mark.parametrize("size", [(1440, 900), (1283, 771), (1400, 1000)])
def test_no_cell_shows_a_stripe_of_another_row_or_column(
    still: Page, size: tuple[int, int]
) -> None:
    still.set_viewport_size({"width": size[0], "height": size[1]})
    still.locator(".picture").focus()
    still.keyboard.press("Escape")  # nothing is faint
    still.wait_for_function("!window.tinkerformer.look().following")
    for path in ("target.sum", "decoder.0.self_attn.norm", "decoder.0.feed_forward.norm"):
        rows, cols = computed(FIRST, path).shape
        for j in range(cols):
            ends = [
                still.evaluate("a => window.tinkerformer.rect(...a)", [path, i, j])
                for i in (0, rows - 1)
            ]
            canvas = still.locator(".picture canvas").first
            assert canvas.evaluate(STRETCHES, ends) == [1] * rows, (path, j)
