import re

import numpy as np
import pytest
from playwright.sync_api import Page, expect
from tinkerformer.explain.opening_row import opening_number
from tinkerformer.files import catalog
from tinkerformer.model.inference.forward_pass import ForwardPassRunner

from tests.browser.student import (
    at_rest,
    close_menu,
    computed,
    open_menu,
    open_settings,
    open_view,
    until,
)
from tests.browser.test_whole import look, painted

FIRST = catalog.first("phrases")
X = "source.sum"
OTHER = "target.sum"
NORM = "encoder.0.self_attn.norm"
PAPER = np.array([252, 252, 250])
FAINT = 0.32


def box(page: Page, path: str, i: int, j: int) -> dict:
    return at_rest(page, "window.tinkerformer.rect(...a)", path, i, j)


def colors(page: Page, path: str, cells: list[tuple[int, int]]) -> np.ndarray:
    return np.array([painted(page, box(page, path, *cell))[:3] for cell in cells], float)


def middle(page: Page, path: str, i: int, j: int) -> tuple[float, float]:
    at = box(page, path, i, j)
    return at["x"] + at["width"] / 2, at["y"] + at["height"] / 2


# Records the colors of cells, given their boxes, in every display frame.
RECORD = """(canvas, boxes) => {
  const frames = (window.recorded = []), pen = canvas.getContext("2d");
  const record = () => {
    const at = canvas.getBoundingClientRect(), k = devicePixelRatio;
    const color = (b) =>
      pen.getImageData((b.x + b.width / 2 - at.x) * k, (b.y + b.height / 2 - at.y) * k, 1, 1).data;
    frames.push(boxes.map((b) => [...color(b)].slice(0, 3)));
    requestAnimationFrame(record);
  };
  record();
}"""

# Returns whether the tab stores a selection and no followed word.
KEPT = """() => {
  const { selection, place } = JSON.parse(sessionStorage["tinkerformer-visit"] ?? "{}");
  return selection && !place?.followed;
}"""


@pytest.fixture
def even(whole: Page) -> Page:
    """Open the picture without a focus."""
    whole.locator(".picture").focus()
    whole.keyboard.press("Escape")
    whole.wait_for_function("!window.tinkerformer.look().following")
    return whole


def test_the_page_opens_with_its_most_telling_word_in_focus(whole: Page) -> None:
    written = FIRST.target.index("noir")
    following = whole.evaluate("window.tinkerformer.look().following")
    assert following == {"stack": "decoder", "index": written - 1}
    expect(whole.locator(".written.strong")).to_have_text(["noir"])
    strong = whole.locator(".word.strong").all_text_contents()
    assert {"black", "chat"} <= set(strong)
    assert "mat" not in strong
    whole.mouse.click(*middle(whole, NORM, 1, 2))
    whole.wait_for_function("!window.tinkerformer.look().following")
    whole.wait_for_function(KEPT)
    whole.reload()
    whole.wait_for_function("window.tinkerformer?.ready")
    assert not whole.evaluate("window.tinkerformer.look().following"), "it was let go of"


def test_changed_rows_stand_out_for_a_moment_and_then_fade(even: Page) -> None:
    cells = [(1, 4), (3, 4)]
    before = colors(even, X, cells)
    faint = FAINT * before[1] + (1 - FAINT) * PAPER
    even.locator(".picture canvas").evaluate(RECORD, [box(even, X, *cell) for cell in cells])
    even.evaluate("window.tinkerformer.set('source.W_e', 4, 0, 2)")

    def frames() -> np.ndarray:
        return np.array(even.evaluate("window.recorded"), float)

    def shows_change(frame: np.ndarray) -> bool:
        """Return whether the changed row stands out from the other row."""
        own, other = frame
        return own == pytest.approx(before[0], abs=2) and other == pytest.approx(faint, abs=8)

    until(even, lambda: any(map(shows_change, frames())))
    until(even, lambda: frames()[-1] == pytest.approx(before, abs=2))


