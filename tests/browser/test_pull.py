import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import open_first_page
from tests.browser.student import (
    at_rest,
    open_view,
    show_all_numbers,
    violations,
    wait_for_inspector,
)

# Returns whether the ring of the selected number is in a box.
RING_IN = """({ y, height }) => allOf(".ring.selected").some((ring) => {
  const box = ring.getBoundingClientRect();
  return box.width > 0 && y <= box.y && box.y <= y + height;
})"""


def wait_for_probability(page: Page, word: str, least: float) -> None:
    page.wait_for_function(
        """([word, least]) => {
          const [bar] = allOf(`button.next-word[aria-label^="${word}, probability"]`);
          return bar && Number(/probability (0?\\.\\d+|1)/.exec(bar.ariaLabel)?.[1]) >= least;
        }""",
        arg=[word, least],
    )


def look_at(page: Page, word_before: str) -> None:
    """Choose the position whose next word follows this word."""
    choice = page.get_by_label("Position whose next word is shown")
    options = choice.locator("option").all_inner_texts()
    choice.select_option(index=next(k for k, text in enumerate(options) if word_before in text))


@pytest.fixture
def after_chat(phrases: Page) -> Page:
    look_at(phrases, "le chat”")
    phrases.locator("button.next-word[aria-label^='noir, probability']").wait_for()
    return phrases


def test_dragging_a_bar_rewrites_the_sentence(after_chat: Page) -> None:
    page = after_chat
    second = page.locator("button.next-word").nth(1)
    word = second.get_attribute("aria-label").partition(",")[0]
    track = second.locator(".track").bounding_box()
    y = track["y"] + track["height"] / 2
    page.mouse.move(track["x"] + 2, y)
    page.mouse.down()
    page.mouse.move(track["x"] + track["width"] * 0.4, y, steps=4)
    page.mouse.move(track["x"] + track["width"] * 0.8, y, steps=4)
    page.mouse.up()
    wait_for_probability(page, word, 0.77)
    line = page.get_by_role("region", name="What is pulled")
    expect(line).to_contain_text("numbers moved")
    expect(page.locator(f"button.chip[aria-label^='{word}, probability']")).to_be_visible()
    line.get_by_role("button", name="Keep").click()
    expect(line).to_be_hidden()
    page.get_by_role("button", name="Undo (Ctrl+Z)").click()
    page.wait_for_function("!window.tinkerformer.scenario().edits?.length")


def test_a_bar_is_pulled_by_keys_and_returns(after_chat: Page) -> None:
    page = after_chat
    before = page.evaluate("window.tinkerformer.value('output.probabilities', 2, 3)")
    second = page.locator("button.next-word").nth(1)
    word = second.get_attribute("aria-label").partition(",")[0]
    second.focus()
    page.keyboard.press("Shift+ArrowRight")
    wait_for_probability(page, word, 0.09)
    page.get_by_role("button", name="Spring back").press("Enter")
    page.wait_for_function(
        "before => window.tinkerformer.value('output.probabilities', 2, 3) === before", arg=before
    )
    page.wait_for_function("!window.tinkerformer.scenario().edits?.length")


@pytest.fixture
def cross(new_context, server: str) -> Page:
    page = open_first_page(new_context(), f"{server}?view=attention")
    page.locator(".thumb[data-scope='decoder.0.cross_attn'][data-head='1']").click()
    page.get_by_role("heading", name="Cross-attention · ").wait_for()
    return page


