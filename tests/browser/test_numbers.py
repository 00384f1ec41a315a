from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, expect
from tinkerformer.model.scenario.scenario import Scenario

from tests.browser.conftest import open_page
from tests.browser.student import at_rest, click_cell, compare_from_here, wait_until_shown

Q, WEIGHTS, W_Q = (f"encoder.0.self_attn.head.0.{leaf}" for leaf in ("q", "weights", "W_q"))


def middle_of(page: Page, path: str, row: int, column: int) -> tuple[float, float]:
    box = at_rest(page, "window.tinkerformer.rect(...a)", path, row, column)
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def value(page: Page, path: str, row: int, column: int) -> float:
    found = page.evaluate("(a) => window.tinkerformer.value(...a)", [path, row, column])
    assert isinstance(found, (int, float))
    return found


def edits(page: Page) -> Any:
    return page.evaluate("window.tinkerformer.scenario().edits ?? {}")


def test_pointing_shows_a_tooltip_and_escape_restores_a_dragged_number(page):
    click_cell(page, "source.W_e", 0, 0)
    page.get_by_label("exact value").wait_for()
    page.mouse.move(*middle_of(page, Q, 0, 1))
    tip = page.locator(".tip")
    expect(tip).to_contain_text("the · k1")
    number = tip.locator("strong").text_content()
    assert float(number.replace("−", "-")) == pytest.approx(value(page, Q, 0, 1), rel=1e-3)
    # The operands of the number are ringed; the inspector keeps the selected number.
    page.locator(".ring.operand.preview").nth(1).wait_for()
    expect(page.locator(".inspector .path")).to_have_text("In code, all from 0: source.W_e[0, 0]")
    page.mouse.move(2, 2)
    expect(tip).to_be_hidden()
    x, y = middle_of(page, WEIGHTS, 2, 1)
    before = value(page, WEIGHTS, 2, 1)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 300, y, steps=10)
    # A weight is dragged between 0 and 1.
    page.wait_for_function("([p]) => window.tinkerformer.value(p, 2, 1) === 1", arg=[WEIGHTS])
    page.keyboard.press("Escape")
    page.mouse.up()
    wait_until_shown(page, Scenario(), WEIGHTS)
    wait_until_shown(page, Scenario(), "output.probabilities")
    assert value(page, WEIGHTS, 2, 1) == before
    page.wait_for_function("!Object.keys(window.tinkerformer.scenario().edits ?? {}).length")


def test_dragging_a_number_sideways_changes_it(page):
    x, y = middle_of(page, W_Q, 2, 1)
    before = value(page, W_Q, 2, 1)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 50, y, steps=10)
    bubble = page.locator(".scrub strong")
    expect(bubble).to_have_text(f"{round(before + 1, 2):.3f}".replace("-", "−"))
    page.keyboard.down("Shift")
    page.mouse.move(x + 60, y, steps=5)
    page.mouse.up()
    page.keyboard.up("Shift")
    expect(bubble).to_have_count(0)
    # The tolerance is less than a step of the drag, so that only its last number fits.
    page.wait_for_function(
        """([x]) => Object.values(window.tinkerformer.scenario().edits ?? {}).some(
            ([[head, i, j, now]]) => !head && i === 2 && j === 1 && Math.abs(now - x) < 0.0006)""",
        arg=[before + 1.02],
    )
    (edit,) = edits(page)["encoder.0.self_attn.W_q"]
    scenario = Scenario().with_value(W_Q, (2, 1), edit[3])
    wait_until_shown(page, scenario, "output.probabilities")
    selected = page.evaluate("window.tinkerformer.selection()")
    assert selected == {"path": W_Q, "i": 2, "j": 1}


def touch(client: CDPSession, kind: str, *points: tuple[float, float]) -> None:
    sent = [{"x": x, "y": y} for x, y in points]
    client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": sent})


def test_a_finger_scrolls_and_changes_a_number_after_a_long_press(new_context, server):
    context = new_context(viewport={"width": 420, "height": 860}, has_touch=True, is_mobile=True)
    page = open_page(context, server)
    client = context.new_cdp_session(page)
    x, y = middle_of(page, W_Q, 2, 1)
    scrolled = "document.scrollingElement.scrollTop"
    top, before = page.evaluate(scrolled), value(page, W_Q, 2, 1)
    touch(client, "touchStart", (x, y))
    for k in range(1, 12):
        touch(client, "touchMove", (x + k, y - 12 * k))
    touch(client, "touchEnd")
    page.wait_for_function("([top]) => document.scrollingElement.scrollTop > top + 50", arg=[top])
    assert value(page, W_Q, 2, 1) == before

    x, y = middle_of(page, W_Q, 2, 1)
    top = page.evaluate(scrolled)
    touch(client, "touchStart", (x, y))
    page.locator(".scrub strong").wait_for()
    for k in range(1, 11):
        touch(client, "touchMove", (x + 5 * k, y - 5 * k))
    page.wait_for_function(
        "([p, x]) => Math.abs(window.tinkerformer.value(p, 2, 1) - x) < 0.0051",
        arg=[W_Q, before + 2],
    )
    assert page.evaluate(scrolled) == top
    touch(client, "touchEnd")
    page.wait_for_function("window.tinkerformer.selection() !== null")


def test_the_tooltip_states_why_a_matrix_has_no_change(page):
    compare_from_here(page)
    page.get_by_role("button", name="add a token to Source").click()
    page.keyboard.type("dog")
    page.keyboard.press("Enter")
    page.wait_for_function("window.tinkerformer.matrix('source.embedding').rows === 7")
    box = at_rest(page, "window.tinkerformer.rect('source.embedding', 1, 1)")
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.locator(".tip", has_text="the size has changed since it was pinned").wait_for()
    # The status line also states it, and can be read to its end.
    page.set_viewport_size({"width": 1440, "height": 900})
    box = at_rest(page, "window.tinkerformer.rect('source.embedding', 1, 1)")
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    line = page.locator(".readout > div", has_text="no number here before")
    line.wait_for()
    assert line.evaluate("line => line.scrollWidth <= line.clientWidth")
    box = at_rest(page, "window.tinkerformer.rect(a[0], 1, 1)", W_Q)
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.locator(".tip", has_not_text="the size has changed").wait_for()


@pytest.mark.parametrize("width", [1440, 1024])
def test_the_number_in_the_status_line_and_the_parts_beside_it_are_not_cut(
    whole: Page, width: int
) -> None:
    whole.set_viewport_size({"width": width, "height": 900})
    path = "decoder.0.self_attn.norm"
    whole.evaluate(f"window.tinkerformer.set('{path}', 2, 1, 1.75)")
    whole.evaluate(f"window.tinkerformer.select('{path}', 2, 1)")
    parts = whole.locator(".readout .parts")
    expect(parts.locator(".value")).to_have_text("1.75")
    expect(parts).to_contain_text("overridden")
    seen = parts.evaluate(
        """(parts) => {
          const home = parts.getBoundingClientRect();
          const seen = [...parts.children].filter((each) => {
            const box = each.getBoundingClientRect();
            return box.width && box.top < home.bottom - 1;
          });
          const isIn = (each) => each.getBoundingClientRect().right <= home.right + 0.5;
          return [seen[0]?.textContent, seen.every(isIn)];
        }"""
    )
    assert seen == ["1.75", True]
