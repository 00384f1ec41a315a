import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import open_first_page


def _add_layer(page: Page) -> None:
    page.get_by_role("button", name="Settings").first.click()
    page.get_by_role("button", name="increase layers, encoder").click()
    page.keyboard.press("Escape")


@pytest.mark.parametrize("size", [(420, 860)])
def test_the_status_line_offers_training_on_a_phone(
    new_context, server: str, size: tuple[int, int]
) -> None:
    viewport = dict(zip(("width", "height"), size, strict=True))
    page = open_first_page(new_context(viewport=viewport, has_touch=True), server)
    _add_layer(page)
    page.locator(".hint .train").click()
    expect(page.get_by_role("button", name="Pause", exact=True)).to_be_visible()


def test_no_training_is_offered_after_another_change(whole: Page) -> None:
    whole.get_by_role("button", name="Replace “black” by “white”").click()
    expect(whole.locator(".last-change .undo")).to_be_visible()
    expect(whole.locator(".last-change .train")).to_be_hidden()


def test_a_resized_model_offers_training_and_has_titles_of_one_size(whole: Page) -> None:
    _add_layer(whole)
    whole.wait_for_function(
        """() => {
          const roots = [document], titles = [];
          for (const root of roots) for (const el of root.querySelectorAll("*"))
            el.shadowRoot && roots.push(el.shadowRoot);
          for (const root of roots) titles.push(...root.querySelectorAll(".label.title"));
          const row = titles.filter((el) => el.checkVisibility() && !el.matches(".covered") &&
            /encoder/.test(el.ariaLabel) && /attention|feed/.test(el.ariaLabel) &&
            !/cross/.test(el.ariaLabel));
          return row.length >= 4 && new Set(row.map((el) => el.matches(".short"))).size === 1;
        }"""
    )
    said = whole.locator(".last-change")
    expect(said).to_contain_text("New layers start from random numbers.")
    expect(said).not_to_contain_text("instead of")
    said.get_by_role("button", name=re.compile(r"^Train it \(about \d+ s\)$")).click()
    expect(whole.get_by_role("button", name="Pause", exact=True)).to_be_visible()
    expect(whole.locator(".run .count")).to_have_text(re.compile(r"step [1-9]"))
