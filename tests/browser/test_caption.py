"""The caption of the picture: what the last change did, where nothing else is drawn."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect
from tinkerformer.explain.changes import last_change
from tinkerformer.files import catalog
from tinkerformer.inference.forward_pass import ForwardPassRunner
from tinkerformer.session.state import AppState

FIRST = catalog.first("phrases")
EMBEDDING = "source.embedding"


def test_it_says_what_was_written_otherwise_and_takes_it_back(whole: Page) -> None:
    changed = whole.locator(".last-change")
    expect(changed).to_be_hidden()
    whole.get_by_role("button", name="What if “black” were “white”?").click()
    expect(changed.locator("strong")).to_have_text(re.compile("noir.*becomes.*blanc"))
    expect(changed.locator(".cause")).to_have_text("black → white")
    # Nothing says it a second time.
    expect(whole.locator(".status")).not_to_contain_text("becomes")
    changed.get_by_role("button", name="Undo").click()
    expect(changed).to_be_hidden()
    expect(whole.get_by_role("button", name="edit black")).to_be_visible()


@pytest.mark.parametrize("value", [-1.2, 0.59])
def test_it_agrees_with_the_numbers(whole: Page, value: float) -> None:
    state = AppState(FIRST)
    state.change(FIRST.with_value(EMBEDDING, (1, 2), value))
    told = last_change(FIRST, state.scenario, ForwardPassRunner())
    assert told is not None
    whole.evaluate(f"window.tinkerformer.set('{EMBEDDING}', 1, 2, {value})")
    changed = whole.locator(".last-change")
    expect(changed.locator(".cause")).to_have_text(told.cause)
    expect(changed.locator("strong")).to_have_text(told.effect)
    assert ("same words" in told.effect) == (state.scenario.target == FIRST.target)


def test_where_it_has_no_place_the_bar_says_it(whole: Page) -> None:
    whole.get_by_role("button", name="What if “black” were “white”?").click()
    expect(whole.locator(".picture-caption")).to_be_visible()
    for _ in range(6):
        whole.get_by_role("button", name="Nearer").click()
    expect(whole.locator(".picture-caption")).to_be_hidden()
    expect(whole.locator(".status")).to_contain_text("becomes")
    whole.get_by_role("tab", name="Formulas").click()
    expect(whole.locator(".status")).to_contain_text("becomes")


def test_while_a_number_is_dragged_the_word_stands_beside_it(whole: Page) -> None:
    box = whole.locator(".hinted").bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    whole.mouse.move(x, y)
    whole.mouse.down()
    for step in range(1, 14):
        whole.mouse.move(x + 8 * step, y)
    beside = whole.locator(".scrub b")
    expect(beside).to_have_text(re.compile("^noir → "))
    written = beside.text_content()
    assert written
    expect(whole.locator(".labels .written.other").first).to_have_text(written.partition("→ ")[2])
    whole.keyboard.press("Escape")
    whole.mouse.up()