def test_a_link_is_dragged_to_a_larger_weight(cross: Page) -> None:
    """Or to a smaller one, if the strongest link of the second head is already large."""
    page = cross
    plot = page.locator(".linkboard .plot")
    plot.scroll_into_view_if_needed()
    at_rest(page, "document.scrollingElement.scrollTop", frames=8)
    box = plot.bounding_box()
    x = box["x"] + box["width"] / 2
    for y in range(int(box["y"]) + 4, int(box["y"] + box["height"]), 5):
        page.mouse.move(x, y)
        if plot.evaluate("plot => plot.classList.contains('over-link')"):
            break
    page.mouse.down()
    page.mouse.move(x, y + 30, steps=3)
    page.mouse.move(x, y + 60, steps=3)
    line = page.get_by_role("region", name="What is pulled")
    expect(line).to_contain_text("Pulling")
    page.mouse.up()
    expect(line).to_contain_text(re.compile("numbers moved, none by more than"))
    asked = float(re.search(r"to (\d\.\d\d)", line.inner_text())[1])
    expect(page.locator(".linkboard figcaption")).to_contain_text(re.compile(r"head \d: 0?\.\d"))
    assert 0.01 <= asked <= 0.99
    page.keyboard.press("Control+z")
    expect(line).to_be_hidden()


def test_the_weight_of_a_pair_is_pulled_by_keys(cross: Page) -> None:
    page = cross
    pull = page.get_by_label("Train it toward")
    pull.focus()
    before = float(pull.input_value())
    key = "ArrowLeft" if before > 0.5 else "ArrowRight"
    for _ in range(15):
        page.keyboard.press(key)
    asked = float(pull.input_value())
    assert abs(asked - before) > 0.02
    line = page.get_by_role("region", name="What is pulled")
    # Earlier requests of the same key presses may still be under way.
    expect(line).to_contain_text(f"to {asked:.2f}")
    expect(line).to_contain_text(re.compile("numbers moved, none by more than"))
    expect(page.locator(".pair-picker .weight")).to_have_text(
        re.compile("|".join(f"{asked + k / 1000:.3f}" for k in range(-9, 10)).replace(".", r"\."))
    )
    assert not violations(page)


def test_blanc_is_written_by_one_number_in_two_actions_at_its_position(after_chat: Page) -> None:
    """Following *noir* first would take another click."""
    page = after_chat
    page.get_by_label("Make it write another word here").select_option("blanc")
    line = page.get_by_role("region", name="What is pulled")
    expect(line).to_contain_text(re.compile(r"\d+ numbers can do it alone, moved by at most 4"))
    first = line.get_by_role("listitem").first.get_by_role("button")
    expect(first).to_have_attribute("aria-label", re.compile("then it writes: le chat blanc"))
    # Press the row itself, because its words may be replaced before the release.
    assert first.evaluate(
        """row => {
          const { x, y, width, height } = row.querySelector(".pull-name").getBoundingClientRect();
          return row.getRootNode().elementFromPoint(x + width / 2, y + height / 2) === row;
        }"""
    )
    first.click()
    expect(page.locator("button.chip[aria-label^='blanc, probability']")).to_be_visible()
    expect(first).to_have_attribute("aria-pressed", "true")
    # The number is selected, and its slider moves back across the border.
    page.wait_for_function("window.tinkerformer.selection()?.path === 'source.W_e'")
    at = page.evaluate("window.tinkerformer.selection()")
    page.evaluate("({path, i, j}) => window.tinkerformer.set(path, i, j, 0)", at)
    expect(page.locator("button.chip[aria-label^='noir, probability']").first).to_be_visible()
    expect(line).to_be_visible()
    line.get_by_role("button", name="Close").click()
    expect(line).to_be_hidden()
    assert not violations(page)


def test_the_numbers_that_can_do_it_are_chosen_by_keys(after_chat: Page) -> None:
    page = after_chat
    page.get_by_label("Make it write another word here").select_option("blanc")
    line = page.get_by_role("region", name="What is pulled")
    expect(line.get_by_role("progressbar")).to_be_hidden()
    second = line.get_by_role("listitem").nth(1).get_by_role("button")
    second.press("Enter")
    expect(second).to_have_attribute("aria-pressed", "true")
    expect(second).to_be_focused()
    page.wait_for_function("Object.keys(window.tinkerformer.scenario().edits ?? {}).length === 1")
    line.get_by_label("by", exact=True).select_option("three numbers")
    expect(line).to_contain_text(re.compile("3 numbers moved"))
    # Several numbers are found by repeated pulls.
    expect(line.get_by_role("listitem")).to_have_count(3, timeout=60_000)
    line.get_by_role("button", name="Spring back").click()
    expect(line).to_be_hidden()


