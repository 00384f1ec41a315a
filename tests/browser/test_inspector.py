import re

import pytest
from playwright.sync_api import Locator, Page, expect
from tinkerformer.explain.row_names import row_names
from tinkerformer.explain.word_borders import WordStretches
from tinkerformer.explain.written_at import stretches_of
from tinkerformer.files import catalog
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.matrices.address import CellAddress
from tinkerformer.model.matrices.resolved_cell import resolve
from tinkerformer.model.matrices.scale import span

from tests.browser.student import (
    at_rest,
    click_cell,
    open_view,
    slider,
    violations_light_and_dark,
    wait_for_inspector,
)

CELL = ("source.embedding", 1, 2)  # an embedding of “black”

# The parts that are wider than the column, by class, with the CSS px that they exceed it.
TOO_WIDE = """() => {
  const column = document.querySelector("#right");
  const { left, right } = column.getBoundingClientRect();
  const found = [];
  const walk = (root) => {
    for (const node of root.children ?? []) {
      const style = getComputedStyle(node);
      if (style.display === "none" || style.visibility === "hidden") continue;
      const box = node.getBoundingClientRect();
      if (box.width && (box.right > right + 0.5 || box.left < left - 0.5))
        found.push([node.tagName, node.getAttribute("class"), box.right - right]);
      // What is inside is reached by scrolling there.
      if (["auto", "scroll", "hidden", "clip"].includes(style.overflowX)) continue;
      walk(node);
      if (node.shadowRoot) walk(node.shadowRoot);
    }
  };
  walk(column);
  return found;
}"""


def divided() -> tuple[WordStretches, ...]:
    scenario, runner = catalog.first("phrases"), ForwardPassRunner()
    trace = runner.trace(scenario)
    cell = resolve(trace, CellAddress(*CELL))
    found = stretches_of(scenario, trace, cell, span(cell.tensor, cell.index))
    return tuple(row for row in found if len(row.stretches) > 1)


def choose(page: Page, path: str, i: int, j: int) -> None:
    page.evaluate("(a) => window.tinkerformer.select(...a)", [path, i, j])
    wait_for_inspector(page)
    where = page.locator(".selected .path")
    expect(where).to_have_text(f"In code, all from 0: {path}[{i}, {j}]")


@pytest.fixture
def selected(whole: Page) -> Page:
    whole.set_viewport_size({"width": 1440, "height": 900})
    choose(whole, *CELL)
    whole.locator(".stretch").first.wait_for()
    return whole


def bands(page: Page) -> Locator:
    return page.locator(".bands .band")


def test_no_part_of_the_column_is_wider_than_it(whole: Page) -> None:
    for width in (1440, 1100):
        whole.set_viewport_size({"width": width, "height": 900})
        seen: set[str] = set()
        # Wait for the last matrix of each view, which shows that the view is drawn.
        for view, last in (("Picture", "output.probabilities"), ("Formulas", "output.logits")):
            open_view(whole, view)
            whole.wait_for_function("(p) => window.tinkerformer.paths().includes(p)", arg=last)
            for path in whole.evaluate("window.tinkerformer.paths()"):
                kind = re.sub(r"\.\d+\.", ".", path.replace("decoder", "encoder"))
                if kind in seen:
                    continue
                seen.add(kind)
                choose(whole, path, 0, 0)
                assert not whole.evaluate(TOO_WIDE), path
        assert {"source.positions", "encoder.self_attn.head.weights", "output.logits"} <= seen


