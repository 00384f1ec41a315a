from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import open_first_page
from tests.browser.student import at_rest

SIZES = [(1440, 900), (1280, 800), (1024, 800), (768, 1024), (420, 860), (390, 844)]

# Elements that the hint covers, or that the line to its number crosses. Letters leave a fifth of a
# line's height free, and a control has 5 px beside its letters.
FAULTS = """(whole) => {
  const t = window.tinkerformer, faults = [];
  const boxOf = (el) => el.getBoundingClientRect();
  const view = boxOf(whole), ring = boxOf(whole.querySelector(".hinted"));
  const hint = boxOf(whole.querySelector(".drag-hint"));
  const isOver = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  if (hint.left < view.left || hint.right > view.right || hint.top < view.top
    || hint.bottom > view.bottom) faults.push("the hint is cut");
  const line = whole.querySelector(".way polyline");
  const points = [...line.points].map(({x, y}) => ({x: x + view.left, y: y + view.top}));
  const drawn = [];
  for (const path of t.paths()) {
    if (path.endsWith("weights")) continue; // ribbons: to their cells one is led near
    if (/[.](W_|b_|gamma|beta|loss|token_loss)/.test(path)) continue; // not there from afar
    const {rows, cols} = t.matrix(path);
    t.rect(path, 0, 0);
    if (!t.look().isAll) {
      t.near(null); // its cells are so small that one is led near
      continue;
    }
    for (let i = 0; i < rows; i++) {
      const a = t.rect(path, i, 0), b = t.rect(path, i, cols - 1);
      drawn.push([path, {left: a.x, right: b.x + b.width, top: a.y, bottom: b.y + b.height}]);
    }
  }
  for (const el of whole.querySelectorAll(".labels :is(.label, .word, .written), .ribbon-end")) {
    if (!el.checkVisibility({opacityProperty: true}) || !el.textContent.trim()) continue;
    const {left, right, top, bottom, width, height} = boxOf(el);
    const aside = el.matches("button") ? 5 * width / el.offsetWidth : 0;
    const own = {left: left + aside, right: right - aside};
    drawn.push([el.textContent, {...own, top: top + height / 5, bottom: bottom - height / 5}]);
  }
  for (const [name, box] of drawn) if (isOver(hint, box)) faults.push(["covered", name]);
  const [first, last] = [points[0], points.at(-1)];
  const middle = {x: ring.left + ring.width / 2, y: ring.top + ring.height / 2};
  const away = Math.hypot(first.x - middle.x, first.y - middle.y) - ring.width / 2;
  if (Math.abs(away) > 1.5) faults.push(["the line ends beside the ring", away]);
  const isAt = last.x >= hint.left - 1 && last.x <= hint.right + 1
    && last.y >= hint.top - 1 && last.y <= hint.bottom + 1;
  if (!isAt) faults.push("the line ends beside the hint");
  const crossed = new Set();
  let long = 0;
  points.slice(1).forEach((b, k) => {
    const a = points[k], size = Math.hypot(b.x - a.x, b.y - a.y);
    long += size;
    for (let s = 0; s <= size; s++) {
      const x = a.x + (b.x - a.x) * s / size, y = a.y + (b.y - a.y) * s / size;
      for (const [name, box] of drawn) {
        // A pixel of an edge may be on either side.
        const isIn = x > box.left + 1 && x < box.right - 1 && y > box.top + 1.5
          && y < box.bottom - 1.5;
        if (isIn) crossed.add(name);
      }
    }
  });
  for (const name of crossed) faults.push(["crossed", name]);
  if (long > 260) faults.push(["far away", long]);
  // The ring covers no word.
  for (const el of whole.querySelectorAll(".labels .word")) {
    const {right, width, top, bottom} = boxOf(el);
    const end = right - 5 * width / el.offsetWidth;
    const isBeside = top < middle.y && bottom > middle.y;
    if (isBeside && ring.left < end - 0.5) faults.push(["under the ring", el.textContent]);
  }
  if (!t.look().isAll) faults.push("the camera moved");
  return faults;
}"""


def check(page: Page) -> None:
    expect(page.get_by_role("note").filter(has_text="Drag me")).to_be_visible()
    at_rest(page, "window.tinkerformer.rect(...a)", "source.embedding", 0, 0, frames=20)
    assert at_rest(page, f"({FAULTS})(a[0])", page.locator(".whole").element_handle()) == []


def context_of(width: int, height: int) -> dict[str, Any]:
    phone = {"has_touch": True, "is_mobile": True} if width < 600 else {}
    # With reduced motion the camera jumps to its goal.
    still = {"reduced_motion": "reduce"}
    return {"viewport": {"width": width, "height": height}, **phone, **still}


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_hint_covers_nothing_and_its_line_ends_at_its_number(
    new_context, server: str, width: int, height: int
) -> None:
    check(open_first_page(new_context(**context_of(width, height)), server))


def test_the_hint_moves_when_the_size_of_the_window_changes(new_context, server: str) -> None:
    page = open_first_page(new_context(**context_of(1440, 900)), server)
    for width, height in ((1024, 800), (1920, 1080), (1024, 800)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function("w => innerWidth === w", arg=width)
        check(page)


# Returns what the words beside a dragged number cover: rows of numbers, or the caption.
COVERED = """(whole) => {
  const t = window.tinkerformer, tip = allOf(".scrub")[0].getBoundingClientRect();
  const caption = whole.querySelector(".picture-caption").getBoundingClientRect();
  const isOver = (a) => Math.min(tip.right, a.right) - Math.max(tip.left, a.left) > 1
    && Math.min(tip.bottom, a.bottom) - Math.max(tip.top, a.top) > 1;
  const names = t.paths().filter((path) => {
    if (/weights$|[.](W_|b_|gamma|beta|loss|token_loss)/.test(path)) return false;
    const {rows, cols} = t.matrix(path);
    const a = t.rect(path, 0, 0), b = t.rect(path, rows - 1, cols - 1);
    return isOver({left: a.x, right: b.x + b.width, top: a.y, bottom: b.y + b.height});
  });
  return [...names, ...isOver(caption) ? ["the caption"] : []];
}"""


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1024, 768)])
@pytest.mark.parametrize("path", ["source.embedding", "encoder.0.self_attn.norm"])
def test_the_words_beside_a_dragged_number_cover_no_row_and_no_sentence(
    new_context, server: str, width: int, height: int, path: str
) -> None:
    page = open_first_page(new_context(**context_of(width, height)), server)
    at = page.evaluate("a => window.tinkerformer.rect(...a)", [path, 1, 2])
    x, y = at["x"] + at["width"] / 2, at["y"] + at["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    for right, down in ((40, 0), (80, 0), (120, 60), (160, 90)):
        page.mouse.move(x + right, y + down, steps=4)
        page.locator(".scrub strong").wait_for()
        assert page.locator(".whole").evaluate(COVERED) == []
    page.mouse.move(x + 130, y, steps=4)
    expect(page.locator(".last-change")).to_contain_text("On release, it writes: ")
    assert page.locator(".whole").evaluate(COVERED) == []
    assert page.locator(".tip").is_hidden()
    page.mouse.up()
    expect(page.locator(".scrub")).to_have_count(0)
