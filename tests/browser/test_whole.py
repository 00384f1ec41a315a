import re

import numpy as np
import pytest
from playwright.sync_api import expect
from tinkerformer.files import catalog
from tinkerformer.model.scenario.model_names import PHRASES
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.session.link import encode
from tinkerformer.session.session_json import SavedSession
from tinkerformer.view_model.page_location import Camera, Followed, PageLocation

from tests.browser.conftest import open_first_page
from tests.browser.student import (
    at_rest,
    click_cell,
    computed,
    open_view,
    show_all_numbers,
    until,
    wait_until_shown,
)

FIRST = catalog.first(PHRASES)
NORM = "encoder.0.self_attn.norm"


def look(page):
    """Return the camera, once the picture stops moving."""
    return at_rest(page, "window.tinkerformer.look()", frames=12)


def painted(page, box):
    """Return the color in the middle of a rectangle of the window, from the picture's canvas."""
    return page.locator(".picture canvas").evaluate(
        """(canvas, b) => {
          const at = canvas.getBoundingClientRect(), k = devicePixelRatio;
          const x = (b.x + b.width / 2 - at.x) * k, y = (b.y + b.height / 2 - at.y) * k;
          return [...canvas.getContext("2d").getImageData(x, y, 1, 1).data];
        }""",
        box,
    )


def test_the_first_screen_has_every_learned_number_and_the_computed_numbers(whole):
    for path in whole.evaluate("window.tinkerformer.paths()"):
        wait_until_shown(whole, FIRST, path)
    assert look(whole)["isAll"]
    box = whole.locator(".picture").bounding_box()
    for path, i, j in (("source.embedding", 0, 0), ("output.probabilities", 8, 32)):
        at = whole.evaluate("a => window.tinkerformer.rect(...a)", [path, i, j])
        assert box["x"] <= at["x"] <= box["x"] + box["width"] - at["width"]
        assert box["y"] <= at["y"] <= box["y"] + box["height"] - at["height"]
    assert look(whole)["isAll"]
    # The page itself does not scroll.
    assert whole.evaluate("document.documentElement.scrollHeight - innerHeight") <= 1
    words = whole.locator(".whole .written").all_inner_texts()
    assert words == [*FIRST.target[1:], "<eos>"]


def test_colors_show_the_numbers_and_a_link_is_selected_at_its_place(whole):
    whole.get_by_role("button", name=re.compile("^Following")).click()  # otherwise they are faint
    whole.wait_for_function("!window.tinkerformer.look().following")
    values = computed(FIRST, NORM)
    high, low = (np.unravel_index(at, values.shape) for at in (values.argmax(), values.argmin()))
    for (i, j), strong in ((high, 2), (low, 0)):
        box = whole.evaluate("a => window.tinkerformer.rect(...a)", [NORM, int(i), int(j)])
        color = painted(whole, box)
        assert color[strong] > color[2 - strong] + 60
    whole.wait_for_function("!window.tinkerformer.look().following")
    path = "decoder.0.cross_attn.head.1.weights"
    weights = computed(FIRST, path)
    i, j = np.unravel_index(weights.argmax(), weights.shape)
    click_cell(whole, path, int(i), int(j))


def test_the_wheel_zooms_in_until_numbers_appear_and_a_link_stores_the_camera(
    whole, server, new_context
):
    box = whole.evaluate("p => window.tinkerformer.rect(p, 3, 4)", NORM)
    before = look(whole)
    whole.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    whole.locator(".picture").focus()
    for _ in range(8):
        whole.mouse.wheel(0, -200)
    now = look(whole)
    assert now["zoom"] > 3 * before["zoom"]
    assert not now["isAll"]
    again = whole.evaluate("p => window.tinkerformer.rect(p, 3, 4)", NORM)
    assert again["width"] > 20
    assert again["x"] <= box["x"] + box["width"] / 2 <= again["x"] + again["width"]
    # A cell of one color now has digits.
    kinds = whole.locator(".picture canvas").evaluate(
        """(canvas, b) => {
          const at = canvas.getBoundingClientRect(), k = devicePixelRatio;
          const data = canvas.getContext("2d").getImageData((b.x - at.x) * k + 2,
            (b.y - at.y) * k + 4, b.width * k - 5, b.height * k - 10).data;
          const colors = new Set();
          for (let p = 0; p < data.length; p += 4) colors.add(data.slice(p, p + 3).join());
          return colors.size;
        }""",
        again,
    )
    assert kinds > 4
    kept = "JSON.parse(sessionStorage['tinkerformer-visit']).place"
    whole.wait_for_function(f"{kept}?.camera?.length === 3")
    x, y, zoom = whole.evaluate(f"{kept}.camera")
    place = PageLocation(camera=Camera(x, y, zoom), followed=Followed("encoder", 2))
    other = open_first_page(new_context(), f"{server}#s={encode(SavedSession(FIRST, place=place))}")
    there = look(other)
    assert [there["x"], there["y"]] == pytest.approx([now["x"], now["y"]], abs=1)
    assert there["zoom"] == pytest.approx(now["zoom"], rel=0.01)
    assert there["following"] == {"stack": "encoder", "index": 2}


