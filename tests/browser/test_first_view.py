import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import open_first_page
from tests.browser.student import at_rest

MOST_CONTROLS = 22
LEAST_TYPE = 13  # CSS px

# Yields all elements that are visible in the window, also in shadow roots.
SEEN = """(visit) => {
  const walk = (root) => {
    for (const el of root.querySelectorAll("*")) {
      if (el.shadowRoot) walk(el.shadowRoot);
      const options = { opacityProperty: true, visibilityProperty: true };
      const { left, top, right, bottom, width, height } = el.getBoundingClientRect();
      const isInWindow = right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
      if (width > 1 && height > 1 && isInWindow && el.checkVisibility(options)) visit(el);
    }
  };
  walk(document);
}"""
# Words, their bars, the weights of their links, and the titles of parts do not count as controls.
CONTROLS = f"""(() => {{
  const found = [];
  const words = ".chip, .word, .written, .next-word, .ribbon-end, .label.title";
  ({SEEN})((el) => {{
    const isControl = el.matches("button, a[href], select, input, textarea, summary");
    const name = () => el.ariaLabel || el.labels?.[0]?.textContent || el.textContent || el.title;
    if (isControl && !el.matches(words)) found.push(name().replaceAll(/\\s+/g, " ").trim());
  }});
  return found;
}})()"""
SMALL = f"""(() => {{
  const found = [];
  const isInFrame = (el) => {{
    for (let at = el; at; at = at.parentNode ?? at.host)
      if (at instanceof Element && at.matches(".frame, #guide")) return true;
    return false;
  }};
  ({SEEN})((el) => {{
    const text = [...el.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
    const own = text.map((node) => node.data).join("").trim();
    const size = parseFloat(getComputedStyle(el).fontSize);
    if (own && size < {LEAST_TYPE} && isInFrame(el)) found.push([own, size]);
  }});
  return found;
}})()"""

# The controls that the first view had in an earlier version, by their old names.
FORMER = (
    *("Explore", "Lessons", "Train", "Model: Phrases", "Show", "Undo", "Redo", "Share", "Menu"),
    *("d_model", "settings of the model", "Dropout (training mode)"),
    *("Dropout: rates, and what is dropped", "Another sentence", "add a token to Source"),
    *("writes itself", "you write it", "Position whose next word is shown"),
    *("Make it write another word here", "softmax temperature", "noir, probability", "Watch one"),
    *("Replace “black” by “white”", "Let head 2 look only at", "Let a number of “black” oscillate"),
    *("How to read it", "Picture", "Formulas", "Attention", "More forms of the model"),
    *("How it writes", "Measure", "Nearer", "Farther", "All of it", "Backward"),
    *("Go to a matrix by its name", "Let chat look only at", "Following “chat → noir”"),
)


@pytest.fixture
def first_view(new_context, server: str) -> Page:
    page = open_first_page(new_context(viewport={"width": 1440, "height": 900}), server)
    page.get_by_role("button", name="Replace “black” by “white”").wait_for()
    page.locator("#go-to-title").wait_for(state="attached")
    return page


def name_field(page: Page) -> Locator:
    return page.get_by_role("combobox", name="Name of a matrix or a control")


def type_a_name(page: Page, name: str) -> None:
    page.keyboard.press("g")
    name_field(page).fill(name)


def test_few_controls_are_in_sight_those_of_the_sentence_among_them(
    first_view: Page,
) -> None:
    names = at_rest(first_view, CONTROLS, frames=20)
    assert len(names) <= MOST_CONTROLS, names
    assert {"Another sentence", "you write it"} <= {*names}
    first_view.get_by_role("button", name="edit cat,").hover()
    with_pointer = at_rest(first_view, CONTROLS)
    assert {"add a token to Source", "Make it write another word here"} <= {*with_pointer} - {
        *names
    }
    first_view.locator(".picture").hover()
    with_pointer = at_rest(first_view, CONTROLS)
    assert {"Nearer (+)", "All of it (0)"} <= {*with_pointer} - {*names}
    first_view.get_by_role("button", name="edit black,").focus()
    assert "add a token to Source" in at_rest(first_view, CONTROLS)


def test_by_touch_the_controls_of_the_sentence_are_always_visible(new_context, server: str) -> None:
    viewport = {"width": 1024, "height": 768}
    page = open_first_page(new_context(viewport=viewport, has_touch=True, is_mobile=True), server)
    names = at_rest(page, CONTROLS)
    assert {"Tools of Source", "Tools of Target", "Nearer (+)"} <= {*names}
    page.get_by_role("button", name="Tools of Source").tap()
    assert "Another sentence" in at_rest(page, CONTROLS)
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("button", name="Another sentence")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Tools of Source")).to_be_focused()
    page.get_by_role("button", name="Tools of Target").tap()
    assert "writes itself" in at_rest(page, CONTROLS)


@pytest.mark.parametrize(("width", "height", "by_touch"), [(1024, 768, False), (420, 850, True)])
def test_a_narrow_page_opens_with_few_controls_and_describes_itself(
    new_context, server: str, width: int, height: int, by_touch: bool
) -> None:
    viewport = {"width": width, "height": height}
    context = new_context(viewport=viewport, has_touch=by_touch, is_mobile=by_touch)
    page = open_first_page(context, server)
    line = page.get_by_text("A Transformer that translates English into French.")
    expect(line).to_be_in_viewport(ratio=1)
    expect(page.locator(".drag-hint")).to_be_visible()
    if width == 1024:
        expect(page.locator(".label.words", has_text="words look at each other")).to_be_visible()
    names = at_rest(page, CONTROLS, frames=20)
    assert len(names) <= MOST_CONTROLS, names


def test_header_and_side_column_have_no_small_letters(first_view: Page) -> None:
    assert at_rest(first_view, SMALL, frames=20) == []


def test_every_control_can_be_found_by_its_name_and_pressed_at_its_place(first_view: Page) -> None:
    options = first_view.get_by_role("listbox", name="Matrices and controls").get_by_role("option")
    for name in FORMER:
        type_a_name(first_view, name)
        first_view.wait_for_function(
            "(name) => [...document.querySelectorAll('*')].some("
            "({ shadowRoot }) => shadowRoot?.querySelector('dialog[open] input')?.value === name)",
            arg=name,
        )
        expect(options.first, name).to_be_visible()
        first_view.keyboard.press("Escape")
        expect(name_field(first_view)).to_be_hidden()
    type_a_name(first_view, "no such thing")
    expect(first_view.get_by_text("No matrix of this model and no control")).to_be_visible()
    first_view.keyboard.press("Escape")
    field = first_view.get_by_label("d_model", exact=True)
    expect(field).to_be_hidden()
    type_a_name(first_view, "d_model")
    expect(first_view.get_by_role("option", name="d_model in Settings").first).to_be_visible()
    first_view.keyboard.press("Enter")
    expect(field).to_be_focused()
    first_view.keyboard.press("Escape")
    type_a_name(first_view, "Measure")
    first_view.keyboard.press("Enter")
    expect(first_view.locator("#drawer")).to_be_visible()
    type_a_name(first_view, "Softmax and temperature")
    first_view.keyboard.press("Enter")
    first_view.wait_for_function("document.documentElement.dataset.view === 'idea:softmax'")
    type_a_name(first_view, "Help")
    first_view.keyboard.press("Enter")
    expect(first_view.get_by_role("dialog", name="How to use this page")).to_be_visible()