def test_a_row_of_the_list_points_at_its_number(after_chat: Page) -> None:
    page = after_chat
    open_view(page, "Picture")
    page.get_by_label("Make it write another word here").select_option("blanc")
    line = page.get_by_role("region", name="What is pulled")
    expect(line.get_by_role("progressbar")).to_be_hidden()
    second = line.get_by_role("listitem").nth(1).get_by_role("button")
    name = second.locator(".pull-name")
    tip = page.locator(".tip:visible")
    for look in (second.focus, second.hover):
        look()
        row, column = re.search(r"\[(\w+), (\w+)\]", name.inner_text()).groups()
        # The part of the number unfolds first; the tooltip appears with the ring.
        expect(tip).to_contain_text(f"{row} · {column}")
        ring = page.locator(".ring.hover.led").bounding_box()
        view = page.locator(".whole").bounding_box()
        assert ring["width"] >= 16
        assert view["x"] <= ring["x"] <= view["x"] + view["width"]
        assert view["y"] <= ring["y"] <= view["y"] + view["height"]
        page.mouse.move(5, 5)
        second.blur()
        expect(tip).to_be_hidden()
    # A number outside the view is moved into view.
    page.evaluate("window.tinkerformer.near('output')")
    page.wait_for_function("!window.tinkerformer.look().isAll")
    at_rest(page, "window.tinkerformer.look()")
    first = line.get_by_role("listitem").first.get_by_role("button")
    first.focus()
    ring = page.locator(".ring.hover.led")
    expect(ring).to_be_visible()
    box, view = ring.bounding_box(), page.locator(".whole").bounding_box()
    assert view["x"] <= box["x"] <= view["x"] + view["width"]


def test_list_and_drawer_and_inspector_leave_the_picture_enough_space(after_chat: Page) -> None:
    page = after_chat
    page.set_viewport_size({"width": 1440, "height": 900})
    open_view(page, "Picture")
    page.get_by_label("Make it write another word here").select_option("blanc")
    line = page.get_by_role("region", name="What is pulled")
    first = line.get_by_role("listitem").first.get_by_role("button")
    first.click()
    wait_for_inspector(page)
    page.get_by_role("button", name="How it writes").click()
    page.locator("#drawer").wait_for()
    at_rest(page, "window.tinkerformer.look()")
    view = page.locator(".whole").bounding_box()
    assert view["width"] >= 0.45 * 1440
    page.wait_for_function(RING_IN, arg=view)  # the ring of the chosen number
    line.get_by_role("button", name="Close").click()
    expect(line).to_be_hidden()
    at_rest(page, "window.tinkerformer.look()")
    assert page.locator(".whole").bounding_box() == view, "the list takes nothing from it"


# The places of two numbers of the picture, and the width of the column at its right.
PLACES = """[
  window.tinkerformer.rect("source.W_e", 0, 0),
  window.tinkerformer.rect("output.probabilities", 0, 0),
  getComputedStyle(document.documentElement).getPropertyValue("--right"),
]"""


def open_picture(page: Page) -> None:
    open_view(page, "Picture")
    page.wait_for_function("document.documentElement.dataset.view === 'picture'")
    page.locator(".whole").wait_for()
    at_rest(page, PLACES, frames=8)


def watch_places(page: Page) -> None:
    """Record each place at which the picture is painted from now on."""
    page.evaluate(
        f"""() => {{
          window.places = new Set();
          const look = () => {{
            window.places.add(JSON.stringify({PLACES}));
            window.looking = requestAnimationFrame(look);
          }};
          look();
        }}"""
    )


def places_seen(page: Page) -> list[str]:
    page.evaluate("cancelAnimationFrame(window.looking)")
    return page.evaluate("[...window.places]")


def pull_by_keys(page: Page) -> None:
    """Pull the second bar in three steps, until the moved numbers are listed."""
    page.locator("button.next-word").nth(1).focus()
    for _ in range(3):
        page.keyboard.press("Shift+ArrowRight")
    line = page.get_by_role("region", name="What is pulled")
    expect(line).to_contain_text("The largest move first")