def test_during_an_oscillation_cells_that_do_not_change_are_faint(even: Page) -> None:
    before = colors(even, OTHER, [(1, 4)])
    even.get_by_role("button", name=re.compile("oscillate$")).click()
    even.wait_for_function("window.tinkerformer.oscillating()")
    faint = FAINT * before + (1 - FAINT) * PAPER
    # The inspector has opened, so cells are smaller and their edges have other colors.
    assert colors(even, OTHER, [(1, 4)]) == pytest.approx(faint, abs=12)
    even.evaluate("window.tinkerformer.oscillate(false)")


def test_sources_and_effects_of_a_selected_number_stand_out(even: Page) -> None:
    before = colors(even, X, [(2, 4), (5, 4)])
    x, y = middle(even, X, 2, 1)
    even.mouse.click(x, y)
    even.wait_for_function("window.tinkerformer.selection()?.path === 'source.sum'")
    own, other = colors(even, X, [(2, 4), (5, 4)])
    assert own == pytest.approx(before[0], abs=2)
    assert other == pytest.approx(FAINT * before[1] + (1 - FAINT) * PAPER, abs=8)
    expect(even.locator(".word.strong")).to_have_text(["cat"])
    even.keyboard.press("Escape")
    expect(even.locator(".word.strong")).to_have_count(0)
    assert colors(even, X, [(5, 4)]) == pytest.approx(before[1:], abs=2)


@pytest.mark.parametrize(("dx", "dy"), [(0, -40), (30, -10), (40, 0)])
def test_a_drag_on_a_number_edits_it_in_any_direction(whole: Page, dx: int, dy: int) -> None:
    before, camera = float(computed(FIRST, NORM)[1, 2]), look(whole)
    x, y = middle(whole, NORM, 1, 2)
    whole.mouse.move(x, y)
    whole.mouse.down()
    whole.mouse.move(x + dx, y + dy, steps=5)
    whole.wait_for_function(
        "([p, x]) => Math.abs(window.tinkerformer.value(p, 1, 2) - x) < 0.011",
        arg=[NORM, before + 0.02 * (dx - dy)],
    )
    # After the release, the inspector opens, and the picture fits the space beside it.
    assert look(whole)["x"] == camera["x"], "the ground was moved"
    whole.mouse.up()


@pytest.mark.parametrize("how", ["middle", "Space"])
def test_space_or_another_button_moves_the_picture_even_on_a_number(whole: Page, how: str) -> None:
    before = look(whole)
    x, y = middle(whole, NORM, 1, 2)
    whole.mouse.move(x, y)
    if how == "Space":
        whole.keyboard.down(" ")
    whole.mouse.down(button="middle" if how == "middle" else "left")
    whole.mouse.move(x + 60, y + 20, steps=5)
    whole.mouse.up(button="middle" if how == "middle" else "left")
    if how == "Space":
        whole.keyboard.up(" ")
    assert look(whole)["x"] < before["x"] - 20
    assert whole.evaluate("Object.keys(window.tinkerformer.scenario().edits ?? {})") == []


def test_the_zoom_of_a_wheel_step_is_animated(whole: Page) -> None:
    whole.locator(".picture").focus()
    before = look(whole)["zoom"]
    whole.mouse.move(*middle(whole, NORM, 1, 2))
    whole.evaluate(
        """() => {
          window.zooms = [];
          const step = () => {
            window.zooms.push(window.tinkerformer.look().zoom);
            requestAnimationFrame(step);
          };
          step();
        }"""
    )
    whole.mouse.wheel(0, -240)
    whole.wait_for_function("z => window.tinkerformer.look().zoom > 1.4 * z", arg=before)
    steps = whole.evaluate("[...new Set(window.zooms)].length")
    assert steps > 5, "it jumped"


