import re

import pytest
from playwright.sync_api import Locator, Page, expect
from tinkerformer.files import catalog
from tinkerformer.model.scenario.silences import MEAN, Silence
from tinkerformer.session.link import encode
from tinkerformer.session.session_json import SavedSession
from tinkerformer.view_model.page_location import PageLocation

from tests.browser.conftest import open_first_page
from tests.browser.student import at_rest, open_view, show_all_numbers, type_token, until
from tests.browser.test_whole import look
from tests.browser.test_widths import OVER

# The faults of the visible labels. Across, each matrix must be where it is in the whole picture; if
# an edge of the view cuts a matrix, its label is above the visible part.
FAULTS = """async ([layer, units]) => {
  const frame = () => new Promise(requestAnimationFrame);
  await frame();
  await frame();
  const view = layer.getBoundingClientRect(), {x, zoom} = window.tinkerformer.look();
  const to = (u) => (u - x) * zoom + view.width / 2;
  const gutter = layer.querySelector(".gutter");
  const start = gutter.hidden ? 0 : gutter.getBoundingClientRect().width;
  const faults = [], near = 2.5;
  if (layer.scrollLeft || layer.scrollTop) faults.push(["scrolled", layer.scrollLeft]);
  for (const el of layer.querySelectorAll(".label, .word")) {
    if (!el.checkVisibility({opacityProperty: true})) continue;
    const box = el.getBoundingClientRect(), name = el.ariaLabel ?? el.textContent;
    const [left, right] = [box.left - view.left, box.right - view.left];
    if (right < 0 || left > view.width || box.bottom < view.top || box.top > view.bottom) continue;
    if (el.matches(".word")) {
      const first = to(units["source.embedding"][0]);
      if (box.width < 12 || left < 0) faults.push([name, "narrow or cut", left, box.width]);
      if (right > first + 1 && !el.matches(".sticks")) faults.push([name, right, first]);
      continue;
    }
    if (!units[el.dataset.path]) continue;
    const [a, b] = units[el.dataset.path].map(to), middle = (left + right) / 2;
    const isWhole = a >= start && b <= view.width;
    const isAt = isWhole ? Math.abs(middle - (a + b) / 2) < near
      : middle > Math.max(a, 0) - near && middle < Math.min(b, view.width) + near
        || right - left > Math.min(b, view.width) - Math.max(a, start);
    if (!isAt) faults.push([name, el.dataset.path, middle, a, b]);
  }
  const at = layer.querySelector(":focus")?.getBoundingClientRect();
  const isIn = !at || at.left >= view.left - 1 && at.right <= view.right + 1
    && at.top >= view.top - 1 && at.bottom <= view.bottom + 1;
  if (!isIn) faults.push(["what has the focus is out of sight"]);
  return faults;
}"""

# A label's text and its index, because equal words are at several places.
NAME = "el => el.ariaLabel + [...el.parentNode.children].indexOf(el)"

# The label of heads that are side by side covers all of them, and has the path of the first.
UNITS = """() => {
  const t = window.tinkerformer, units = {};
  for (const path of t.paths()) {
    const {cols} = t.matrix(path);
    const a = t.rect(path, 0, 0), b = t.rect(path, 0, cols - 1);
    if (!t.look().isAll) {
      t.near(null); // its cells are so small that one is led near
      continue;
    }
    const first = path.replace(/[.]head[.][0-9]+[.]W_/, ".head.0.W_");
    const [left, right] = units[first] ?? [a.x, b.x + b.width];
    units[first] = [Math.min(left, a.x), Math.max(right, b.x + b.width)];
  }
  return units;
}"""


def places(page: Page) -> dict[str, list[float]]:
    """Return the ends of each matrix across, in units of the picture, which must be shown whole."""
    at = look(page)
    assert at["isAll"]
    box = page.locator(".whole").bounding_box()
    middle = box["x"] + box["width"] / 2
    found = page.evaluate(UNITS)
    return {p: [at["x"] + (x - middle) / at["zoom"] for x in ends] for p, ends in found.items()}


def check(page: Page, units: dict[str, list[float]]) -> None:
    layer = page.locator(".labels").element_handle()
    assert page.evaluate(FAULTS, [layer, units]) == []


