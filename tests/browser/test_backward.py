import re

import pytest
from playwright.sync_api import expect
from tinkerformer.files import catalog
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.matrices.gradients import matrix_gradient
from tinkerformer.model.scenario.model_names import PHRASES

from tests.browser.conftest import open_first_page
from tests.browser.student import at_rest, open_settings

LATE = "decoder.0.feed_forward.norm"
EARLY = "source.embedding"
ENDS_OF_ROWS = "allOf('.labels :is(.word, .written)').map(w => w.getBoundingClientRect().bottom)"
# Records the difference of two cells' colors from gray in each display frame.
RECORD = """(canvas, cells) => {
  const context = canvas.getContext("2d"), k = devicePixelRatio;
  window.recorded = [];
  const look = () => {
    const at = canvas.getBoundingClientRect();
    window.recorded.push(cells.map(cell => {
      const b = window.tinkerformer.rect(...cell);
      const x = (b.x + b.width / 2 - at.x) * k, y = (b.y + b.height / 2 - at.y) * k;
      const [red, , blue] = context.getImageData(x, y, 1, 1).data;
      return Math.abs(red - blue);
    }));
  };
  document.addEventListener("tinkerformer:frame", look);
}"""


def backward_button(page):
    return page.get_by_role("button", name="Backward", exact=True)


def largest(path):
    """Return the cell with the largest gradient."""
    found = abs(matrix_gradient(ForwardPassRunner().with_gradients(catalog.first(PHRASES)), path))
    i, j = divmod(int(found.argmax()), found.shape[1])
    return [path, i, j]


def plane(page, name):
    page.wait_for_function("name => window.tinkerformer.view().plane === name", arg=name)


def test_a_wave_runs_from_the_loss_to_the_inputs(whole):
    whole.get_by_role("button", name=re.compile("^Following")).click()  # otherwise cells are faint
    whole.wait_for_function("!window.tinkerformer.look().following")
    cells = [largest(LATE), largest(EARLY)]
    whole.locator(".picture canvas").evaluate(RECORD, cells)
    whole.keyboard.press("b")
    plane(whole, "gradient")
    whole.wait_for_function("c => window.tinkerformer.gradient(...c) !== undefined", arg=cells[1])
    expect(backward_button(whole)).to_have_attribute("aria-pressed", "true")
    # Until the wave ends, every frame requests the next frame.
    whole.wait_for_function("window.recorded.length > 20")
    at_rest(whole, "window.recorded.length", frames=30)
    late, early = zip(*whole.evaluate("window.recorded"), strict=True)
    assert late[-1] > 60
    assert early[-1] > 30
    # When the later matrix has almost its full color, the earlier one is still faint.
    assert any(a > 0.9 * late[-1] and b < 0.5 * early[-1] for a, b in zip(late, early, strict=True))


def test_the_card_names_places_and_goes_there_and_is_below_the_menus(still):
    page = still
    page.keyboard.press("b")
    card = page.get_by_role("region", name="What is shown in place of values")
    column, picture = card.bounding_box(), page.locator(".picture").bounding_box()
    assert column["x"] >= picture["x"] + picture["width"] - 1, "it covers nothing of the picture"
    button = card.get_by_role("button", name=re.compile("^steepest activation"))
    place = button.locator(".plane-place")
    expect(place).to_be_visible()
    expect(place).to_have_text(re.compile("attention, head [12]$|network$|norm$"))
    open_settings(page)
    inside = page.locator("#left").evaluate(
        """(menu) => {
          const { left, right, top, bottom } = menu.getBoundingClientRect();
          const found = [];
          for (let x = left + 12; x < right - 12; x += 20)
            for (let y = top + 12; y < bottom - 12; y += 20) {
              let at = document.elementFromPoint(x, y);
              while (at?.shadowRoot?.elementFromPoint(x, y) && at.shadowRoot !== at)
                at = at.shadowRoot.elementFromPoint(x, y);
              found.push(Boolean(at?.closest(".plane-line")));
            }
          return found;
        }"""
    )
    assert inside
    assert not any(inside)
    page.keyboard.press("Escape")
    button.click()
    page.wait_for_function("window.tinkerformer.selection() || window.tinkerformer.look().cell")


@pytest.mark.parametrize(("width", "height"), [(1024, 768), (820, 1180)])
def test_on_a_tablet_the_card_covers_no_row(new_context, server, width, height):
    page = open_first_page(new_context(viewport={"width": width, "height": height}), server)
    backward_button(page).click()
    card = page.get_by_role("region", name="What is shown in place of values")
    expect(card).to_be_visible()
    assert max(at_rest(page, ENDS_OF_ROWS, frames=20)) <= card.bounding_box()["y"]