def test_the_picture_is_dragged_and_keys_zoom_and_zero_shows_all_again(whole):
    before = look(whole)
    whole.locator(".picture").focus()
    whole.keyboard.press("+")
    near = look(whole)
    assert near["zoom"] > 1.3 * before["zoom"]
    box = whole.locator(".picture").bounding_box()
    start = box["x"] + box["width"] - 110, box["y"] + box["height"] * 0.3  # beside the encoder
    whole.mouse.move(*start)
    whole.mouse.down()
    whole.mouse.move(start[0] - 90, start[1] - 60, steps=4)
    whole.mouse.up()
    moved = look(whole)
    assert moved["zoom"] == near["zoom"]
    assert moved["x"] > near["x"]
    assert moved["y"] > near["y"]
    whole.locator(".picture").focus()
    whole.keyboard.press("0")
    whole.wait_for_function("window.tinkerformer.look().isAll")
    after = look(whole)
    assert after["zoom"] == pytest.approx(before["zoom"], rel=0.01)


def test_after_a_drag_of_a_number_the_picture_does_not_follow_the_pointer(whole):
    cell = whole.evaluate("window.tinkerformer.rect('source.embedding', 1, 2)")
    x, y = cell["x"] + cell["width"] / 2, cell["y"] + cell["height"] / 2
    whole.mouse.move(x, y)
    whole.mouse.down()
    whole.mouse.move(x + 8, y, steps=6)  # so little that no word changes
    whole.mouse.up()
    whole.wait_for_function("window.tinkerformer.selection()?.path === 'source.embedding'")
    before = at_rest(whole, "Object.values(window.tinkerformer.look()).slice(0, 3)")
    whole.mouse.move(x + 300, y + 200, steps=6)
    assert at_rest(whole, "Object.values(window.tinkerformer.look()).slice(0, 3)") == before


def test_a_selected_number_is_set_and_all_later_numbers_change(whole):
    click_cell(whole, "source.W_e", 4, 1)
    expect(whole.get_by_role("slider", name=re.compile("value of"))).to_be_visible()
    whole.evaluate("window.tinkerformer.set('source.W_e', 4, 1, 1.5)")
    edited = FIRST.with_value("source.W_e", (4, 1), 1.5)
    for path in ("source.sum", NORM, "encoder.0.feed_forward.norm"):
        wait_until_shown(whole, edited, path)
    expect(whole.locator(".change-key")).to_have_text("carried the change")


def test_a_part_unfolds_to_every_step_and_opens_its_formulas_and_returns(whole):
    q = "decoder.0.cross_attn.head.1.q"
    assert q not in whole.evaluate("window.tinkerformer.paths()")
    title = whole.get_by_role("button", name="cross-attention, part of the decoder")
    title.click()
    expect(title).to_have_attribute("aria-expanded", "true")
    for leaf in ("head.1.q", "head.0.k", "head.1.raw_scores", "head.0.weights", "out", "residual"):
        wait_until_shown(whole, FIRST, f"decoder.0.cross_attn.{leaf}")
    whole.get_by_role("button", name="Read cross-attention of the decoder as formulas").click()
    expect(whole.get_by_role("tab", name="Formulas")).to_have_attribute("aria-selected", "true")
    whole.wait_for_function("window.tinkerformer.stage() === 'decoder.0.cross_attn'")
    open_view(whole, "Picture")
    title = whole.get_by_role("button", name="cross-attention, part of the decoder")
    expect(title).to_have_attribute("aria-expanded", "true")
    whole.get_by_role("button", name="All of it (0)").click()
    whole.get_by_role("button", name="Close cross-attention of the decoder").press("Enter")
    expect(title).to_have_attribute("aria-expanded", "false")
    whole.wait_for_function("p => !window.tinkerformer.paths().includes(p)", arg=q)


