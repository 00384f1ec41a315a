"""The page on a telephone."""

from tinkerformer.scenario.scenario import Scenario

from tests.browser.conftest import open_page
from tests.browser.student import click_cell, wait_until_shown


def test_a_narrow_page_never_scrolls_sideways_and_its_sides_are_out_of_the_way(new_context, server):
    page = open_page(new_context(viewport={"width": 420, "height": 900}), server)
    assert page.evaluate("document.documentElement.scrollWidth") <= 420
    page.get_by_role("button", name="settings of the model").click()
    page.get_by_role("button", name="increase d_model").click()
    wait_until_shown(page, Scenario().with_setting("d_model", 10), "source.W_e")
    page.keyboard.press("Escape")
    # The drawer slides away over the numbers.
    page.wait_for_function(
        """() => { const r = window.tinkerformer.rect("source.W_e", 0, 0);
          const e = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2);
          return Boolean(e?.closest("main")); }"""
    )
    click_cell(page, "source.W_e", 0, 0)
    page.get_by_role("slider").wait_for()
