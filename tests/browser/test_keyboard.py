import re

import pytest
from playwright.sync_api import Page, expect
from tinkerformer.files import catalog
from tinkerformer.model.scenario.scenario import Scenario

from tests.browser.student import computed, wait_until_shown


def test_arrow_keys_move_over_tabs_and_numbers_and_a_screen_reader_announces_them(page):
    grid = page.get_by_role("grid", name="W").first
    grid.focus()
    page.keyboard.press("ArrowDown")
    page.locator("[aria-live=polite]", has_text="row cat").first.wait_for(state="attached")
    page.get_by_role("tab", name="Formulas").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function(
        "() => window.tinkerformer.stages().every((s) => !s.id.includes('feed_forward'))"
    )
    page.get_by_role("tab", name="Explore").focus()
    page.keyboard.press("ArrowRight")
    page.get_by_role("tab", name="Lessons", selected=True).wait_for()
    page.keyboard.press("ArrowRight")
    page.get_by_role("tab", name="Train", selected=True).wait_for()


def test_f_switches_between_picture_and_formulas_but_not_while_a_word_is_typed(whole):
    whole.keyboard.press("f")
    expect(whole.get_by_role("tab", name="Formulas")).to_have_attribute("aria-selected", "true")
    whole.keyboard.press("f")
    expect(whole.get_by_role("tab", name="Picture")).to_have_attribute("aria-selected", "true")
    # F opens the formula of the selected number.
    whole.evaluate("window.tinkerformer.select('decoder.0.feed_forward.W_2', 1, 2)")
    whole.locator("body").press("f")
    whole.wait_for_function("window.tinkerformer.stage() === 'decoder.0.feed_forward'")
    whole.locator("body").press("f")
    expect(whole.get_by_role("tab", name="Picture")).to_have_attribute("aria-selected", "true")
    whole.get_by_role("button", name="add a token to Source").click()
    whole.keyboard.press("f")
    expect(whole.get_by_role("tab", name="Picture")).to_have_attribute("aria-selected", "true")
    whole.keyboard.press("Escape")


def test_the_keyboard_opens_enlarges_and_closes_the_drawer(whole):
    button = whole.get_by_role("button", name="How it writes", exact=True)
    button.focus()
    whole.keyboard.press("Enter")
    drawer = whole.get_by_role("complementary", name="Drawer")
    expect(drawer.get_by_role("tab", name="Greedy")).to_be_visible()
    expect(whole.get_by_role("tab", name="Picture")).to_have_attribute("aria-selected", "true")
    drawer.get_by_role("button", name="Taller").press("Enter")
    assert drawer.evaluate("el => el.offsetHeight") > 0.6 * whole.evaluate("innerHeight")
    whole.keyboard.press("Escape")
    expect(drawer).to_be_hidden()
    expect(button).to_be_focused()


WHERE = """() => { let a = document.activeElement;
    while (a.shadowRoot?.activeElement) a = a.shadowRoot.activeElement;
    return a.getAttribute('aria-label') ?? ''; }"""


def test_help_and_share_close_the_menu(whole):
    whole.set_viewport_size({"width": 420, "height": 800})  # so narrow that Share is in the menu
    menu, button = whole.locator("#menu"), whole.get_by_role("button", name="Menu", exact=True)
    for name, title in (("Share", "Share what is on the page"), ("Help", "How to use this page")):
        button.click()
        menu.get_by_role("button", name=name, exact=True).click()
        dialog = whole.get_by_role("dialog", name=title)
        dialog.wait_for()
        whole.locator("#theme-button").wait_for(state="hidden")
        whole.keyboard.press("Escape")
        dialog.wait_for(state="hidden")
        menu.wait_for(state="hidden")
        assert button.evaluate("(node) => node === document.activeElement")
    # While a word is typed, a question mark is a letter.
    whole.get_by_role("button", name="add a token to Source").click()
    whole.keyboard.press("?")
    assert not whole.get_by_role("dialog", name="Keys for where you are").is_visible()