def test_the_words_of_the_weight_under_the_pointer_stand_out_at_its_row_and_column(whole):
    part = "decoder.0.cross_attn"
    whole.evaluate("p => window.tinkerformer.unfold([p])", part)
    path = f"{part}.head.1.weights"
    whole.wait_for_function("p => window.tinkerformer.paths().includes(p)", arg=path)
    whole.evaluate("p => window.tinkerformer.near(p)", part)
    box = at_rest(whole, "window.tinkerformer.rect(a[0], 4, 3)", path)
    whole.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    mark = whole.locator(".column-mark")
    expect(mark).to_have_text(
        whole.evaluate("p => window.tinkerformer.matrix(p).col_labels[3]", path)
    )
    lane = whole.locator(".word[data-stack='1'][data-row='4']")
    expect(whole.locator(".word.pointed").and_(lane)).to_have_count(1)
    last = whole.evaluate("p => window.tinkerformer.rect(p, 8, 3)", path)
    at = mark.locator("span").bounding_box()
    assert abs(at["x"] + at["width"] / 2 - last["x"] - last["width"] / 2) < 2
    assert 0 < at["y"] - last["y"] - last["height"] < 8
    whole.mouse.move(5, 5)
    expect(mark).to_be_hidden()
    expect(whole.locator(".word.pointed")).to_have_count(0)


def test_going_to_a_folded_part_unfolds_it(whole):
    whole.evaluate("window.tinkerformer.show('encoder.0.self_attn.head.1.k', 2, 1)")
    whole.wait_for_function(
        "window.tinkerformer.look().unfolded.includes('encoder.0.self_attn')"
        " && window.tinkerformer.selection()?.path === 'encoder.0.self_attn.head.1.k'"
    )
    wait_until_shown(whole, FIRST, "encoder.0.self_attn.head.1.k")


def test_following_a_word_fades_all_other_rows(whole):
    whole.get_by_role("button", name=re.compile("^Following")).click()
    whole.wait_for_function("!window.tinkerformer.look().following")
    rows = [
        at_rest(whole, "window.tinkerformer.rect(...a)", "target.embedding", i, 4) for i in (2, 6)
    ]
    before = [painted(whole, box) for box in rows]
    word = whole.get_by_role("button", name=re.compile("^Follow chat"))
    word.click()
    expect(word).to_have_attribute("aria-pressed", "true")
    whole.wait_for_function("window.tinkerformer.look().following?.index === 2")
    paper = 252
    followed, other = (painted(whole, box) for box in rows)
    assert followed == before[0]
    for now, was in zip(other[:3], before[1][:3], strict=True):
        assert abs(now - (0.32 * was + 0.68 * paper)) < 8
    word.click()
    expect(word).to_have_attribute("aria-pressed", "false")


def test_arrow_keys_move_over_cells_and_from_matrix_to_matrix(whole):
    click_cell(whole, "source.embedding", 1, 7)
    grid = whole.locator(".picture")
    for key, path, cell in (
        ("ArrowRight", "source.positions", (1, 0)),
        ("ArrowDown", "source.positions", (2, 0)),
        ("ArrowLeft", "source.embedding", (2, 7)),
    ):
        grid.press(key)
        grid.press(" ")
        whole.wait_for_function(
            "([p, i, j]) => { const s = window.tinkerformer.selection();"
            " return s.path === p && s.i === i && s.j === j; }",
            arg=[path, *cell],
        )
        # The slider gets the focus once its number is shown; focus the grid only then.
        expect(whole.get_by_role("slider").first).to_be_focused()
        grid.focus()


# The share of a canvas that is red or blue.
COLORED = """(canvas) => {
  const { width, height } = canvas;
  const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
  let count = 0;
  for (let k = 0; k < data.length; k += 4)
    if (data[k + 3] && Math.abs(data[k] - data[k + 2]) > 8) count++;
  return count / (width * height);
}"""


@pytest.mark.parametrize(
    "settings",
    [
        {"encoder_layers": 0, "norm": "pre"},
        {"decoder_layers": 0},
        {"encoder_layers": 3, "decoder_layers": 2, "heads": 4, "d_model": 16, "residual": False},
    ],
)
def test_any_model_is_drawn_whole(new_context, server, settings):
    scenario = Scenario()
    for name, value in settings.items():
        scenario = scenario.with_setting(name, value)
    page = open_first_page(new_context(), f"{server}#s={encode(SavedSession(scenario))}")
    for path in page.evaluate("window.tinkerformer.paths()"):
        wait_until_shown(page, scenario, path)
    assert look(page)["isAll"]


