import re

import pytest
from playwright.sync_api import expect
from tinkerformer.model.scenario.scenario import Scenario

from tests.browser.student import at_rest, computed, press_at, slider

STAGE = "encoder.0.feed_forward"
HIDDEN = f"{STAGE}.hidden"


def drawn(page):
    """Return the index of the drawn row of the hidden layer, or None if all are drawn."""
    return page.evaluate(
        """([path]) => { const found = window.tinkerformer.paths().filter((p) =>
             p === path || p.startsWith(`${path}@`));
           return found.map((p) => p === path ? null : Number(p.split("@")[1].split("+")[0])); }""",
        [HIDDEN],
    )


def wait_for_row(page, row):
    page.wait_for_function(
        "([path]) => window.tinkerformer.paths().some((p) => `${p},`.startsWith(path))",
        arg=[f"{HIDDEN}," if row is None else f"{HIDDEN}@{row}+1,"],
    )
    assert drawn(page) == [row]


@pytest.fixture
def chooser(page):
    stage = page.locator(f"[data-stage='{STAGE}']")
    stage.scroll_into_view_if_needed()
    return stage.get_by_role("radiogroup", name="Token to follow")


def wait_until_row_shows(page, scenario, row):
    expected = computed(scenario, HIDDEN)[row].tolist()
    page.wait_for_function(
        """([path, i, row]) => row.every((x, j) =>
             Math.abs((window.tinkerformer.value(path, i, j) ?? NaN) - x) < 1e-5)""",
        arg=[HIDDEN, row, expected],
    )


def test_arrow_keys_choose_a_token_and_keep_the_focus(page, chooser):
    assert drawn(page) == [None]
    chooser.get_by_role("radio", name="all tokens").focus()
    page.keyboard.press("ArrowRight")
    wait_for_row(page, 0)
    page.keyboard.press("ArrowRight")
    wait_for_row(page, 1)
    expect(chooser.get_by_role("radio", name="cat")).to_be_focused()
    expect(chooser.get_by_role("radio", checked=True)).to_have_count(1)
    page.keyboard.press("End")
    wait_for_row(page, 5)
    page.keyboard.press("ArrowRight")
    wait_for_row(page, None)


def test_a_cell_of_a_single_row_can_be_selected_and_dragged_and_oscillated(page, chooser):
    chooser.get_by_role("radio", name="cat").click()
    wait_for_row(page, 1)
    press_at(page, at_rest(page, "window.tinkerformer.rect(...a)", HIDDEN, 1, 3))
    page.wait_for_function("window.tinkerformer.selection()?.j === 3")
    assert page.evaluate("window.tinkerformer.selection()") == {"path": HIDDEN, "i": 1, "j": 3}
    place = page.locator(".cell .where").first
    expect(place).to_have_attribute(
        "title", "row cat (position 1, id 1), column f3, counted from 0"
    )
    expect(place).to_have_text(re.compile("^“cat” · number f3 of "))
    slider(page).focus()
    page.keyboard.press("End")
    end = float(slider(page).get_attribute("aria-valuemax") or slider(page).get_attribute("max"))
    page.wait_for_function(
        "([p, x]) => window.tinkerformer.value(p, 1, 3) === x", arg=[HIDDEN, end]
    )
    changed = Scenario().with_value(HIDDEN, (1, 3), end)
    wait_until_row_shows(page, changed, 1)
    page.get_by_role("button", name="Oscillate").click()
    page.wait_for_function("window.tinkerformer.oscillating()")
    page.wait_for_function(
        "([p, x]) => Math.abs(window.tinkerformer.value(p, 1, 3) - x) > 0.5", arg=[HIDDEN, end]
    )
    page.get_by_role("button", name="Stop").click()
    wait_until_row_shows(page, changed, 1)
