"""Formulas are typeset when they are near the view, so that a page of many opens fast."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import open_page
from tests.browser.student import see

LAST = "output.logits"
# Selectors of the formulas that are not typeset yet, and of those that are.
FAR = ".board .far"
SET = ".board .equation .katex, .board .symbol .katex"


def typeset_in(page: Page, path: str) -> bool:
    return bool(page.locator(f'figure[data-path="{path}"] .symbol .katex').count())


def test_hidden_formulas_are_typeset_when_near_and_all_are_printed(phrases: Page) -> None:
    page = phrases
    page.locator(SET).first.wait_for()
    assert page.locator(FAR).count() > 20
    assert not typeset_in(page, LAST)
    # Until then, the formula has words for a screen reader.
    assert page.locator(".equation.far").last.inner_text().strip()
    see(page, LAST)
    page.locator(f'figure[data-path="{LAST}"] .symbol .katex').wait_for()
    phrases.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert phrases.locator(FAR).count() == 0
    assert typeset_in(phrases, LAST)


def test_an_equation_that_is_too_wide_scrolls_once_it_is_typeset(phrases: Page) -> None:
    phrases.set_viewport_size({"width": 330, "height": 700})
    phrases.evaluate("dispatchEvent(new Event('beforeprint'))")
    wide = phrases.locator(".equation.scrolls")
    wide.first.wait_for(state="attached")
    assert wide.first.get_attribute("tabindex") == "0"


def test_the_contents_open_each_stage_and_mark_the_one_being_read(new_context, server):
    page = open_page(new_context(viewport={"width": 1440, "height": 900}), server, "formulas")
    contents = page.get_by_role("navigation", name="On this page")
    stages = page.evaluate("window.tinkerformer.stages().map(({ title }) => title)")
    buttons = contents.get_by_role("button")
    expect(buttons).to_have_count(len(stages))
    for title in (stages[-2], stages[0]):
        button = contents.get_by_role("button", name=title, exact=True)
        button.focus()
        page.keyboard.press("Enter")
        expect(contents.locator("[aria-current=location]")).to_have_text(button.inner_text())
        expect(page.get_by_role("heading", name=title, exact=True)).to_be_in_viewport()
        # The contents stay visible above the stage, and cover no heading.
        line, heading = contents.bounding_box(), page.get_by_role("heading", name=title)
        assert line["y"] + line["height"] <= heading.first.bounding_box()["y"]
    buttons.first.focus()
    page.keyboard.press("ArrowRight")
    expect(buttons.nth(1)).to_be_focused()
    page.set_viewport_size({"width": 800, "height": 900})
    expect(contents).to_be_hidden()
