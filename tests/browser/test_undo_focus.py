"""Undo gives back what was in focus, and following a word lets go of a selected number."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from tinkerformer.files import catalog

from tests.browser.conftest import open_first_page
from tests.browser.student import at_rest, click_cell

FIRST = catalog.first("phrases")
EMBEDDING = "source.embedding"
NOIR = {"stack": "decoder", "index": FIRST.target.index("noir") - 1}
CHAT = {"stack": "decoder", "index": FIRST.target.index("chat") - 1}
IS_FOLLOWED = """lane => JSON.stringify(window.tinkerformer.look().following)
  === JSON.stringify(lane)"""
IS_ORIGINAL = "() => !window.tinkerformer.scenario().edits"


def wait_for_word(page: Page, lane: dict | None) -> None:
    page.wait_for_function(IS_FOLLOWED, arg=lane)


def wait_for_number(page: Page, *, is_there: bool) -> None:
    page.wait_for_function(
        "isThere => (window.tinkerformer.selection() !== null) === isThere", arg=is_there
    )


def drag(page: Page, row: int, column: int) -> None:
    box = at_rest(page, "window.tinkerformer.rect(...a)", EMBEDDING, row, column)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y, steps=5)
    page.wait_for_function("window.tinkerformer.scenario().edits")
    page.mouse.up()


def follow_by_mouse(page: Page) -> None:
    page.locator(".written:text-is('chat')").first.click()


def follow_by_key(page: Page) -> None:
    page.locator(".written:text-is('chat')").first.focus()
    page.keyboard.press("Enter")


def follow_by_program(page: Page) -> None:
    page.evaluate("window.tinkerformer.follow('decoder', 1)")


def test_undo_of_a_drag_gives_back_the_word_in_one_step(whole: Page) -> None:
    wait_for_word(whole, NOIR)
    drag(whole, 1, 2)
    wait_for_word(whole, None)
    wait_for_number(whole, is_there=True)
    whole.keyboard.press("Control+z")
    wait_for_word(whole, NOIR)
    wait_for_number(whole, is_there=False)
    whole.wait_for_function(IS_ORIGINAL)


@pytest.mark.parametrize("how", [follow_by_mouse, follow_by_key, follow_by_program])
def test_following_a_word_lets_go_of_the_number(whole: Page, how: Callable) -> None:
    click_cell(whole, EMBEDDING, 1, 2)
    wait_for_word(whole, None)
    how(whole)
    wait_for_word(whole, CHAT)
    wait_for_number(whole, is_there=False)
    expect(whole.get_by_role("heading", name="Things to try")).to_be_visible()


def test_by_touch_too(new_context: Callable[..., BrowserContext], server: str) -> None:
    size = {"width": 420, "height": 800}
    page = open_first_page(new_context(viewport=size, has_touch=True, is_mobile=True), server)
    box = at_rest(page, "window.tinkerformer.rect(...a)", EMBEDDING, 1, 2)
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    wait_for_number(page, is_there=True)
    page.keyboard.press("Escape")
    wait_for_word(page, NOIR)
    page.evaluate("window.tinkerformer.select('source.embedding', 1, 2)")
    wait_for_number(page, is_there=True)
    page.locator(".word:text-is('cat')").first.tap()
    wait_for_word(page, {"stack": "encoder", "index": 2})
    wait_for_number(page, is_there=False)


def test_a_number_that_swings_stays_and_the_panel_says_what_is_followed(whole: Page) -> None:
    click_cell(whole, EMBEDDING, 1, 2)
    whole.evaluate("window.tinkerformer.oscillate(true)")
    whole.wait_for_function("window.tinkerformer.oscillating()")
    follow_by_program(whole)
    said = whole.get_by_text("In the picture “le” is followed.")
    expect(said).to_be_visible()
    assert whole.evaluate("window.tinkerformer.selection()") is not None
    whole.evaluate("window.tinkerformer.oscillate(false)")
    whole.evaluate("window.tinkerformer.follow(null)")
    expect(said).not_to_be_visible()
