"""Every drag has an alternative by single presses (WCAG 2.2, criterion 2.5.7)."""

from playwright.sync_api import Page

from tests.browser.student import at_rest
from tests.browser.test_whole import look

NUMBER = ("source.embedding", 1, 3)


def press(page: Page, selector: str, across: float, down: float = 0.5) -> None:
    """Press a place of an element that has stopped moving, without a move between down and up."""
    target = page.locator(selector)
    target.scroll_into_view_if_needed()
    box = target.bounding_box()
    target.click(position={"x": across * box["width"], "y": down * box["height"]})


def test_a_number_is_set_by_a_press_on_its_track_and_on_its_curve(still: Page) -> None:
    cell = at_rest(still, "window.tinkerformer.rect(...a)", *NUMBER)
    still.mouse.click(cell["x"] + cell["width"] / 2, cell["y"] + cell["height"] / 2)
    still.wait_for_function("window.tinkerformer.selection()?.path === 'source.embedding'")
    still.get_by_role("slider").wait_for()
    press(still, "input.slider", 0.9)
    still.wait_for_function("(cell) => window.tinkerformer.value(...cell) > 3", arg=list(NUMBER))
    press(still, "svg.curve", 0.2)
    still.wait_for_function("(cell) => window.tinkerformer.value(...cell) < -2", arg=list(NUMBER))


def test_the_picture_is_moved_by_two_presses_and_by_the_small_map(still: Page) -> None:
    title = still.get_by_role("button", name="feed-forward, part of the encoder").bounding_box()
    still.mouse.dblclick(title["x"] + title["width"] / 2, title["y"] + 70)
    before = look(still)
    assert not before["isAll"]
    # Two presses off the middle move that place to the middle, even at the greatest zoom.
    box = still.locator(".whole").bounding_box()
    x, y = box["x"] + 0.6 * box["width"], box["y"] + 0.45 * box["height"]
    still.mouse.dblclick(x, y)
    after = look(still)
    assert after["x"] > before["x"]
    still.wait_for_selector(".small-map:not([hidden])")
    press(still, ".small-map", 0.05)
    assert look(still)["x"] < after["x"]
    still.get_by_role("button", name="All of it (0)").click()
    assert look(still)["isAll"]
