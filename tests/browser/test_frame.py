import pytest
from playwright.sync_api import Page, expect
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.session.link import encode
from tinkerformer.session.session_json import SavedSession
from tinkerformer.view_model.page_location import DRAWERS, FORMS, ROOMS

from tests.browser.conftest import open_first_page
from tests.browser.student import (
    at_rest,
    choose_model,
    click_cell,
    close_menu,
    open_menu,
    open_settings,
    open_view,
    switch_dropout,
    violations,
)

# The last is a window of 1440 px at 200 %.
WIDTHS = (1920, 1536, 1440, 1366, 1280, 1024, 900, 768, 420, 360, 720)

# Every visible control, with its rectangle and the boxes in which it scrolls.
CONTROLS = """() => {
  const found = [];
  const walk = (root, boxes) => {
    for (const node of root.children ?? []) {
      const style = getComputedStyle(node);
      if (style.display === "none" || style.visibility === "hidden") continue;
      const own = ["auto", "scroll", "hidden"].includes(style.overflowX) ? [...boxes, node] : boxes;
      const role = node.getAttribute("role");
      const isControl = node.matches("button, select, input, a, [role=tab], [role=switch]");
      const r = node.getBoundingClientRect();
      if (isControl && r.width && r.height && style.opacity !== "0")
        found.push({
          name: node.getAttribute("aria-label") || (node.matches("select") && node.id)
            || node.textContent.trim() || node.id || role,
          box: [r.left, r.top, r.right, r.bottom],
          scrolls: own.some((box) => box !== node && box.scrollWidth > box.clientWidth + 1),
          bar: node.closest(".line, .chips, ul, .head, .top") ? 1 : 0,
        });
      walk(node, own);
      if (node.shadowRoot) walk(node.shadowRoot, own);
    }
  };
  walk(document.querySelector(".frame"), []);
  return found;
}"""


# The parts that axe checks here; other tests check the other parts.
FRAME = {"include": [[".frame"], ["#left"], ["#guide"]]}


def controls(page: Page) -> list[dict]:
    """Return the visible controls of the frame, once they stop moving."""
    page.evaluate(
        """async (read) => {
          const now = new Function("return (" + read + ")()");
          for (let last = "", same = 0; same < 5; ) {
            await new Promise(requestAnimationFrame);
            const text = JSON.stringify(now());
            same = text === last ? same + 1 : 0;
            last = text;
          }
        }""",
        CONTROLS,
    )
    return page.evaluate(CONTROLS)


def overlap(one: list[float], other: list[float]) -> bool:
    left, top = max(one[0], other[0]), max(one[1], other[1])
    right, bottom = min(one[2], other[2]), min(one[3], other[3])
    return right - left > 1 and bottom - top > 1


def check_places(page: Page, width: int) -> set[str]:
    """Check that no control is cut off or covers another; return the controls' names."""
    found = controls(page)
    height = page.evaluate("innerHeight")
    for control in found:
        # Controls in a box that scrolls sideways are reached by scrolling.
        if control["scrolls"]:
            continue
        left, top, right, bottom = control["box"]
        assert left >= -0.5, control
        assert right <= width + 0.5, (width, control)
        assert top >= -0.5, control
        assert bottom <= height + 0.5, control
    fixed = [control for control in found if not control["scrolls"]]
    for at, one in enumerate(fixed):
        for other in fixed[at + 1 :]:
            removes = "remove" in one["name"] or "remove" in other["name"]
            assert removes or not overlap(one["box"], other["box"]), (width, one, other)
    page.wait_for_function("(w) => document.documentElement.scrollWidth <= w", arg=width)
    return {control["name"] for control in found}