def test_in_a_wide_window_a_pull_and_a_wish_do_not_move_the_picture(after_chat: Page) -> None:
    page = after_chat
    page.set_viewport_size({"width": 1440, "height": 900})
    open_picture(page)
    watch_places(page)
    line = page.get_by_role("region", name="What is pulled")
    pull_by_keys(page)
    keep = line.get_by_role("button", name="Keep").bounding_box()
    assert keep["x"] > 1440 - 312
    expect(page.get_by_role("region", name="Things to try")).to_be_hidden()
    line.get_by_role("button", name="Spring back").click()
    expect(line).to_be_hidden()
    page.get_by_label("Make it write another word here").select_option("blanc")
    expect(line.get_by_role("progressbar")).to_be_hidden()
    line.get_by_role("button", name="Close").click()
    expect(line).to_be_hidden()
    expect(page.get_by_role("region", name="Things to try")).to_be_visible()
    assert len(places_seen(page)) == 1


def test_no_row_is_cut_and_each_states_its_place(after_chat: Page) -> None:
    page = after_chat
    for width in (1440, 1024, 420):
        page.set_viewport_size({"width": width, "height": 900})
        at_rest(page, "innerWidth", frames=8)
        page.get_by_label("Make it write another word here").select_option("blanc")
        line = page.get_by_role("region", name="What is pulled")
        expect(line.get_by_role("progressbar")).to_be_hidden()
        expect(line).to_contain_text("The least move first")
        rows = line.get_by_role("listitem")
        expect(rows.first).to_contain_text("le chat blanc")
        page.wait_for_function(
            """list => {
              const { bottom } = list.getBoundingClientRect();
              const rows = [...list.children].map((row) => row.getBoundingClientRect());
              const whole = rows.filter((row) => row.bottom <= bottom + 1).length;
              const begun = rows.filter((row) => row.top < bottom - 1).length;
              return whole >= 2 && begun === whole;
            }""",
            arg=line.locator(".pull-list").element_handle(),
        )
        assert all(re.search("encoder|decoder", text) for text in rows.all_inner_texts())
        cut = line.locator(".pull-row > span").evaluate_all(
            "spans => spans.filter((span) => span.scrollWidth > span.clientWidth + 1 &&"
            " getComputedStyle(span).overflowX !== 'visible').length"
        )
        assert not cut


def test_the_inspector_is_below_the_list(after_chat: Page) -> None:
    page = after_chat
    page.set_viewport_size({"width": 1440, "height": 900})
    open_picture(page)
    show_all_numbers(page)  # so that selected weights do not slide into view
    page.get_by_label("Make it write another word here").select_option("blanc")
    line = page.get_by_role("region", name="What is pulled")
    expect(line.get_by_role("progressbar")).to_be_hidden()
    at_rest(page, PLACES)
    watch_places(page)
    # A longer sentence would change the picture.
    as_long = re.compile("le chat blanc est assis sur le tapis$")
    row = line.get_by_role("listitem").filter(has_text=as_long).nth(2).get_by_role("button")
    row.press("Enter")
    wait_for_inspector(page)
    expect(row).to_be_focused()
    # The chosen row is scrolled into view.
    page.wait_for_function(
        """() => {
          const host = document.querySelector("#pull .carried");
          const list = host.shadowRoot.querySelector(".pull-list").getBoundingClientRect();
          const taken = host.shadowRoot.querySelector("[aria-pressed=true]");
          const { top, bottom } = taken?.getBoundingClientRect() ?? {};
          return list.height < 200 && top >= list.top - 1 && bottom <= list.bottom + 1;
        }"""
    )
    inspector, panel = page.locator("#right").bounding_box(), line.bounding_box()
    assert inspector["y"] == pytest.approx(panel["y"] + panel["height"], abs=1)
    assert inspector["y"] + inspector["height"] == pytest.approx(900, abs=1)
    assert panel["height"] <= 0.46 * (900 - panel["y"])
    assert len(places_seen(page)) == 1
    found = violations(page)
    assert not found, found
