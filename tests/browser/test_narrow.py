"""The page on a telephone."""

import itertools
import re

from playwright.sync_api import BrowserContext, Page, expect
from tinkerformer.scenario.scenario import Scenario

from tests.browser.conftest import open_first_page, open_page
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


def phone(new_context, server: str) -> Page:
    """The page as it opens on a telephone."""
    size = {"width": 420, "height": 860}
    context: BrowserContext = new_context(viewport=size, has_touch=True, is_mobile=True)
    return open_first_page(context, server)


def test_on_a_telephone_every_row_has_its_word(new_context, server):
    page = phone(new_context, server)
    words = page.locator(".labels .word")
    assert words.count() == 16
    for at in range(16):
        expect(words.nth(at)).to_have_css("opacity", "1")
    sizes = words.evaluate_all(
        "all => all.map((el) => 13 * el.getBoundingClientRect().height / 20)"
    )
    assert min(sizes) >= 8.9
    # Of one stack the rows stand below each other without overlap of their letters.
    tops = words.evaluate_all("all => all.slice(0, 7).map((el) => el.getBoundingClientRect().y)")
    assert min(b - a for a, b in itertools.pairwise(tops)) >= 9.5


def test_the_hint_on_a_telephone_says_tap(new_context, server):
    page = phone(new_context, server)
    hint = page.get_by_role("note").filter(has_text="Tap the ringed number, then drag it.")
    expect(hint).to_be_visible()
    box = hint.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 420
    # It covers no word of a row.
    for word in page.locator(".labels .word").all():
        other = word.bounding_box()
        is_beside = other["x"] + other["width"] <= box["x"] or other["x"] >= box["x"] + box["width"]
        is_above = other["y"] + other["height"] <= box["y"] + 4
        assert is_beside or is_above or other["y"] >= box["y"] + box["height"]


SAID = """() => {
  const said = [], walk = (root) => {
    for (const el of root.querySelectorAll("*")) {
      if (el.matches("script, style")) continue;
      for (const name of ["aria-label", "title", "placeholder"])
        if (el.hasAttribute(name)) said.push(el.getAttribute(name));
      for (const node of el.childNodes)
        if (node.nodeType === Node.TEXT_NODE && node.data.trim()) said.push(node.data.trim());
      if (el.shadowRoot) walk(el.shadowRoot);
    }
  };
  walk(document);
  return said;
}"""


def test_no_text_on_a_telephone_speaks_of_a_mouse(new_context, server):
    page = phone(new_context, server)
    # The word, not the animal, which the model translates.
    of_mouse = re.compile(r"\b(click\w*|hover\w*|scroll to zoom|mouse wheel)\b", re.IGNORECASE)
    page.evaluate("window.tinkerformer.select('encoder.0.self_attn.norm', 1, 2)")
    page.wait_for_function("window.tinkerformer.selection() !== null")
    for view in ("Picture", "Formulas"):
        page.get_by_role("tab", name=view).click()
        page.wait_for_function("window.tinkerformer.paths().length > 20")
        assert [text for text in page.evaluate(SAID) if of_mouse.search(text)] == []


def test_on_a_telephone_nothing_becomes_wider_than_the_screen(new_context, server):
    page = phone(new_context, server)
    near = page.evaluate("window.tinkerformer.rect('source.embedding', 1, 2)")
    page.touchscreen.tap(near["x"] + near["width"] / 2, near["y"] + near["height"] / 2)
    page.get_by_role("slider").first.wait_for()
    assert page.evaluate("[document.documentElement.scrollWidth, innerWidth]") == [420, 420]


def test_on_a_telephone_all_ideas_are_within_reach_and_the_drawer_leaves_a_picture(
    new_context, server
):
    page = phone(new_context, server)
    page.get_by_role("button", name="More forms of the model").tap()
    for idea in page.get_by_role("menuitemradio").all():
        idea.scroll_into_view_if_needed()
        idea.click(trial=True)  # which fails for one that is covered
    page.keyboard.press("Escape")
    page.get_by_role("button", name="How it writes").tap()
    expect(page.locator("#drawer")).to_be_visible()
    drawer = page.locator("#drawer").bounding_box()
    picture = page.locator(".picture").bounding_box()
    assert drawer["y"] - picture["y"] >= 80
