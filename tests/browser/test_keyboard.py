"""The page without a mouse."""

from playwright.sync_api import expect
from tinkerformer.scenario.scenario import Scenario

from tests.browser.student import violations_light_and_dark, wait_until_shown


def test_a_student_with_a_keyboard_alone(page):
    grid = page.get_by_role("grid", name="W").first
    grid.focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    page.wait_for_function("window.tinkerformer.selection()?.path === 'source.W_e'")
    selected = page.evaluate("window.tinkerformer.selection()")
    assert (selected["i"], selected["j"]) == (1, 2)
    page.wait_for_function(
        """() => { let a = document.activeElement;
            while (a.shadowRoot?.activeElement) a = a.shadowRoot.activeElement;
            return a.type === 'range'; }"""
    )
    before = page.get_by_role("slider").input_value()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    after = page.get_by_role("slider").input_value()
    assert float(after) > float(before)
    scenario = Scenario().with_value("source.W_e", (1, 2), float(after))
    wait_until_shown(page, scenario, "output.probabilities")


def test_arrow_keys_are_told_to_a_screen_reader(page):
    grid = page.get_by_role("grid", name="W").first
    grid.focus()
    page.keyboard.press("ArrowDown")
    page.wait_for_function(
        """() => { const find = (root) => { for (const e of root.querySelectorAll('*')) {
              const live = e.getAttribute('aria-live') === 'polite';
              if (live && /row cat/.test(e.textContent)) return true;
              if (e.shadowRoot && find(e.shadowRoot)) return true; }
              return false; };
            return find(document); }"""
    )


def test_tabs_by_arrow_keys(page):
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


def test_f_switches_between_picture_and_formulas_but_not_while_typing(whole):
    whole.keyboard.press("f")
    expect(whole.get_by_role("tab", name="Formulas")).to_have_attribute("aria-selected", "true")
    whole.keyboard.press("f")
    expect(whole.get_by_role("tab", name="Picture")).to_have_attribute("aria-selected", "true")
    # To the formula of the selected number.
    whole.evaluate("window.tinkerformer.select('decoder.0.feed_forward.W_2', 1, 2)")
    whole.locator("body").press("f")
    whole.wait_for_function("window.tinkerformer.stage() === 'decoder.0.feed_forward'")
    whole.locator("body").press("f")
    expect(whole.get_by_role("tab", name="Picture")).to_have_attribute("aria-selected", "true")
    whole.get_by_role("button", name="add a token to Source").click()
    whole.keyboard.press("f")
    expect(whole.get_by_role("tab", name="Picture")).to_have_attribute("aria-selected", "true")
    whole.keyboard.press("Escape")


def test_the_drawer_by_keyboard(whole):
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


def test_the_words_that_are_written_are_one_stop(whole):
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


def test_help_and_share_close_the_menu(whole):
    whole.set_viewport_size({"width": 420, "height": 800})  # no room for Share but in the menu
    menu, button = whole.locator("#menu"), whole.get_by_role("button", name="Menu", exact=True)
    whole.keyboard.press("?")
    whole.get_by_role("dialog", name="How to use this page").wait_for()
    whole.keyboard.press("Escape")
    whole.get_by_role("dialog", name="How to use this page").wait_for(state="hidden")
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
    # A question mark that is typed is a letter.
    whole.get_by_role("button", name="add a token to Source").click()
    whole.keyboard.press("?")
    assert not whole.get_by_role("dialog", name="How to use this page").is_visible()


def test_the_menu_of_ideas_by_keyboard(page):
    more = page.get_by_role("button", name="More forms of the model")
    more.focus()
    page.keyboard.press("Enter")
    page.get_by_role("menuitemradio", name="Positions").wait_for()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Escape")
    page.get_by_role("menuitemradio", name="Cost").wait_for(state="hidden")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="What a layer costs").wait_for()
    page.get_by_role("button", name="More forms of the model, now Cost").wait_for()


def test_tokens_by_keyboard(page):
    page.get_by_role("button", name="edit cat,").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Control+A")
    page.keyboard.type("dog")
    page.keyboard.press("Enter")
    words = ["the", "dog", "sat", "on", "the", "mat"]
    wait_until_shown(page, Scenario().with_tokens("source", words), "source.embedding")


def test_axe_finds_nothing(whole):
    whole.evaluate("window.tinkerformer.select('source.W_e', 1, 2)")
    whole.get_by_role("slider").wait_for()
    assert not violations_light_and_dark(whole)


def test_a_number_typed_after_enter_is_set_exactly(page):
    page.evaluate("window.tinkerformer.select('source.W_e', 1, 2)")
    page.get_by_role("slider").focus()
    page.keyboard.type("-1.25")
    page.keyboard.press("Enter")
    wait_until_shown(page, Scenario().with_value("source.W_e", (1, 2), -1.25), "source.W_e")