def test_on_a_tablet_a_comparison_moves_no_row(new_context, server):
    page = open_first_page(new_context(viewport={"width": 1024, "height": 768}), server)
    page.evaluate("tinkerformer.set('source.embedding', 1, 2, -0.25)")
    compare = page.get_by_role("button", name="Compare", exact=True)
    expect(compare).to_be_visible()
    before = at_rest(page, ENDS_OF_ROWS, frames=20)
    compare.click()
    expect(page.get_by_role("region", name="What is shown in place of values")).to_be_visible()
    assert at_rest(page, ENDS_OF_ROWS, frames=20) == before


def test_the_key_and_the_button_switch_between_the_forward_and_the_backward_pass(still):
    """In the backward pass, no word is followed, and the legend differs."""
    page = still
    following = page.get_by_role("button", name=re.compile("^Following"))
    legend = page.locator("dl.legend")
    expect(following).to_be_visible()
    expect(legend).to_contain_text("A ribbon is attention")
    page.keyboard.press("b")
    plane(page, "gradient")
    expect(following).to_be_hidden()
    expect(legend).to_contain_text("raises the loss")
    expect(legend).not_to_contain_text("A ribbon is attention")
    assert page.locator(".labels [aria-pressed=true]").count() == 0
    page.get_by_text("Gradients of the loss", exact=True).wait_for()
    page.get_by_text("each matrix on a scale of its own").wait_for()
    expect(page.get_by_text("gradient of the loss", exact=True)).to_be_visible()
    card = page.get_by_role("region", name="What is shown in place of values")
    expect(card.get_by_text("Blue: increasing the number raises the loss")).to_be_visible()
    # The loss does not depend on the probabilities.
    expect(page.locator("[data-backward='gradients start at logits']")).to_have_count(1)
    # The weights at the ends of ribbons belong to the forward pass.
    weights = page.locator(".ribbon-end")
    expect(weights.first).to_be_hidden()
    page.keyboard.press("b")
    plane(page, "value")
    expect(weights.first).to_be_visible()
    expect(following).to_be_visible()
    expect(legend).to_contain_text("A ribbon is attention")
    button = backward_button(page)
    expect(button).to_have_attribute("aria-pressed", "false")
    button.click()
    plane(page, "gradient")
    page.get_by_role("button", name="Back to values").click()
    expect(button).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keys for where you are")
    keys.get_by_text("back from the loss, as gradients; and forward again").wait_for()
    page.keyboard.press("Escape")
    expect(keys).to_be_hidden()
    # While typing, B is a letter.
    page.keyboard.press("g")
    page.get_by_role("combobox", name="Name of a matrix").press("b")
    expect(page.get_by_role("combobox", name="Name of a matrix")).to_have_value("b")
    page.keyboard.press("Escape")


PHONE = {"viewport": {"width": 420, "height": 860}, "has_touch": True, "is_mobile": True}


def should_be(page, place):
    """Return the field for the correct word at a position."""
    return page.get_by_label(re.compile(f"^should be at position {place - 1}:"))


@pytest.mark.parametrize("how", ["mouse", "keyboard", "touch"])
def test_a_wrong_word_is_chosen_and_taught_and_written_and_undone(new_context, server, how):
    settings = PHONE if how == "touch" else {}
    page = open_first_page(new_context(reduced_motion="reduce", **settings), server)
    backward = backward_button(page)
    backward.tap() if how == "touch" else backward.click()
    plane(page, "gradient")
    card = page.get_by_role("region", name="What is shown in place of values")
    expect(card).to_contain_text("It already writes this. Choose another word above")
    field = should_be(card, 3)
    if how == "keyboard":
        field.focus()
        page.keyboard.press("p")
        expect(card).not_to_contain_text("It already writes this")
        for _ in range(20):  # each press chooses the next word that begins with this letter
            if field.input_value() == "petit":
                break
            page.keyboard.press("p")
    else:
        field.dispatch_event("pointerdown")  # as a press does before the browser opens the list
        field.select_option("petit")
    expect(card).to_contain_text("It writes “noir” where “petit” should be")
    if how == "keyboard":
        expect(field).to_be_focused()
    expect(card.locator("li.is-other").first).to_contain_text("writes noir")
    many = card.get_by_role("button", name="Take 10")
    for _ in range(2):
        if how == "touch":
            many.tap()
        elif how == "keyboard":
            many.press("Enter")
        else:
            many.click()
        expect(card.locator(".descended")).to_contain_text("“petit”")
        if card.locator("li.is-other").count() == 0:
            break
    expect(card.locator("li.is-other")).to_have_count(0)
    if how == "touch":
        assert many.bounding_box()["height"] >= 44
        assert field.bounding_box()["height"] >= 44
    unaided = card.get_by_role("button", name="Let it write by itself")
    unaided.tap() if how == "touch" else unaided.press("Enter")
    written = page.get_by_role("listbox", name="Target").or_(page.locator(".chip"))
    expect(written.filter(has_text="petit").first).to_be_visible()
    expect(unaided).to_be_hidden()
    if how != "touch":
        for _ in range(4):
            page.keyboard.press("Control+z")
        expect(should_be(card, 3)).to_have_value("noir")
        expect(card).to_contain_text("It already writes this.")