@pytest.mark.in_turn
def test_no_control_is_cut_off_or_covered_at_any_width(phrases: Page) -> None:
    switch_dropout(phrases)
    phrases.wait_for_function("window.tinkerformer.paths().includes('source.dropout')")
    # Undo and redo are visible only if there is a step to undo or redo.
    phrases.evaluate("window.tinkerformer.set('source.W_e', 0, 0, 3)")
    phrases.keyboard.press("Control+z")
    expect(phrases.get_by_role("button", name="Redo").first).to_be_enabled()
    for width in WIDTHS:
        phrases.set_viewport_size({"width": width, "height": 800})
        in_frame = check_places(phrases, width)
        open_menu(phrases)
        in_menu = controls(phrases)
        close_menu(phrases)
        open_settings(phrases)
        expect(phrases.get_by_role("button", name="Compare from here")).to_be_visible()
        close_menu(phrases)
        phrases.get_by_role("button", name="More forms of the model").click()
        in_ideas = set(phrases.get_by_role("menuitemradio").all_inner_texts())
        phrases.keyboard.press("Escape")
        names = in_frame | {control["name"] for control in in_menu}
        for wanted in ("Undo", "Redo", "Go to", "Share", "Export", "Help"):
            assert any(wanted in name for name in names), (width, wanted)
        # The rooms have more space, whatever the widths before this one.
        assert width < 1280 or "Share" in in_frame, width
        name = phrases.get_by_role("heading", name="Tinkerformer").locator("span")
        assert width < 1280 or name.evaluate("el => el.offsetWidth > 50"), width
        tabs = set(phrases.get_by_role("tab").all_inner_texts())
        assert set(ROOMS.values()) <= tabs, width
        assert width < 600 or "Picture" in tabs, width
        assert set(FORMS.values()) <= tabs | in_ideas
        assert width < 768 or {"Formulas", "Attention"} <= tabs, width
        for label in DRAWERS.values():
            expect(phrases.get_by_role("button", name=label, exact=True)).to_be_in_viewport()
        expect(phrases.get_by_role("button", name="settings of the model")).to_be_visible()
        # The frame is low, and as high with the controls of dropout as without.
        tallest = 152 if width >= 1100 else 800 // 4
        assert phrases.evaluate("document.querySelector('.frame').offsetHeight") <= tallest, width


def test_the_longest_name_and_the_longest_sentence_fit(new_context, server: str) -> None:
    words = [f"word{k}" for k in range(64)]
    scenario = Scenario().with_tokens("source", words).with_tokens("target", words)
    page = open_first_page(new_context(), f"{server}#s={encode(SavedSession(scenario))}")
    page.wait_for_function("window.tinkerformer.matrix('source.embedding').rows === 64")
    for width in (1440, 1280, 1024, 900, 420):
        page.set_viewport_size({"width": width, "height": 860})
        check_places(page, width)
        assert page.evaluate("document.querySelector('.frame').offsetHeight") <= 860 / 3
    # The keyboard reaches the last chip, which scrolls into its box.
    page.set_viewport_size({"width": 1440, "height": 860})
    page.get_by_role("button", name="edit word0,").first.focus()
    page.keyboard.press("End")
    last = page.get_by_role("button", name="edit word63, position 63").first
    expect(last).to_be_focused()
    box = last.bounding_box()
    assert 0 < box["x"] < 720
    choose_model(page, "Printed words")
    page.get_by_role("button", name="Model: Printed words").wait_for()
    for width in (1440, 1280, 1024, 420):
        page.set_viewport_size({"width": width, "height": 860})
        check_places(page, width)


def places(page: Page) -> dict[str, list[float]]:
    return {control["name"]: control["box"] for control in controls(page)}


def tap_cell(page: Page) -> None:
    # Formulas above the cell are typeset late and move it again.
    cell = at_rest(page, "window.tinkerformer.rect('source.W_e', 0, 0)", frames=20)
    page.touchscreen.tap(cell["x"] + cell["width"] / 2, cell["y"] + cell["height"] / 2)
    page.wait_for_function("window.tinkerformer.selection()?.path === 'source.W_e'")


def too_small(page: Page) -> list[tuple[str, list[float]]]:
    """Return the controls of the frame that are too low for a finger."""
    return [
        (control["name"], control["box"])
        for control in controls(page)
        if control["box"][3] - control["box"][1] < 43.5
        and "remove" not in control["name"]
        and "Dropout" not in control["name"]  # its label can be pressed, too
        and control["name"] != "field-training"
    ]


def test_on_a_tablet_controls_are_large_enough_for_a_finger(new_context, server: str) -> None:
    context = new_context(viewport={"width": 1024, "height": 768}, has_touch=True, is_mobile=True)
    page = open_first_page(context, server)
    check_places(page, 1024)
    assert not too_small(page)
    assert page.evaluate("document.querySelector('.frame').offsetHeight") <= 0.26 * 768


def test_on_a_phone_every_control_is_44_pixels_high(new_context, server: str) -> None:
    context = new_context(viewport={"width": 420, "height": 860}, has_touch=True, is_mobile=True)
    page = open_first_page(context, server)
    assert not too_small(page)
    assert page.evaluate("document.querySelector('.frame').offsetHeight") <= 860 / 4
    page.get_by_role("button", name="More forms of the model").tap()
    page.get_by_role("menuitemradio", name="Formulas", exact=True).tap()
    page.wait_for_function("window.tinkerformer.paths().includes('source.W_e')")
    # The formulas open at the stage in focus.
    page.wait_for_function("window.tinkerformer.stage() === 'decoder.0.cross_attn'")
    tap_cell(page)
    sheet = page.get_by_role("complementary", name="Inspector")
    expect(sheet.get_by_role("slider")).to_be_in_viewport()
    box = sheet.bounding_box()
    assert box["height"] <= 0.27 * 860
    # The answer stays above the sheet, and no control of the frame is covered.
    check_places(page, 420)
    sheet.get_by_role("button", name="Close", exact=True).tap()
    expect(sheet).to_be_hidden()
    # A second tap on the selected cell opens the sheet again; dragging its handle down closes it.
    tap_cell(page)
    expect(sheet.get_by_role("slider")).to_be_in_viewport()
    handle = sheet.get_by_role("button", name="Close", exact=True)
    for kind, y in (("pointerdown", 440), ("pointerup", 520)):
        handle.dispatch_event(kind, {"clientY": y, "pointerType": "touch"})
    expect(sheet).to_be_hidden()
    tap_cell(page)
    expect(sheet.get_by_role("slider")).to_be_in_viewport()
    page.get_by_role("tab", name="Train").tap()
    expect(sheet).to_be_hidden()