STRIPES = """path => {
  const t = window.tinkerformer, m = t.matrix(path), canvas = window.pictureCanvas;
  const at = canvas.getBoundingClientRect(), k = canvas.width / at.width;
  const ctx = canvas.getContext("2d");
  const others = (x, y, width, height) => {
    let found = 0, last = 0;
    for (const pixel of new Uint32Array(ctx.getImageData(x, y, width, height).data.buffer)) {
      const isGap = pixel >>> 24 === 0;
      if (!isGap && last && pixel !== last) found++;
      last = isGap ? 0 : pixel;
    }
    return found;
  };
  const first = t.rect(path, 0, 0), end = t.rect(path, m.rows - 1, m.cols - 1);
  const [left, right] = [first.x - at.x, end.x + end.width - at.x].map(x => Math.round(x * k));
  const [top, bottom] = [first.y - at.y, end.y + end.height - at.y].map(y => Math.round(y * k));
  let found = 0;
  for (let i = 0; i < m.rows; i++) {
    const cell = t.rect(path, i, 0);
    const y = Math.floor((cell.y + cell.height / 2 - at.y) * k);
    found += others(left + 1, y, right - left - 2, 1);
  }
  for (let j = 0; j < m.cols; j++) {
    const cell = t.rect(path, 0, j);
    const x = Math.floor((cell.x + cell.width / 2 - at.x) * k);
    found += others(x, top + 1, 1, bottom - top - 2);
  }
  return found;
}"""


@pytest.mark.parametrize(("width", "scale"), [(1592, 1), (1440, 1.25), (1592, 1.25), (1440, 1.5)])
def test_no_cell_shows_a_stripe_of_its_neighbor(new_context, server, width, scale):
    """Between two gaps there is one color, even if edges of cells are between pixels."""
    context = new_context(viewport={"width": width, "height": 900}, device_scale_factor=scale)
    page = open_first_page(context, server)
    page.get_by_role("button", name=re.compile("^Following")).click()
    page.wait_for_function("!window.tinkerformer.look().following")
    canvas = page.locator(".picture canvas")
    canvas.evaluate("canvas => { window.pictureCanvas = canvas; }")
    for path in ("target.embedding", "target.positions", "source.sum"):
        assert page.evaluate("p => window.tinkerformer.rect(p, 0, 0).width", path) > 5
        assert at_rest(page, f"({STRIPES})(a[0])", path) == 0


def test_a_press_selects_the_number_under_the_pointer(whole):
    """A click has whole pixels, and a weight's cell is three pixels wide."""
    path = "encoder.0.self_attn.head.0.W_k"
    show_all_numbers(whole)
    at = whole.evaluate("path => window.tinkerformer.rect(path, 3, 1)", path)
    status = whole.locator(".status")
    for k in range(6):
        x, y = at["x"] + 0.37 * k, at["y"] + 0.31 * k
        whole.mouse.move(x, y)
        expect(status).to_contain_text(re.compile(r"row d\d, column k\d"))
        row, column = re.search(r"row d(\d), column k(\d)", status.inner_text()).groups()
        whole.mouse.click(x, y)
        whole.wait_for_function(
            "at => JSON.stringify(window.tinkerformer.selection()) === JSON.stringify(at)",
            arg={"path": path, "i": int(row), "j": int(column)},
        )
        whole.keyboard.press("Escape")
        whole.wait_for_function("!window.tinkerformer.selection()")


def test_zooming_in_by_the_button_ends_at_numbers(whole):
    for _ in range(9):
        whole.get_by_role("button", name="Nearer (+)").click()
    near = at_rest(whole, "JSON.stringify(window.tinkerformer.look())", frames=20)
    assert '"isAll":false' in near
    canvas = whole.locator(".picture canvas")
    # The end depends on the camera's place at each press during its animation.
    until(whole, lambda: canvas.evaluate(COLORED) > 0.1)


def test_zooming_in_keeps_the_selected_number_and_the_bar_names_the_cursor_too(whole):
    path = "encoder.0.feed_forward.norm"
    click_cell(whole, path, 3, 4)
    before = at_rest(whole, "window.tinkerformer.rect(...a)", path, 3, 4)
    for _ in range(3):
        whole.get_by_role("button", name="Nearer (+)").click()
    after = at_rest(whole, "window.tinkerformer.rect(...a)", path, 3, 4)
    assert after["width"] > 1.5 * before["width"]
    assert abs(after["x"] - before["x"]) < after["width"]
    expect(whole.locator(".at-cursor")).to_be_hidden()
    click_cell(whole, path, 3, 4)
    whole.keyboard.press("ArrowUp")
    expect(whole.locator(".at-cursor")).to_be_visible()