def zoom_to(page: Page, factor: float) -> None:
    """Zoom in by the keyboard, from the whole picture to ``factor`` times its zoom."""
    page.locator(".picture").focus()
    page.keyboard.press("0")
    page.wait_for_function("window.tinkerformer.look().isAll")
    whole = page.evaluate("window.tinkerformer.look().zoom")
    while page.evaluate("window.tinkerformer.look().zoom") < factor * whole:
        page.keyboard.press("+")


@pytest.mark.parametrize("view", ["How it writes", "Measure", "Lessons", "Formulas"])
def test_after_a_change_in_another_view_labels_are_at_their_matrices(
    still: Page, view: str
) -> None:
    open_view(still, view)
    type_token(still, "black", "white")
    still.wait_for_function("tinkerformer.scenario().source?.[1] === 'white'")
    open_view(still, "Picture")
    close = still.get_by_role("button", name="Close the drawer")
    if close.is_visible():  # the drawer takes space from the picture
        close.click()
    expect(still.locator(".word", has_text="white")).to_be_visible()
    units = places(still)
    for factor in (1, 3, 1):
        zoom_to(still, factor)
        check(still, units)


@pytest.mark.parametrize("factor", [1, 2, 6])
def test_keys_reach_every_label_and_the_camera_moves_to_it(still: Page, factor: float) -> None:
    units = places(still)
    zoom_to(still, factor)
    still.locator(".picture").focus()
    reached = set()
    for arrow in ("ArrowDown", "ArrowRight", "ArrowDown"):  # words, titles, words again
        still.keyboard.press("Tab")
        assert still.locator(".labels :focus").count()
        still.keyboard.press("Home")
        for _ in range(40):
            now = still.locator(".labels :focus").evaluate(NAME)
            if now in reached:
                break  # after the last label
            reached.add(now)
            check(still, units)
            still.keyboard.press(arrow)
    still.keyboard.press("Tab")
    assert not still.locator(".labels :focus").count()
    titles_and_words = still.locator(".labels").locator("button").filter(visible=True).count()
    assert len(reached) >= titles_and_words > 20


# Words of rows that cannot be read: hidden, cut, or over another word. The box of a line is higher
# than its letters.
UNREAD = """layer => {
  const view = layer.getBoundingClientRect(), faults = [];
  const words = [...layer.querySelectorAll(".word, .written")].map((el) => {
    const {left, right, top, bottom} = el.getBoundingClientRect(), trim = (bottom - top) * 0.2;
    return {el, left, right, top: top + trim, bottom: bottom - trim};
  });
  for (const a of words) {
    if (!a.el.checkVisibility({opacityProperty: true})) faults.push([a.el.textContent, "hidden"]);
    if (a.left < view.left || a.right > view.right) faults.push([a.el.textContent, "cut"]);
    for (const b of words)
      if (a !== b && Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
          && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1)
        faults.push([a.el.textContent, b.el.textContent]);
  }
  return words.length ? faults : ["no words"];
}"""


# For each stack, the distance of its rows, and the spread of the aligned ends of its words: the
# right ends of the words read, and the left ends of the words written.
COLUMNS = """layer => [[".word", "right"], [".written", "left"]].flatMap(([which, side]) => {
  const stacks = Map.groupBy(layer.querySelectorAll(which), (el) => el.dataset.stack);
  return [...stacks.values()].map((words) => {
    const boxes = words.map((el) => el.getBoundingClientRect());
    const middles = boxes.map(({top, bottom}) => (top + bottom) / 2);
    const ends = boxes.map((box) => box[side]);
    const apart = (middles.at(-1) - middles[0]) / (middles.length - 1);
    return {which, apart, across: Math.max(...ends) - Math.min(...ends)};
  });
})"""
WEIGHTS = "decoder.0.feed_forward.W_1"


def low(page: Page, view: str, width: int = 1440, height: int = 900) -> Locator:
    """Return the labels of the picture in a view that leaves it little height."""
    page.set_viewport_size({"width": width, "height": height})
    open_view(page, view)
    page.locator(".labels").wait_for()
    page.wait_for_function("document.readyState === 'complete'")
    at_rest(page, "window.tinkerformer.rect(...a)", "source.embedding", 0, 0, frames=20)
    return page.locator(".labels")