def test_the_sheet_opens_when_the_pointer_releases_the_number(new_context, server: str) -> None:
    page = open_first_page(new_context(viewport={"width": 420, "height": 860}), server)
    open_view(page, "Formulas")
    page.wait_for_function("window.tinkerformer.paths().includes('source.W_e')")
    sheet = page.get_by_role("complementary", name="Inspector")
    cell = at_rest(page, "window.tinkerformer.rect('source.W_e', 0, 0)", frames=20)
    page.mouse.move(cell["x"] + cell["width"] / 2, cell["y"] + cell["height"] / 2)
    page.mouse.down()
    page.mouse.move(cell["x"] + cell["width"] / 2, cell["y"] - 20, steps=4)
    page.wait_for_function("window.tinkerformer.selection()?.path === 'source.W_e'")
    expect(sheet).to_be_hidden()
    page.mouse.up()
    expect(sheet.get_by_role("slider")).to_be_in_viewport()


@pytest.mark.parametrize("width", [1440, 420])
def test_axe_finds_no_violation_with_the_menu_or_the_settings_open(
    new_context, server: str, width: int
) -> None:
    page = open_first_page(new_context(viewport={"width": width, "height": 860}), server)
    for name in ("Menu", "Settings, settings of the model"):
        button = page.get_by_role("button", name=name, exact=True)
        button.click()
        expect(button).to_have_attribute("aria-expanded", "true")
        assert not violations(page, FRAME), name
        page.keyboard.press("Escape")
        expect(button).to_have_attribute("aria-expanded", "false")


def test_at_twice_the_size_the_picture_keeps_most_of_the_space(whole: Page) -> None:
    for width, height in ((720, 450), (683, 384)):
        whole.set_viewport_size({"width": width, "height": height})
        check_places(whole, width)
        picture = whole.locator(".picture")
        room = at_rest(whole, "document.querySelector('.frame').offsetHeight")
        box = picture.bounding_box()
        assert room <= height * 0.32
        assert box["height"] >= height * 0.36
        assert box["y"] + box["height"] <= height
        # No control above the picture covers it.
        for control in (".forms", ".picture-bar"):
            row = whole.locator(control).bounding_box()
            assert row["y"] + row["height"] <= box["y"] + 4, control
        # With space for them, opening the suggestions shows a list instead of a menu.
        tries = whole.get_by_role("region", name="Things to try")
        tries.get_by_role("button", name="Things to try").click()
        expect(tries.get_by_role("listitem").first).to_be_visible()
        whole.set_viewport_size({"width": 1440, "height": 900})
        expect(tries.get_by_role("button", name="Things to try")).to_be_hidden()
        expect(tries.get_by_role("listitem").first).to_be_visible()


def test_the_frame_keeps_its_height_until_the_numbers_of_another_sentence_arrive(
    phrases: Page,
) -> None:
    bars = phrases.get_by_role("region", name="Next word", exact=True)
    height = "document.querySelector('.frame').offsetHeight"
    before = at_rest(phrases, height)
    phrases.evaluate(
        """() => {
          window.tinkerformer.likeliest = () => null;
          document.dispatchEvent(new CustomEvent("tinkerformer:frame", {detail: {frames: 1}}));
        }"""
    )
    expect(bars).to_be_hidden()
    assert at_rest(phrases, height) == before


SIGHT = """() => {
  const { left, top, right, bottom } = document.querySelector("main").getBoundingClientRect();
  return [left, Math.max(top, document.querySelector(".frame").offsetHeight), right, bottom];
}"""


