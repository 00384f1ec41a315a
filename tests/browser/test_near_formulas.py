"""Formulas are typeset where they are seen, so that a page of many opens at once."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.browser.student import see

LAST = "output.logits"
# Of all formulas of the board: those that are not typeset yet, and those that are.
FAR = ".board .far"
SET = ".board .equation .katex, .board .symbol .katex"


def typeset_in(page: Page, path: str) -> bool:
    return bool(page.locator(f'figure[data-path="{path}"] .symbol .katex').count())


def test_what_is_out_of_sight_is_typeset_when_it_comes_near(phrases: Page) -> None:
    page = phrases
    page.locator(SET).first.wait_for()
    assert page.locator(FAR).count() > 20
    assert not typeset_in(page, LAST)
    # Until then it is there in words, for a screen reader.
    assert page.locator(".equation.far").last.inner_text().strip()
    see(page, LAST)
    page.locator(f'figure[data-path="{LAST}"] .symbol .katex').wait_for()


def test_printed_all_are_typeset(phrases: Page) -> None:
    phrases.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert phrases.locator(FAR).count() == 0
    assert typeset_in(phrases, LAST)


def test_an_equation_that_is_too_wide_scrolls_once_it_is_typeset(phrases: Page) -> None:
    phrases.set_viewport_size({"width": 330, "height": 700})
    phrases.evaluate("dispatchEvent(new Event('beforeprint'))")
    wide = phrases.locator(".equation.scrolls")
    wide.first.wait_for(state="attached")
    assert wide.first.get_attribute("tabindex") == "0"