@pytest.mark.parametrize(
    ("view", "width", "height", "least"),
    [
        ("How it writes", 1440, 900, 14),
        ("Measure", 1440, 900, 14),
        ("How it writes", 1024, 768, 11),
        ("Train", 1440, 900, 11),
        ("Train", 1024, 768, 10),
    ],
)
def test_in_a_low_picture_rows_are_high_and_all_words_are_in_one_column(
    still: Page, view: str, width: int, height: int, least: int
) -> None:
    labels = low(still, view, width, height)
    assert labels.evaluate(UNREAD) == []
    columns = labels.evaluate(COLUMNS)
    assert [column["which"] for column in columns] == [".word", ".word", ".written"]
    for column in columns:
        assert column["apart"] >= least, column
        assert column["across"] < 10, column  # longer words have smaller letters


def test_labels_omitted_in_a_low_picture_appear_when_zoomed_in_or_selected(
    still: Page,
) -> None:
    labels = low(still, "How it writes")
    symbols = labels.locator(f"[data-path='{WEIGHTS}']")
    expect(symbols).to_be_hidden()
    zoom_to(still, 1.4)
    still.evaluate("window.tinkerformer.near('decoder.0.feed_forward')")
    expect(symbols).to_be_visible()
    still.evaluate("window.tinkerformer.near(null)")
    expect(symbols).to_be_hidden()
    still.evaluate("a => window.tinkerformer.rect(...a)", [WEIGHTS, 0, 0])
    expect(symbols).to_be_visible()
    still.evaluate("window.tinkerformer.near(null)")
    still.evaluate("a => window.tinkerformer.select(...a)", [WEIGHTS, 0, 0])
    expect(symbols).to_be_visible()
    assert still.evaluate("window.tinkerformer.look().isAll")
    expect(symbols).to_be_in_viewport()


def test_a_high_picture_of_all_numbers_omits_only_formulas(still: Page) -> None:
    still.set_viewport_size({"width": 1440, "height": 900})
    symbol = still.locator(f".labels [data-path='{WEIGHTS}']")
    show_all_numbers(still)
    expect(symbol).to_be_visible()
    open_view(still, "Measure")
    expect(symbol).to_be_hidden()
    still.get_by_role("button", name="Close the drawer").click()
    expect(symbol).to_be_visible()


# The sizes of the letters of each visible label in CSS px, by kind.
SIZES = """(layer) => {
  const found = {};
  for (const el of layer.querySelectorAll(".label, .word, .written")) {
    if (!el.checkVisibility({opacityProperty: true}) || !el.textContent.trim()) continue;
    const scale = new DOMMatrix(getComputedStyle(el).transform).a;
    const kind = [...el.classList].find((c) => c !== "label");
    const size = scale * parseFloat(getComputedStyle(el).fontSize);
    found[kind] = Math.min(found[kind] ?? 99, Math.round(10 * size) / 10);
  }
  return found;
}"""


@pytest.mark.parametrize("width", [1440, 1200, 1024, 768, 420])
def test_labels_are_apart_and_whole_and_at_least_11_px_at_any_zoom(still: Page, width: int) -> None:
    still.set_viewport_size({"width": width, "height": 860})
    still.wait_for_function("w => innerWidth === w && window.tinkerformer.look().isAll", arg=width)
    expect(still.locator(".labels .title", has_text="cross-att")).to_be_visible()
    picture = still.locator(".picture")
    for _ in range(8):
        assert at_rest(still, f"({OVER})()") == [], look(still)
        picture.focus()
        still.keyboard.press("+")
        still.keyboard.press("+")


# The visible share of the lens words in each of four columns, in order.
SHOWN_OF_COLUMNS = """(lens) => {
  const all = [...lens.children], rows = all.length / 4;
  return [0, 1, 2, 3].map((k) =>
    all.slice(k * rows, (k + 1) * rows).filter((el) => !el.hidden).length / rows);
}"""


@pytest.mark.parametrize("width", [1440, 1024, 420])
def test_badges_and_words_of_the_lens_are_whole_and_cover_no_label(
    new_context, server: str, width: int
) -> None:
    head = Silence("encoder.0.self_attn.head.0.context", to=MEAN)
    phrases = catalog.first("phrases")
    silent = phrases.with_silence(head).with_silence(Silence("decoder.0.feed_forward.activation"))
    code = encode(SavedSession(silent, place=PageLocation()._replace(lens=True)))
    page = open_first_page(
        new_context(viewport={"width": width, "height": 860}), f"{server}#s={code}"
    )
    expect(page.locator(".whole .silence-badge")).to_have_count(2)
    page.wait_for_function("n => allOf('.lens-word').some((el) => el.textContent)")
    assert at_rest(page, f"({OVER})()") == []
    lines = page.locator(".labels .label.words")
    assert lines.filter(visible=True).count() in (0, lines.count())
    columns = page.locator(".lens-words").evaluate(SHOWN_OF_COLUMNS)
    assert len(columns) == 4
    assert set(columns) <= {0, 1}