@pytest.mark.parametrize("width", [1440, 1100])
@pytest.mark.parametrize("view", ["Picture", "Formulas"])
def test_the_inspector_opens_with_a_selection_and_closes_with_it(
    whole: Page, width: int, view: str
) -> None:
    whole.set_viewport_size({"width": width, "height": 900 if width == 1440 else 768})
    open_view(whole, view)
    inspector = whole.get_by_role("complementary", name="Inspector")
    expect(inspector).to_be_hidden()
    wide = "document.querySelector('main').offsetWidth"
    before = whole.evaluate(wide)
    assert before < width  # the guide is in the place of the inspector
    # The last column, in a row without bars, which the inspector would cover.
    path = "output.probabilities"
    columns = whole.evaluate("(p) => window.tinkerformer.matrix(p).cols", path)
    click_cell(whole, path, 0, columns - 1)
    expect(inspector).to_be_visible()
    assert whole.evaluate(wide) == before
    cell = at_rest(whole, "window.tinkerformer.rect(...a)", path, 0, columns - 1)
    left, top, right, bottom = whole.evaluate(SIGHT)
    assert left <= cell["x"] <= cell["x"] + cell["width"] <= right < width
    assert top <= cell["y"] <= cell["y"] + cell["height"] <= bottom
    inspector.get_by_role("button", name="Close", exact=True).click()
    expect(inspector).to_be_hidden()
    whole.wait_for_function("!window.tinkerformer.selection()")
    click_cell(whole, path, 0, 0)
    expect(inspector).to_be_visible()
    whole.keyboard.press("Escape")
    expect(inspector).to_be_hidden()
    # Without a selection, no other view has an empty column.
    for name in ("Attention", "How it writes", "Lessons", "Train"):
        open_view(whole, name)
        expect(inspector).to_be_hidden()


def test_a_double_click_zooms_to_the_cell_that_its_first_click_pressed(whole: Page) -> None:
    cell = at_rest(whole, "window.tinkerformer.rect('output.probabilities', 0, 1)")
    x, y = cell["x"] + cell["width"] / 2, cell["y"] + cell["height"] / 2
    whole.mouse.dblclick(x, y)
    whole.wait_for_function("window.tinkerformer.look()?.isAll === false")
    cell = at_rest(whole, "window.tinkerformer.rect('output.probabilities', 0, 1)", frames=20)
    left, top, right, bottom = whole.evaluate(SIGHT)
    assert left <= cell["x"] <= right
    assert top <= cell["y"] <= bottom


@pytest.mark.parametrize("width", [1440, 1024, 420])
def test_suggestions_cover_nothing_and_a_tall_drawer_does_not_cover_the_line_that_opens_it(
    new_context, server: str, width: int
) -> None:
    page = open_first_page(new_context(viewport={"width": width, "height": 860}), server)
    page.set_viewport_size({"width": width, "height": 860})
    tries = page.get_by_role("region", name="Things to try").bounding_box()
    open_view(page, "Picture")
    picture = page.locator(".whole").bounding_box()
    bar = page.locator(".picture-bar").bounding_box()
    if width >= 1100:
        assert tries["x"] >= picture["x"] + picture["width"] - 1
    else:
        assert tries["y"] + tries["height"] <= picture["y"]
        # On a phone the picture's controls are below it.
        assert width >= 600 or bar["y"] + 1 >= picture["y"] + picture["height"]
        assert tries["height"] <= 180
    page.get_by_role("button", name="Measure", exact=True).click()
    drawer = page.locator("#drawer")
    taller = drawer.get_by_role("button", name="Taller")
    taller.click()
    expect(taller).to_have_attribute("aria-pressed", "true")
    line = page.locator(".forms").bounding_box()
    top = at_rest(page, "document.querySelector('#drawer').getBoundingClientRect().top")
    assert line["y"] + line["height"] <= top + 1
    expect(page.locator(".status")).to_be_hidden()  # the drawer is in its place
    page.get_by_role("button", name="How it writes", exact=True).click()
    expect(taller).to_have_attribute("aria-pressed", "false")
    lower = at_rest(page, "document.querySelector('#drawer').getBoundingClientRect().top")
    assert lower > top + 100


def test_a_number_that_is_dragged_stays_in_place_while_the_sentence_changes(whole: Page) -> None:
    """A longer or shorter sentence changes the lanes, which are fitted after the release."""
    path, i, j = "source.embedding", 1, 2
    cell = at_rest(whole, "window.tinkerformer.rect(...a)", path, i, j)
    x, y = cell["x"] + cell["width"] / 2, cell["y"] + cell["height"] / 2
    rows = "window.tinkerformer.matrix('target.embedding').rows"
    before = whole.evaluate(rows)
    whole.mouse.move(x, y)
    whole.mouse.down()
    whole.mouse.move(x + 30, y, steps=6)
    whole.wait_for_function("window.tinkerformer.value('source.embedding', 1, 2) > -0.76")
    held = at_rest(whole, "window.tinkerformer.rect(...a)", path, i, j, frames=20)
    assert abs(held["x"] - cell["x"]) <= 1
    whole.mouse.up()
    whole.wait_for_function(f"(rows) => {rows} !== rows", arg=before)
    assert whole.evaluate("window.tinkerformer.look().isAll")