def test_slider_and_curve_and_words_have_one_axis_and_name_the_borders(selected: Page) -> None:
    boxes = [
        each.bounding_box()
        for each in (slider(selected), selected.locator("svg.curve"), bands(selected).last)
    ]
    tops = [box["y"] for box in boxes if box]
    assert tops == sorted(tops)
    assert len(tops) == 3
    last = boxes[-1]
    assert last
    assert last["y"] + last["height"] <= 900
    assert selected.evaluate("document.querySelector('#right').scrollTop") == 0
    # The dot of the curve is above the thumb.
    track, dot = boxes[0], selected.locator(".curve-dot").bounding_box()
    first = bands(selected).first.bounding_box()
    low, high = (float(slider(selected).get_attribute(end) or 0) for end in ("min", "max"))
    share = (float(slider(selected).input_value()) - low) / (high - low)
    thumb = track["x"] + 11 + share * (track["width"] - 22)
    assert dot["x"] + dot["width"] / 2 == pytest.approx(thumb, abs=1)
    # The bands of words end where the slider ends.
    ends = [first["x"], first["x"] + first["width"]]
    assert ends == pytest.approx([track["x"] + 11, track["x"] + track["width"] - 11], abs=1)
    rows = {row.row: row for row in divided()}
    now = selected.evaluate("(a) => window.tinkerformer.value(...a)", list(CELL))
    focus = selected.get_by_label("where in the sentence", exact=True)
    first = int(focus.input_value())
    away = lambda row: min(abs(s.low - now) for s in rows[row].stretches[1:])  # noqa: E731
    order = sorted(rows, key=lambda row: (-1 if row == first else away(row), row))
    names = row_names(catalog.first("phrases"))
    expect(selected.locator(".band-name")).to_contain_text([f"{names[row]}: " for row in order])
    labels = bands(selected).evaluate_all("(all) => all.map((b) => b.getAttribute('aria-label'))")
    for row, label in zip(order, labels, strict=True):
        assert label.startswith(f"{names[row]}: ")
        for stretch in rows[row].stretches:
            assert f"{named(stretch.word)} from {plain(stretch.low)}" in label
    borders = {stretch.low for row in rows.values() for stretch in row.stretches[1:]}
    # The slider and the curve have the same borders.
    assert selected.locator(".curve-borders line").count() == len(borders)
    assert selected.locator(".notches span").count() == len(borders)
    selected.get_by_text(f"All {len(borders)} borders").click()
    expect(selected.locator(".borders button")).to_have_count(len(borders))


def named(word: str) -> str:
    return "stops" if word == "<eos>" else word


def plain(number: float) -> str:
    return f"{number:.3g}".replace("-", "−")


def test_the_curve_names_its_word_which_is_the_word_in_focus(whole: Page) -> None:
    """The page opens with *noir* in focus, and a click on a number of *black* keeps it."""
    click_cell(whole, *CELL)
    curve = whole.locator("svg.curve")
    expect(curve).to_have_attribute("aria-label", re.compile("Probability of noir after “le chat”"))
    expect(whole.get_by_label("probability of", exact=True).locator("option:checked")).to_have_text(
        "noir"
    )
    place = whole.get_by_label("where in the sentence", exact=True)
    expect(place.locator("option:checked")).to_have_text("after “le chat”")
    expect(whole.locator(".band-name").first).to_have_text("after “le chat”: noir")
    place.select_option("after “le tapis”")
    expect(whole.locator(".band-name").first).to_have_text("after “le tapis”: stops")


def test_pressing_a_border_makes_its_row_write_the_word_that_it_names(selected: Page) -> None:
    now = selected.evaluate("(a) => window.tinkerformer.value(...a)", list(CELL))
    above, row, word = min(
        (stretch.low, row.row, stretch.word)
        for row in divided()
        for stretch in row.stretches[1:]
        if stretch.low > now
    )
    button = selected.locator(".next-borders button").last
    name = row_names(catalog.first("phrases"))[row]
    expect(button).to_have_text(f"from {plain(above)} up: {word} {name}›")
    button.click()
    selected.wait_for_function(
        "([x, ...a]) => window.tinkerformer.value(...a) > x", arg=[above, *CELL]
    )
    selected.wait_for_function(
        "([row, word]) => window.tinkerformer.likeliest(row, 1)?.best[0]?.word === word",
        arg=[row, word],
    )
    selected.keyboard.press("Control+z")  # undoes it in one step
    selected.wait_for_function(
        "([x, ...a]) => Math.abs(window.tinkerformer.value(...a) - x) < 1e-6", arg=[now, *CELL]
    )


def test_the_inspector_can_ask_for_another_word_and_escape_closes_it(selected: Page) -> None:
    wish = selected.get_by_label("Make it write another word", exact=True)
    name = (
        selected.get_by_label("where in the sentence", exact=True)
        .locator("option:checked")
        .inner_text()
    )
    expect(wish.locator("option").first).to_have_text(f"Make it write another word {name} …")
    wish.select_option("blanc")
    line = selected.get_by_role("region", name="What is pulled")
    expect(line).to_contain_text("Make it write “blanc”")
    expect(line).to_contain_text(re.compile("can do it alone, moved by at most 4"))
    expect(wish.locator("option:checked")).to_have_text(f"Make it write another word {name} …")
    selected.locator(".selected .path").click()
    selected.locator("#right").get_by_role("slider").first.click()
    selected.keyboard.press("Escape")
    selected.wait_for_function("window.tinkerformer.selection() === null")


