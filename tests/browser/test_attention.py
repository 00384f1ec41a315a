"""The Attention view, used like a student uses it; its numbers, compared with transformer_math."""

import re
from itertools import pairwise

import numpy as np
import pytest
from playwright.sync_api import expect
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.matrices.attention import strongest
from tinkerformer.model.scenario.scenario import Scenario

from tests.browser.conftest import open_first_page, open_page
from tests.browser.student import (
    at_rest,
    computed,
    open_view,
    press_at,
    see,
    wait_for_inspector,
    wait_for_kinds,
    wait_until_shown,
)

ENCODER, MASKED, CROSS = "encoder.0.self_attn", "decoder.0.self_attn", "decoder.0.cross_attn"


def open_attention(page):
    open_view(page, "Attention")
    wait_for_attention(page)


def wait_for_attention(page):
    page.wait_for_function("window.tinkerformer.stages()[0]?.id === 'attention.heads'")
    page.get_by_role("listbox", name="Looks").wait_for()


@pytest.fixture
def attention(new_context, server):
    page = open_page(new_context(), server, "attention")
    wait_for_attention(page)
    return page


def enlarge(page, scope, head=0):
    page.locator(f".thumb[data-scope='{scope}'][data-head='{head}']").click()
    title = {ENCODER: "Self-attention", MASKED: "Masked self-attention", CROSS: "Cross-attention"}
    page.get_by_role("heading", name=f"{title[scope]} · ").wait_for()
    page.locator(f".thumb[data-scope='{scope}'][data-head='{head}'][aria-pressed=true]").wait_for()


def token(page, side, k):
    name = {"query": "Looks", "key": "Looked at"}[side]
    return page.get_by_role("listbox", name=name).get_by_role("option").nth(k)


def point_at(page, side, k):
    """Point at a token once it stops moving, because choosing a picture scrolls it into view."""
    found = token(page, side, k)
    found.scroll_into_view_if_needed()
    found.evaluate(
        """async el => {
          for (let last, same = 0; same < 8;) {
            const {y} = el.getBoundingClientRect();
            same = y === last ? same + 1 : 0;
            last = y;
            await new Promise(requestAnimationFrame);
          }
        }"""
    )
    found.hover()


SMALL = "<.001"


def numbers(page, side):
    """Return the texts beside the tokens of a column, one for each token."""
    found = page.locator(f".tokens.of-{side} .token").evaluate_all(
        "tokens => tokens.map(t => [...t.querySelectorAll('.number')].map(n => n.textContent))"
    )
    return [[np.nan if x == SMALL else float(x) for x in row] for row in found]


def weights(scope, scenario=None):
    return ForwardPassRunner().trace(scenario or Scenario())[f"{scope}.weights"].value


def close(shown, real):
    """Check shown weights: three decimals, NaN for positive weights below 0.0005."""
    small = np.isnan(shown)
    np.testing.assert_array_equal(small, (real > 0) & (real < 0.0005))
    np.testing.assert_allclose(np.array(shown)[~small], real[~small], atol=0.00051)


def test_pointing_at_a_token_shows_its_weights(attention):
    for scope in (ENCODER, MASKED, CROSS):
        enlarge(attention, scope)
        real = weights(scope)
        point_at(attention, "query", 1)
        attention.locator(".tokens.of-key .number").first.wait_for()
        close(numbers(attention, "key"), real[:, 1, :].T)
        point_at(attention, "key", 0)
        attention.locator(".tokens.of-query .number").first.wait_for()
        close(numbers(attention, "query"), real[:, :, 0].T)


def test_arrow_keys_move_over_the_tokens(attention):
    token(attention, "query", 0).focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowLeft", "ArrowDown"):
        attention.keyboard.press(key)
    attention.locator(".tokens.of-query .number").first.wait_for()
    close(numbers(attention, "query"), weights(ENCODER)[:, :, 1].T)
    attention.keyboard.press("Enter")
    attention.wait_for_function("window.tinkerformer.paths().some(p => p.includes('.k@1'))")


def pressed(page):
    buttons = page.locator(".swatches button")
    return [button.get_attribute("aria-pressed") == "true" for button in buttons.all()]


def test_swatches_switch_heads_on_and_off(attention):
    second = attention.locator(".swatches button").nth(1)
    second.click()
    assert pressed(attention) == [True, False]
    point_at(attention, "query", 2)
    attention.locator(".tokens.of-key .number").first.wait_for()
    close(numbers(attention, "key"), weights(ENCODER)[:1, 2, :].T)
    second.dblclick()
    assert pressed(attention) == [False, True]
    second.dblclick()
    assert pressed(attention) == [True, True]
    second.focus()
    attention.keyboard.press("Shift+Enter")
    assert pressed(attention) == [False, True]
    attention.keyboard.press("Shift+Enter")
    assert pressed(attention) == [True, True]