def test_the_wheel_scrolls_the_page_unless_the_picture_has_the_focus_or_ctrl_is_pressed(
    whole: Page,
) -> None:
    open_view(whole, "Train")
    whole.wait_for_function("document.documentElement.scrollHeight > innerHeight + 120")
    before = look(whole)
    whole.mouse.move(*middle(whole, NORM, 1, 2))
    whole.mouse.wheel(0, 120)
    whole.wait_for_function("scrollY >= 100")
    assert look(whole) == before
    expect(whole.get_by_text("The wheel scrolls the page. With Ctrl")).to_be_visible()
    whole.evaluate("scrollTo(0, 0)")
    whole.mouse.move(*middle(whole, NORM, 1, 2))
    whole.keyboard.down("Control")
    whole.mouse.wheel(0, -120)
    whole.keyboard.up("Control")
    whole.wait_for_function("z => window.tinkerformer.look().zoom > 1.2 * z", arg=before["zoom"])
    near = look(whole)["zoom"]
    whole.locator(".picture").focus()
    whole.mouse.wheel(0, -120)
    whole.wait_for_function("z => window.tinkerformer.look().zoom > 1.1 * z", arg=near)
    assert whole.evaluate("scrollY") == 0


def test_after_a_click_arrow_keys_continue_from_the_clicked_number(whole: Page) -> None:
    """Even if the structure changes meanwhile, because a part unfolds."""
    whole.mouse.click(*middle(whole, NORM, 1, 2))
    whole.wait_for_function("window.tinkerformer.selection()?.i === 1")
    whole.get_by_role("button", name=re.compile("^feed-forward, part of the encoder")).click()
    whole.wait_for_function("window.tinkerformer.look().unfolded.length === 1")
    picture = whole.locator(".picture")
    picture.focus()
    picture.press("ArrowRight")
    picture.press("Enter")
    whole.wait_for_function("window.tinkerformer.selection()?.j === 3")
    assert whole.evaluate("window.tinkerformer.selection()") == {"path": NORM, "i": 1, "j": 3}


def test_an_unfolded_part_uses_the_width_to_the_right_of_the_names(whole: Page) -> None:
    title = whole.get_by_role("button", name=re.compile("^self-attention, part of the encoder"))
    title.click()
    whole.wait_for_function("window.tinkerformer.look().unfolded.length === 1")
    view = whole.locator(".whole").bounding_box()
    first = box(whole, "encoder.0.self_attn.head.0.q", 0, 0)
    names = [each.bounding_box() for each in whole.locator(".word.sticks").all()]
    assert first["x"] > max(each["x"] + each["width"] for each in names)
    last = box(whole, NORM, 0, 7)
    wide = last["x"] + last["width"] - first["x"]
    assert 0.8 * view["width"] < wide < 0.94 * view["width"]
    title.focus()
    whole.keyboard.press("0")
    whole.wait_for_function("window.tinkerformer.look().isAll")


def test_a_hint_points_at_one_number_until_the_picture_is_used(whole: Page) -> None:
    hint = whole.get_by_role("note").filter(has_text="Drag me")
    expect(hint).to_contain_text("numbers that mean")
    expect(hint).to_contain_text("black")
    # The board finds the number by the ribbons of any followed word; the guide and the film by the
    # weights of the first row. Here, both are the same number.
    path, position, column = opening_number(FIRST, ForwardPassRunner().trace(FIRST))
    row = computed(FIRST, "source.embedding")[1]
    assert (path, position, column) == ("source.embedding", 1, np.abs(row).argmax())
    largest = row[column]
    expect(hint).to_contain_text(f"{largest:.3g}".replace("-", "−"))
    ring = whole.locator(".hinted").bounding_box()
    at = box(whole, "source.embedding", 1, int(np.abs(row).argmax()))
    assert ring["x"] + ring["width"] / 2 == pytest.approx(at["x"] + at["width"] / 2, abs=1)
    assert ring["y"] + ring["height"] / 2 == pytest.approx(at["y"] + at["height"] / 2, abs=2)
    # A press on the ring drags the number.
    before = float(largest)
    whole.mouse.move(at["x"] + at["width"] / 2, at["y"] + at["height"] / 2)
    whole.mouse.down()
    whole.mouse.move(at["x"] + at["width"] / 2 + 30, at["y"], steps=4)
    whole.mouse.up()
    whole.wait_for_function(
        "([j, x]) => window.tinkerformer.value('source.embedding', 1, j) > x + 0.4",
        arg=[int(np.abs(row).argmax()), before],
    )
    expect(hint).to_be_hidden()


