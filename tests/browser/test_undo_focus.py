from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from tinkerformer.files import catalog

from tests.browser.student import click_cell

FIRST = catalog.first("phrases")
EMBEDDING = "source.embedding"
CHAT = {"stack": "decoder", "index": FIRST.target.index("chat") - 1}
IS_FOLLOWED = """lane => JSON.stringify(window.tinkerformer.look().following)
  === JSON.stringify(lane)"""


def wait_for_word(page: Page, lane: dict | None) -> None:
    page.wait_for_function(IS_FOLLOWED, arg=lane)


def wait_for_number(page: Page, *, is_there: bool) -> None:
    page.wait_for_function(
        "isThere => (window.tinkerformer.selection() !== null) === isThere", arg=is_there
    )


def follow_by_mouse(page: Page) -> None:
    page.locator(".written:text-is('chat')").first.click()


def follow_by_key(page: Page) -> None:
    page.locator(".written:text-is('chat')").first.focus()
    page.keyboard.press("Enter")


def follow_by_program(page: Page) -> None:
    page.evaluate("window.tinkerformer.follow('decoder', 1)")


@pytest.mark.parametrize("how", [follow_by_mouse, follow_by_key, follow_by_program])
def test_following_a_word_releases_the_number(whole: Page, how: Callable) -> None:
    click_cell(whole, EMBEDDING, 1, 2)
    wait_for_word(whole, None)
    how(whole)
    wait_for_word(whole, CHAT)
    wait_for_number(whole, is_there=False)
    expect(whole.get_by_role("heading", name="Things to try")).to_be_visible()


def test_an_oscillating_number_stays_selected_while_a_word_is_followed(whole: Page) -> None:
    click_cell(whole, EMBEDDING, 1, 2)
    whole.evaluate("window.tinkerformer.oscillate(true)")
    whole.wait_for_function("window.tinkerformer.oscillating()")
    follow_by_program(whole)
    whole.wait_for_function("window.tinkerformer.look().following !== null")
    assert whole.evaluate("window.tinkerformer.selection()") is not None
    whole.evaluate("window.tinkerformer.oscillate(false)")
    whole.evaluate("window.tinkerformer.follow(null)")
    whole.wait_for_function("window.tinkerformer.look().following === null")
    assert whole.evaluate("window.tinkerformer.selection()") is not None