def ink(page, x, y, width, height):
    """Count the painted pixels in a part of the links, given by shares of the whole."""
    return page.locator(".linkboard canvas").evaluate(
        """(canvas, [x, y, w, h]) => {
          const W = canvas.width, H = canvas.height;
          const {data} = canvas.getContext("2d").getImageData(
            Math.round(x * W), Math.round(y * H), Math.round(w * W), Math.round(h * H));
          let count = 0;
          for (let k = 3; k < data.length; k += 4) count += data[k] > 0;
          return count;
        }""",
        [x, y, width, height],
    )


def test_a_masked_pair_has_no_link(attention):
    enlarge(attention, MASKED)
    point_at(attention, "query", 0)  # <sos> attends only to itself, so the lower half is empty
    attention.locator(".tokens.of-key .number").first.wait_for()
    assert ink(attention, 0, 0, 1, 0.36) > 0
    assert ink(attention, 0, 0.4, 1, 0.6) == 0
    assert [row[0] for row in numbers(attention, "key")] == [1, 0, 0]


def show_pair(page, head, query, key):
    page.get_by_label("head", exact=True).select_option(str(head))
    page.get_by_label("token that looks").select_option(str(query))
    page.get_by_label("token it looks at").select_option(str(key))


def test_a_pair_is_chosen_by_its_words_and_attended_to_alone(attention):
    """A weight can be selected, and one button makes it the only weight of its row."""
    enlarge(attention, CROSS, 1)
    weights = computed(Scenario(), f"{CROSS}.head.1.weights")
    query, key = (int(k) for k in np.unravel_index(weights.argmin(), weights.shape))
    for side, k in (("key", key), ("query", query)):
        token(attention, side, k).click()
        token(attention, side, k).and_(attention.locator("[aria-selected=true]")).wait_for()
    picker = attention.locator(".pair-picker")
    path = f"{CROSS}.head.1.weights"
    picker.locator(".weight").click()
    selected = {"path": path, "i": query, "j": key}
    assert attention.evaluate("window.tinkerformer.selection()") == selected
    expect(picker.locator(".weight")).to_have_attribute("aria-pressed", "true")
    wait_for_inspector(attention)
    # Choosing another pair moves the selection, because only one number can be selected.
    for other in ((key + 1) % weights.shape[1], key):
        attention.get_by_label("token it looks at").select_option(str(other))
        attention.wait_for_function("j => window.tinkerformer.selection()?.j === j", arg=other)
    picker.get_by_role("button", name="Look only here", exact=True).click()
    expect(picker.locator(".weight")).to_have_text(re.compile(r"^1(\.0+)?$"))
    # Scripts get the scenario when the pointer is idle.
    attention.wait_for_function("window.tinkerformer.scenario().edits")
    edited = attention.evaluate("window.tinkerformer.scenario().edits")
    assert set(edited) == {f"{CROSS}.weights"}  # it is not a parameter
    assert {place[0] for place in edited[f"{CROSS}.weights"]} == {1}


def test_the_strongest_pair_is_shown_first_and_a_click_on_a_link_shows_its_pair(attention):
    trace = ForwardPassRunner().trace(Scenario())
    first = strongest(trace, ENCODER)
    assert attention.get_by_label("token that looks").input_value() == str(first.query)
    assert attention.get_by_label("token it looks at").input_value() == str(first.key)
    # Only head 2 is on, so that no other link begins or ends at the same places.
    attention.locator(".swatches button").nth(1).dblclick()
    best = strongest(trace, ENCODER, 1)
    token(attention, "query", best.query).scroll_into_view_if_needed()
    canvas = attention.locator(".linkboard canvas").bounding_box()
    start, end = (
        token(attention, side, k).bounding_box()
        for side, k in (("query", best.query), ("key", best.key))
    )
    middle = sum(box["y"] + box["height"] / 2 for box in (start, end)) / 2
    attention.mouse.click(canvas["x"] + canvas["width"] / 2, middle)
    attention.wait_for_function(
        "([q, k]) => window.tinkerformer.paths().some(p => p.includes(`head.1.pair@${q},${k}`))",
        arg=[best.query, best.key],
    )


def test_choosing_a_pair_keeps_the_focus_and_its_numbers_are_those_of_the_whole_matrices(attention):
    select = attention.get_by_label("token that looks")
    select.focus()
    select.select_option("3")
    attention.wait_for_function("window.tinkerformer.paths().some(p => p.endsWith('.q@3'))")
    assert select.evaluate("el => el.getRootNode().activeElement === el")
    show_pair(attention, 0, 2, 1)
    path = f"{ENCODER}.head.0.q@2"
    attention.wait_for_function("p => window.tinkerformer.value(p, 0, 3) !== undefined", arg=path)
    press_at(attention, at_rest(attention, "window.tinkerformer.rect(a[0], 0, 3)", path))
    attention.wait_for_function(
        "p => { const s = window.tinkerformer.selection(); return s && s.path === p && s.i === 2"
        " && s.j === 3; }",
        arg=f"{ENCODER}.head.0.q",
    )