def test_the_hint_hides_and_in_a_low_picture_the_bar_names_the_words(whole: Page) -> None:
    hint = whole.get_by_role("note").filter(has_text="Drag me")
    expect(hint).to_be_visible()
    other = box(whole, "source.embedding", 4, 2)
    whole.mouse.move(other["x"] + other["width"] / 2, other["y"] + other["height"] / 2)
    expect(whole.locator(".drag-hint")).to_be_hidden()
    whole.mouse.move(5, 5)
    expect(hint).to_be_visible()
    for open_it in (open_menu, open_settings):
        open_it(whole)
        expect(whole.locator(".drag-hint")).to_be_hidden()
        close_menu(whole)
        expect(hint).to_be_visible()
    open_view(whole, "How it writes")
    expect(whole.locator(".drag-hint")).to_be_hidden()
    words = whole.locator("button.word:not(.crowded)")
    expect(words.filter(has_text="black")).to_have_count(1)
    expect(words.filter(has_text="chat")).to_have_attribute("aria-pressed", "true")


def test_after_the_pointer_leaves_no_number_is_described(whole: Page) -> None:
    x, y = middle(whole, NORM, 2, 5)
    whole.mouse.click(x, y)
    expect(whole.locator(".status .where")).to_contain_text("row cat")
    whole.evaluate("window.tinkerformer.select(null)")
    whole.mouse.move(5, 5)
    expect(whole.locator(".status .hint")).to_be_visible()


def test_the_effect_of_a_number_is_shown_by_its_strength(even: Page) -> None:
    """A source word affects no matrix of the decoder's self-attention, but all later ones."""
    last = "decoder.0.feed_forward.norm"
    before = colors(even, OTHER, [(3, 4)]), colors(even, last, [(3, 4)])
    even.mouse.click(*middle(even, X, 1, 2))
    even.get_by_role("button", name="Show what it reaches").click()
    even.wait_for_function("window.tinkerformer.selection()?.path === 'source.sum'")
    faint = FAINT * before[0] + (1 - FAINT) * PAPER
    even.mouse.move(5, 5)
    expect(even.get_by_role("button", name="Hide what it reaches")).to_be_visible()

    def away() -> tuple[float, float]:
        now = colors(even, OTHER, [(3, 4)]), colors(even, last, [(3, 4)])
        return float(np.abs(now[0] - faint).max()), float(np.abs(now[1] - PAPER).max())

    unreached, reached = away()
    assert unreached < 10
    assert reached > 0.45 * float(np.abs(before[1] - PAPER).max())
    said = even.locator(".reached")
    expect(said).to_have_text(re.compile(r"^It reaches [\d,]+ of the [\d,]+ computed numbers\.$"))
    some, all_ = (int(n.replace(",", "")) for n in re.findall("[0-9,]+", said.inner_text()))
    assert 100 < some < all_
    even.get_by_role("button", name="Hide what it reaches").click()
    expect(said).to_be_hidden()


def test_the_map_and_the_tooltip_leave_most_of_the_picture_visible(even: Page) -> None:
    for cell in (
        ("source.embedding", 0, 0),
        ("source.embedding", 4, 3),
        ("output.probabilities", 0, 24),
        ("output.probabilities", 8, 3),
        ("decoder.0.cross_attn.head.0.W_q", 7, 3),
    ):
        at = box(even, *cell)
        even.mouse.move(at["x"] + at["width"] / 2, at["y"] + at["height"] / 2)
        even.locator(".tip:visible").wait_for()
        tip = even.locator(".tip").bounding_box()
        assert tip["x"] >= at["x"] + at["width"] or tip["x"] + tip["width"] <= at["x"]
        assert tip["y"] >= at["y"] + at["height"] or tip["y"] + tip["height"] <= at["y"]
        assert tip["x"] >= 0
        assert tip["x"] + tip["width"] <= even.evaluate("innerWidth")
        even.mouse.move(5, 5)
        expect(even.locator(".tip")).to_be_hidden()
    mapped = even.locator(".small-map")
    expect(mapped).to_be_hidden()
    even.get_by_role("button", name="Nearer (+)").click()
    expect(mapped).to_be_visible()
    even.locator(".picture").focus()
    even.keyboard.press("-")
    even.wait_for_function("window.tinkerformer.look().isAll === false")
    expect(mapped).to_be_hidden()