# The places of the labels that move with the picture.
FREE = """() => Object.fromEntries(
  allOf(".labels .label:not(.pinned, .covered)").filter((el) => el.checkVisibility())
    .map((el) => [el.dataset.path + el.textContent + [...el.parentNode.children].indexOf(el),
      [el.getBoundingClientRect().x, el.getBoundingClientRect().y]]))"""


def test_labels_move_with_the_picture_and_do_not_jump(still: Page) -> None:
    zoom_to(still, 2)
    box = still.locator(".whole").bounding_box()
    at = [box["x"] + box["width"] / 2, box["y"] + box["height"] - 12]
    still.mouse.move(*at)
    still.mouse.down()
    before = at_rest(still, f"({FREE})()")
    moved = 0
    for _ in range(30):
        at = [at[0] - 5, at[1] - 3]
        camera = look(still)
        still.mouse.move(*at)
        now = at_rest(still, f"({FREE})()", frames=1)
        by = (camera["x"] - look(still)["x"]) * camera["zoom"]
        same = before.keys() & now.keys()
        # Above a matrix that an edge cuts, the label stays visible.
        low, high = min(by, 0) - 2, max(by, 0) + 2
        assert [k for k in same if not low <= now[k][0] - before[k][0] <= high] == []
        moved += len(same)
        before = now
    still.mouse.up()
    assert moved > 100


def test_the_first_view_is_large_enough_to_be_read(still: Page) -> None:
    labels = still.locator(".labels")

    def is_readable() -> bool:
        return all(size >= 13 for size in labels.evaluate(SIZES).values())

    for width in (1440, 1920):
        still.set_viewport_size({"width": width, "height": round(width / 1.6)})
        is_whole = "w => innerWidth === w && window.tinkerformer.look().isAll"
        still.wait_for_function(is_whole, arg=width)
        until(still, is_readable)
        cell = still.evaluate("window.tinkerformer.rect('source.sum', 1, 1)")
        assert cell["height"] >= 24
        assert cell["width"] >= 5.5
        caption = still.locator(".picture-caption strong").last
        assert caption.evaluate("el => parseFloat(getComputedStyle(el).fontSize)") >= 20


def test_the_first_view_uses_words_and_has_the_weights_of_a_part_in_one_row(still: Page) -> None:
    heads = still.locator(".labels .label.strip")
    expect(heads.filter(has_text=re.compile("^word$"))).to_have_count(2)
    expect(heads.filter(has_text=re.compile("^position$"))).to_have_count(2)
    tops = still.evaluate(
        """() => ["encoder.0.self_attn.head.0.W_q", "encoder.0.self_attn.head.1.W_q",
          "encoder.0.self_attn.head.1.W_v", "encoder.0.self_attn.W_o"].map(
          (path) => Math.round(window.tinkerformer.rect(path, 0, 0).y))"""
    )
    assert max(tops) - min(tops) <= 1
    assert still.evaluate("window.tinkerformer.look().isAll")


def test_links_of_an_unfolded_part_have_words_at_both_ends(still: Page) -> None:
    words = still.locator(".link-words span")
    expect(words).to_have_count(0)
    still.get_by_role("button", name="self-attention, part of the encoder", exact=True).click()
    source = ["the", "black", "cat", "sat", "on", "the", "mat"]
    expect(words).to_have_text([*source, *source])
    rows = still.locator(".labels .word").all()[:7]
    for at, word in enumerate(words.all()):
        box, row = word.bounding_box(), rows[at % 7].bounding_box()
        assert box["y"] + box["height"] / 2 == pytest.approx(row["y"] + row["height"] / 2, abs=2)
    left, right = words.first.bounding_box(), words.last.bounding_box()
    assert right["x"] - left["x"] > 120
    still.get_by_role("button", name="All of it (0)").click()
    still.wait_for_function("window.tinkerformer.look().isAll")
    expect(words.filter(visible=True)).not_to_have_count(0)