def test_the_keyboard_moves_in_the_menu_of_ideas(page):
    more = page.get_by_role("button", name="More forms of the model")
    more.focus()
    page.keyboard.press("Enter")
    page.get_by_role("menuitemradio", name="Positions").wait_for()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Escape")
    page.get_by_role("menuitemradio", name="Cost").wait_for(state="hidden")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="What a layer costs").wait_for()
    page.get_by_role("button", name="More forms of the model, now Cost").wait_for()


def test_a_number_typed_after_enter_is_set_exactly(page):
    page.evaluate("window.tinkerformer.select('source.W_e', 1, 2)")
    page.get_by_role("slider").focus()
    page.keyboard.type("-1.25")
    page.keyboard.press("Enter")
    wait_until_shown(page, Scenario().with_value("source.W_e", (1, 2), -1.25), "source.W_e")


class Keys:
    """Presses keys and counts them."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.pressed = 0

    def press(self, *keys: str) -> None:
        for key in keys:
            self.pressed += 1
            self.page.keyboard.press(key)


def test_at_most_twelve_keys_reach_the_first_cell_of_q_and_its_value(whole):
    keys = Keys(whole)
    keys.press("Tab", "Enter")
    expect(whole.get_by_role("grid", name="The whole model")).to_be_focused()
    keys.press("g", "q")
    dialog = whole.get_by_role("dialog", name="Go to a matrix")
    expect(dialog.get_by_role("option").first).to_have_text(
        "Q1encoder layer 1, self-attention, head 1"
    )
    keys.press("Enter")
    expect(dialog).to_be_hidden()
    value = computed(catalog.first("phrases"), "encoder.0.self_attn.head.0.q")[0, 0]
    place = whole.locator(".status .place")
    expect(place).to_contain_text("row the (position 0, id 0), column k0")
    expect(place).to_contain_text("encoder layer 1, self-attention, head 1")
    said = whole.locator(".board > [aria-live=polite]")
    expect(said).to_contain_text("row the (position 0, id 0), column k0: ")
    assert float(said.inner_text().rpartition(": ")[2].replace("−", "-")) == pytest.approx(value)
    expect(whole.locator(".status .value")).to_have_text(re.compile(r"^1\.40\d+$"))
    keys.press("Enter")
    words = "computed from X, row the (position 0, id 0), and W_1^Q head 1, column k0"
    expect(said).to_have_text(f"Selected: {words}")
    whole.wait_for_function(f"() => ({WHERE})().startsWith('value of Q')")
    assert keys.pressed <= 12
    # Esc returns to the cell.
    keys.press("Escape")
    expect(whole.get_by_role("grid", name="The whole model")).to_be_focused()
    expect(place).to_contain_text("column k0")


def test_g_lists_controls_before_words_and_answers_a_name_that_nothing_has(whole):
    whole.keyboard.press("Tab")
    whole.keyboard.press("Enter")
    whole.keyboard.press("g")
    dialog = whole.get_by_role("dialog", name="Go to a matrix")
    whole.keyboard.type("pizza")
    expect(dialog.get_by_role("status").first).to_have_text(
        "No matrix of this model and no control of the page has that name."
    )
    whole.keyboard.press("Enter")
    expect(dialog).to_be_visible()
    whole.keyboard.press("Escape")
    expect(whole.get_by_role("grid", name="The whole model")).to_be_focused()
    whole.keyboard.press("g")
    dialog = whole.get_by_role("dialog", name="Go to a matrix")
    whole.keyboard.type("mask")
    options = dialog.get_by_role("option")
    expect(options.first).to_contain_text("causal mask")
    # The list is also right before Python has answered.
    expect(options.filter(has_text="embed")).to_have_count(0)
    texts = options.all_inner_texts()
    assert texts[0].startswith("causal mask")
    assert next(k for k, text in enumerate(texts) if "part of the" in text) > 1
    assert not any("?lit" in text for text in texts)


def test_the_written_words_are_one_tab_stop_and_brackets_move_between_matrices(whole):
    whole.keyboard.press("Tab")
    whole.keyboard.press("Enter")
    said = whole.locator(".board > [aria-live=polite]")
    expect(said).to_contain_text("source: E, row the")
    whole.keyboard.press("]")
    expect(said).to_contain_text("source: P, row the")
    whole.keyboard.press("[")
    expect(said).to_contain_text("source: E, row the")
    first = whole.get_by_role("button", name="le, probability").first
    first.focus()
    whole.keyboard.press("ArrowRight")
    whole.wait_for_function(f"() => ({WHERE})().startsWith('chat, probability')")
    whole.keyboard.press("End")
    whole.wait_for_function(f"() => ({WHERE})().startsWith('<eos>, probability')")
    whole.keyboard.press("Tab")
    whole.wait_for_function(f"() => ({WHERE})() === 'Position whose next word is shown'")
    whole.keyboard.press("Shift+Tab")
    whole.wait_for_function(f"() => ({WHERE})().startsWith('<eos>, probability')")


def test_a_group_is_one_tab_stop(whole):
    """The page has at most 25 tab stops; arrow keys move within each group of controls."""
    stops = []
    whole.locator("body").press("Tab")
    while (name := whole.evaluate(WHERE_OR_TEXT)) and len(stops) < 60:
        stops.append(name)
        whole.keyboard.press("Tab")
    assert 15 < len(stops) <= 25, stops
    assert stops[0] == "Skip to the numbers"
    assert len(set(stops)) == len(stops)
    # Arrow keys move over the tools of the first line, which belong to several components.
    tools = whole.get_by_role("toolbar", name="Model and page")
    tools.get_by_role("button", name="Model:").focus()
    reached = []
    for _ in range(12):
        reached.append(whole.evaluate(WHERE_OR_TEXT))
        whole.keyboard.press("ArrowRight")
    assert reached[-1] == "Menu"
    assert {"Share", "Settings, settings of the model"} <= {*reached}
    whole.keyboard.press("Home")
    assert whole.evaluate(WHERE_OR_TEXT) == reached[0]
    # Tab returns to the control that had the focus.
    whole.keyboard.press("ArrowRight")
    left = whole.evaluate(WHERE_OR_TEXT)
    whole.keyboard.press("Tab")
    whole.keyboard.press("Shift+Tab")
    assert whole.evaluate(WHERE_OR_TEXT) == left


WHERE_OR_TEXT = """() => { let a = document.activeElement;
    while (a.shadowRoot?.activeElement) a = a.shadowRoot.activeElement;
    if (a === document.body) return '';
    return (a.ariaLabel ?? a.textContent).trim().slice(0, 60); }"""


def test_help_lists_the_keys_of_the_place_that_has_the_focus(whole):
    dialog = whole.get_by_role("dialog", name="Keys for where you are")
    places = dialog.get_by_role("heading", level=3)

    def opened() -> list[str]:
        whole.keyboard.press("?")
        found = places.all_inner_texts()
        whole.keyboard.press("Escape")
        expect(dialog).to_be_hidden()
        return [name.capitalize() for name in found]

    assert opened() == ["In the picture", "On the numbers", "Anywhere"]  # nothing has the focus
    grid = whole.get_by_role("grid", name="The whole model")
    grid.focus()
    assert "On the numbers" in opened()
    expect(grid).to_be_focused()
    chip = whole.get_by_role("button", name="edit black,")
    chip.focus()
    assert opened()[0] == "On the words of source"
    expect(chip).to_be_focused()
    whole.evaluate("window.tinkerformer.select('source.W_e', 1, 2)")
    whole.get_by_role("slider").focus()
    assert opened()[:2] == ["On the slider", "In the inspector"]
    whole.get_by_role("tab", name="Train").click()
    whole.get_by_role("tab", name="Train").focus()
    assert opened()[0] == "In the tabs “rooms”"
    # Every listed key of the numbers has an effect there.
    whole.get_by_role("tab", name="Explore").click()
    grid.focus()
    whole.keyboard.press("?")
    row = dialog.locator("dl > dt", has_text="Ctrl+Z")
    assert row.locator("xpath=following-sibling::dd").first.inner_text() == "undoes"
    dialog.get_by_role("button", name="How to use this page").click()
    whole.get_by_role("dialog", name="How to use this page").wait_for()