def test_an_oscillation_moves_links_and_the_detail(attention):
    path = f"{ENCODER}.head.0.W_q"
    attention.evaluate("p => window.tinkerformer.select(p, 0, 0)", path)
    attention.evaluate("window.tinkerformer.oscillate(true)")
    attention.wait_for_function("window.tinkerformer.oscillating()")
    wait_for_kinds(
        attention, "tinkerformer.value(a[0], 1, 1)", f"{ENCODER}.head.0.weights", kinds=9
    )
    pair = attention.evaluate("window.tinkerformer.paths().find(p => p.includes('.pair@'))")
    see(attention, pair)  # the numbers in the hidden tab do not move
    row = "[0, 1, 2, 3].map(j => tinkerformer.value(a[0], 0, j))"
    wait_for_kinds(attention, row, pair, kinds=9)


def test_sixty_tokens_a_side_are_readable(new_context, server):
    page = open_page(new_context(), server)
    more = [f"word{k}" for k in range(54)]
    page.get_by_role("button", name="add a token to Source").click()
    page.keyboard.insert_text(" ".join(more))
    page.keyboard.press("Enter")
    scenario = Scenario().with_tokens("source", [*Scenario().source, *more])
    wait_until_shown(page, scenario, f"{ENCODER}.head.0.weights")
    open_attention(page)
    last = token(page, "query", 59)
    last.scroll_into_view_if_needed()
    last.hover()
    page.locator(".tokens.of-key .number").first.wait_for()
    close(numbers(page, "key"), weights(ENCODER, scenario)[:, 59, :].T)
    boxes = [token(page, "query", k).bounding_box() for k in (57, 58, 59)]
    assert all(b["y"] - a["y"] >= 12 for a, b in pairwise(boxes))


def test_words_on_a_narrow_screen_do_not_widen_the_page(new_context, server):
    page = open_page(new_context(viewport={"width": 420, "height": 900}), server, "attention")
    wait_for_attention(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 420
    token(page, "query", 1).scroll_into_view_if_needed()
    point_at(page, "query", 1)
    page.locator(".tokens.of-key .number").first.wait_for()
    found = numbers(page, "key")
    real = weights(ENCODER)[:, 1, :].max(0)  # room for one number: that of the strongest head
    close(np.array(found)[:, 0], real)
    assert re.search("strongest", page.locator(".linkboard figcaption").inner_text())


def test_pressing_a_thumbnail_enlarges_its_head_and_every_token_has_a_line_of_its_own(attention):
    for side in ("Looks", "Looked at"):
        names = attention.get_by_role("listbox", name=side).locator(".token .word")
        boxes = [names.nth(k).bounding_box() for k in range(names.count())]
        assert len(boxes) == len(Scenario().source)
        assert all(box["width"] > 4 for box in boxes)
        for above, below in pairwise(boxes):
            assert below["y"] >= above["y"] + 0.8 * above["height"], side
    assert attention.locator(".thumb").all_inner_texts() == [
        f"{place} · head {head}"
        for place in ("encoder 1", "decoder 1", "cross 1")
        for head in (1, 2)
    ]
    enlarge(attention, CROSS, 1)
    assert token(attention, "query", 1).inner_text() == "le → right: chat"
    assert token(attention, "key", 5).inner_text() == "mat"
    assert attention.locator(".swatches button[aria-pressed=true]").count() == 2
    thumb = attention.locator(f".thumb[data-scope='{MASKED}'][data-head='0']")
    thumb.focus()
    attention.keyboard.press("Enter")
    attention.get_by_role("heading", name="Masked self-attention · decoder layer 1").wait_for()
    assert thumb.evaluate("el => el.getRootNode().activeElement === el")


@pytest.mark.parametrize("width", [1440, 1200])
def test_the_effect_of_silencing_is_shown_in_whole_lines(new_context, server, width):
    page = open_first_page(new_context(viewport={"width": width, "height": 900}), server)
    page.get_by_role("tab", name="Attention").click()
    for head in (1, 2):
        button = page.get_by_role("button", name=f"Silence head {head}")
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
    board = page.locator(".linkboard")
    expect(board.locator("figcaption")).to_contain_text(
        "both heads are silent: it looks at nothing"
    )
    expect(board.locator(".last-change strong")).to_contain_text("becomes")
    expect(board.locator(".last-change .cause")).to_contain_text("silenced")
    cut = "all => all.filter(el => el.scrollWidth > el.clientWidth).map(el => el.textContent)"
    assert board.locator(".token .word").evaluate_all(cut) == []
    verdict = page.locator(".words-verdict:visible")
    expect(verdict).to_contain_text("should be")
    assert verdict.bounding_box()["height"] < 30  # two lines
    assert verdict.evaluate("el => el.scrollWidth <= el.clientWidth")
    assert verdict.evaluate("el => parseFloat(getComputedStyle(el).fontSize) >= 13")
