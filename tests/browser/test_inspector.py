"""The inspector: all of it within its column, the curve under the slider, where words change."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect
from tinkerformer.explain.word_borders import WordStretches
from tinkerformer.explain.written_at import stretches_of
from tinkerformer.files import catalog
from tinkerformer.inference.forward_pass import ForwardPassRunner
from tinkerformer.matrices.address import CellAddress
from tinkerformer.matrices.resolved_cell import resolve
from tinkerformer.matrices.scale import span

from tests.browser.student import open_view, slider, violations_light_and_dark, wait_for_inspector

CELL = ("source.embedding", 1, 2)  # of “black”

# What is wider than the column: its parts by class, with the CSS px that they run over.
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
    cell = resolve(runner.trace(scenario), CellAddress(*CELL))
    return stretches_of(scenario, runner.aside(), cell, span(cell.tensor, cell.index))


def choose(page: Page, path: str, i: int, j: int) -> None:
    page.evaluate("(a) => window.tinkerformer.select(...a)", [path, i, j])
    wait_for_inspector(page)
    where = page.locator(".selected .path")
    expect(where).to_have_text(f"{path}[{i}, {j}]")


@pytest.fixture
def selected(whole: Page) -> Page:
    whole.set_viewport_size({"width": 1440, "height": 900})
    choose(whole, *CELL)
    whole.locator(".stretch").first.wait_for()
    return whole


def bands(page: Page) -> Locator:
    return page.locator(".bands .band")


@pytest.mark.parametrize("width", [1440, 1024])
def test_nothing_in_the_column_is_wider_than_it(whole: Page, width: int) -> None:
    whole.set_viewport_size({"width": width, "height": 900})
    seen: set[str] = set()
    # The last matrix of each view says that it is drawn.
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


def test_slider_words_and_curve_are_in_sight_one_under_the_other(selected: Page) -> None:
    boxes = [
        each.bounding_box()
        for each in (slider(selected), bands(selected).first, selected.locator("svg.curve"))
    ]
    tops = [box["y"] for box in boxes if box]
    assert tops == sorted(tops)
    assert len(tops) == 3
    last = boxes[-1]
    assert last
    assert last["y"] + last["height"] <= 900
    assert selected.evaluate("document.querySelector('#right').scrollTop") == 0
    # They have one axis: the dot of the curve is under the thumb.
    track, dot = boxes[0], selected.locator(".curve-dot").bounding_box()
    assert track
    assert dot
    low, high = (float(slider(selected).get_attribute(end) or 0) for end in ("min", "max"))
    share = (float(slider(selected).input_value()) - low) / (high - low)
    thumb = track["x"] + 11 + share * (track["width"] - 22)
    assert dot["x"] + dot["width"] / 2 == pytest.approx(thumb, abs=1)


def test_the_bands_name_the_words_and_their_borders(selected: Page) -> None:
    rows = divided()
    first = rows[0]
    label = bands(selected).first.get_attribute("aria-label") or ""
    assert label.startswith(f"word {first.row + 1}: ")
    for stretch in first.stretches:
        assert f"{stretch.word or 'nothing'} from {stretch.low:.3g}".replace("-", "−") in label
    borders = {stretch.low for row in rows for stretch in row.stretches[1:]}
    assert selected.locator(".notches span").count() == len(borders)
    selected.get_by_text(f"All {len(borders)} borders").click()
    expect(selected.locator(".borders button")).to_have_count(len(borders))
    now = selected.evaluate("(a) => window.tinkerformer.value(...a)", list(CELL))
    above = min(border for border in borders if border > now)
    button = selected.locator(".next-borders button").last
    expect(button).to_contain_text(f"at {above:.3g}".replace("-", "−"))
    # Just past it, the model writes the other word.
    said = (button.text_content() or "").partition(" → ")[2]
    button.click()
    selected.wait_for_function(
        "([x, ...a]) => window.tinkerformer.value(...a) > x", arg=[above, *CELL]
    )
    expect(selected.locator(".crossing")).to_contain_text(f"at {above:.3g}".replace("-", "−"))
    row = next(r for r in rows if any(stretch.low == above for stretch in r.stretches))
    word = next(stretch.word for stretch in row.stretches if stretch.low == above)
    assert said.startswith(word)
    selected.wait_for_function(
        "([row, word]) => window.tinkerformer.likeliest(row, 1)?.best[0].word === word",
        arg=[row.row, word or "<eos>"],
    )


def test_a_swing_says_which_word_changed_and_where(selected: Page) -> None:
    selected.get_by_role("button", name="Oscillate").click()
    said = selected.locator(".crossing")
    expect(said).to_contain_text(re.compile(r"\S+ → \S+.* at −?[\d.]+"))
    borders = {f"{s.low:.3g}".replace("-", "−") for row in divided() for s in row.stretches[1:]}
    assert (said.text_content() or "").rpartition(" at ")[2] in borders
    selected.get_by_role("button", name="Stop", exact=True).click()


def test_a_number_that_changes_no_word_says_so(whole: Page) -> None:
    choose(whole, "output.probabilities", 2, 1)
    expect(whole.locator(".band-note")).to_have_text("From 0 to 1 no word changes.")
    expect(bands(whole)).to_have_count(0)


def test_axe_finds_nothing_in_it(selected: Page) -> None:
    assert not violations_light_and_dark(selected, {"include": [["#right"]]})