@pytest.mark.in_turn
def test_axe_finds_no_violation_in_the_inspector(selected: Page) -> None:
    assert not violations_light_and_dark(selected, {"include": [["#right"]]})


# Numbers that are large enough to be pressed in the whole picture.
NUMBERS_OF_THE_PICTURE = {
    1440: (
        ("source.embedding", 1, 3),
        ("encoder.0.feed_forward.W_1", 2, 5),
        ("output.probabilities", 0, 8),  # the bars cover later rows
    ),
    1100: (("source.embedding", 1, 3), ("decoder.0.feed_forward.norm", 2, 7)),
}


def test_a_number_stays_under_the_pointer_when_the_inspector_opens_and_closes(whole: Page) -> None:
    for width, cells in NUMBERS_OF_THE_PICTURE.items():
        whole.set_viewport_size({"width": width, "height": 900})
        for cell in cells:
            before = at_rest(whole, "window.tinkerformer.rect(...a)", *cell)
            assert whole.evaluate("window.tinkerformer.look().isAll")
            assert whole.evaluate("!document.querySelector('#right').offsetWidth")
            click_cell(whole, *cell)
            beside = whole.evaluate("innerWidth - document.querySelector('#right').offsetWidth")
            assert beside < width
            after = at_rest(whole, "window.tinkerformer.rect(...a)", *cell)
            assert after == pytest.approx(before, abs=0.5), cell
            assert after["x"] + after["width"] < beside
            whole.keyboard.press("Escape")
            whole.locator("#right").wait_for(state="hidden")
            again = at_rest(whole, "window.tinkerformer.rect(...a)", *cell)
            assert again == pytest.approx(before, abs=0.5), cell
            assert whole.evaluate("window.tinkerformer.look().isAll")


def test_at_1440_pixels_the_whole_picture_fits_beside_the_inspector(whole: Page) -> None:
    whole.set_viewport_size({"width": 1440, "height": 900})
    click_cell(whole, "source.embedding", 1, 3)
    words = whole.locator(".labels .written:visible")
    assert words.count() > 4
    right = max(each.bounding_box()["x"] + each.bounding_box()["width"] for each in words.all())
    assert right < whole.locator("#right").bounding_box()["x"]
    before = at_rest(whole, "window.tinkerformer.rect(...a)", "source.embedding", 1, 3)
    whole.get_by_role("button", name="All of it (0)").click()  # it fits already
    after = at_rest(whole, "window.tinkerformer.rect(...a)", "source.embedding", 1, 3)
    assert after == pytest.approx(before, abs=0.5)


@pytest.mark.parametrize("way", ["mouse", "key"])
def test_the_inspector_offers_the_way_back_to_the_suggestions(whole: Page, way: str) -> None:
    tries = whole.get_by_role("region", name="Things to try")
    click_cell(whole, "source.embedding", 1, 2)
    inspector = whole.get_by_role("complementary", name="Inspector")
    back = inspector.get_by_role("button", name="Things to try")
    expect(back).to_be_in_viewport()
    expect(tries).to_be_hidden()
    if way == "mouse":
        back.click()
    else:
        back.press("Enter")
    expect(inspector).to_be_hidden()
    expect(tries.get_by_role("button", name="Replace “black” by “white”")).to_be_focused()
    assert whole.evaluate("window.tinkerformer.selection()") is None


def test_a_number_has_its_exact_value_and_states_if_no_word_changes(whole: Page) -> None:
    whole.evaluate("window.tinkerformer.select('source.W_e', 4, 2)")
    exact = whole.get_by_role("textbox", name="exact value")
    expect(exact).to_be_visible()
    slider = whole.locator(".slider-box").bounding_box()
    assert exact.bounding_box()["y"] - (slider["y"] + slider["height"]) < 40
    # Links are last, because they leave the page.
    links = whole.locator(".ideas")
    assert links.bounding_box()["y"] > whole.locator(".curve-line").bounding_box()["y"]
    choose(whole, "source.W_e", 4, 3)
    whole.locator(".curve-dot").wait_for()
    bar = whole.locator(".next-bars .number").first  # of the row in the picture
    expect(whole.locator(".small.reading")).to_contain_text(f"p = 0{bar.inner_text()}")
    choose(whole, "encoder.0.self_attn.head.0.weights", 0, 1)
    expect(whole.locator(".band-note")).to_have_text("From 0 to 1 no word changes.")
    expect(bands(whole)).to_have_count(0)
