import math
import re

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from tests import by_day
from tests.browser.conftest import open_first_page
from tests.browser.student import at_rest, violations
from transformer_math import positional

PICTURES = [
    *("positions", "layer_norm", "stream", "softmax", "mask", "chain"),
    *("words", "arrows", "landscape"),
]


@pytest.fixture
def opened(new_context, server):
    """Return a function that opens the phrases with the picture of an idea."""

    def open_picture(name: str, **context) -> Page:
        page = open_first_page(new_context(**context), f"{server}?view=idea:{name}")
        expect(page.locator(".idea, .idea-said").first).to_be_visible()
        return page

    return open_picture


def box(page: Page, node: Locator) -> dict[str, float]:
    """Return the box of a node once it is visible and stops moving."""
    node.scroll_into_view_if_needed()
    at_rest(page, "scrollY")
    found = node.bounding_box()
    return {**found, "cx": found["x"] + found["width"] / 2, "cy": found["y"] + found["height"] / 2}


def drag(page: Page, start: tuple[float, float], *through: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    for point in through:
        page.mouse.move(*point)
    page.mouse.up()


def value(node: Locator) -> float:
    return float(node.get_attribute("aria-valuenow") or "nan")


@pytest.mark.parametrize(
    ("name", "width"),
    list(zip(PICTURES, by_day.pairs([1440, 1024, 420], PICTURES, by_day.TURN), strict=True)),
)
def test_a_picture_is_readable_and_does_not_scroll_sideways(opened, name, width):
    """In the light theme; test_widths.py checks its colors in the dark theme."""
    page = opened(name, viewport={"width": width, "height": 860})
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


# -- clocks ---------------------------------------------------------------------------------------


def test_the_hands_show_the_encoding_and_are_turned_by_pointer_and_keys(opened):
    page = opened("positions")
    position = page.get_by_label("position p, as a number")
    position.fill("29")
    position.press("Enter")
    row = positional.sinusoidal(30, 8)[29]
    for pair, dial in enumerate(page.locator(".dials li").all()):
        expect(dial.locator("svg")).to_have_attribute("aria-valuenow", "29")
        hand = dial.locator(".hand")
        ends = np.array([float(hand.get_attribute(end) or 0) for end in ("x2", "y2")])
        tip = ends / np.hypot(*ends)
        np.testing.assert_allclose(tip, [row[2 * pair], -row[2 * pair + 1]], atol=2e-3)
    second = page.locator(".dials svg").nth(1)
    here, before = box(page, second), value(second)
    radius = 0.4 * here["width"]
    angle = before / 10
    # Half a turn in steps, because the picture counts whole turns.
    points = [
        (here["cx"] + radius * math.sin(a), here["cy"] - radius * math.cos(a))
        for a in np.linspace(angle, angle + math.pi, 8)
    ]
    drag(page, *points)
    wanted = int(before) + round(10 * math.pi)
    expect(page.get_by_text(after(wanted))).to_be_visible()
    second.press("PageUp")
    expect(page.get_by_text(after(wanted + 10))).to_be_visible()
    expect(second).to_have_attribute("aria-valuenow", re.compile(f"^{(wanted + 10) // 10}"))


def after(position: float) -> re.Pattern[str]:
    """Return a pattern of the sentence at a position, which the pointer reaches to within one."""
    near = "|".join(f"{position + off:.0f}" for off in (-1, 0, 1))
    return re.compile(rf"You moved p from \d+ to ({near}): the hands")


# -- layer norm -----------------------------------------------------------------------------------


def test_a_dot_is_dragged_along_its_line(opened):
    page = opened("layer_norm")
    dot = page.locator(".dot").nth(2)  # in the first line
    before, here = value(dot), box(page, dot.locator("circle").nth(1))
    drag(
        page, (here["cx"], here["cy"]), (here["cx"] + 30, here["cy"]), (here["cx"] + 60, here["cy"])
    )
    expect(dot).not_to_have_attribute("aria-valuenow", str(before))
    assert value(dot) > before
    page.keyboard.press("Control+z")
    expect(dot).to_have_attribute("aria-valuenow", str(before))


def test_the_steps_can_be_dragged_and_played(opened):
    page = opened("layer_norm", reduced_motion="reduce")
    scrub = page.get_by_label("step of layer norm")
    page.get_by_role("button", name="Play").click()
    expect(scrub).to_have_js_property("value", "1")
    drops = page.locator(".moving circle")
    lines = page.locator(".dot circle:not(.hit)")
    assert float(drops.first.get_attribute("cx") or 0) == pytest.approx(
        float(
            (page.locator(".dot").nth(8).get_attribute("transform") or "").split("(")[1].split()[0]
        ),
        abs=0.2,
    )
    assert lines.count() == 40


# -- the running sum ------------------------------------------------------------------------------


def test_a_step_unfolds_and_its_bar_is_dragged(opened):
    page = opened("stream")
    page.get_by_role("button", name="layer 1, self-attention").click()
    heads = page.locator(".part", has_text="head ")
    expect(heads).to_have_count(2)
    grip = heads.nth(1).locator(".grip")
    before, here = value(grip), box(page, grip)
    page.mouse.move(here["cx"], here["cy"])
    page.mouse.down()
    for by in (-15, -30, -45):
        page.mouse.move(here["cx"] + by, here["cy"])
    # The bar's end is under the pointer, though the norm's divisor changes.
    page.wait_for_function(
        "([grip, x]) => Math.abs(grip.getBoundingClientRect().x + 12 - x) < 3",
        arg=[grip.element_handle(), here["cx"] - 45],
    )
    assert value(grip) < before
    # It cannot move farther right, because the norm cancels what the head adds.
    page.mouse.move(here["cx"] + 600, here["cy"])
    expect(page.locator(".idea-said")).to_contain_text("It stops here")
    page.mouse.up()
    expect(page.locator(".idea-said")).not_to_contain_text("It stops here")


# -- softmax --------------------------------------------------------------------------------------


def test_dragging_a_logit_increases_its_share(opened):
    page = opened("softmax")
    grip = page.locator(".bars .grip").nth(1)
    before, here = value(grip), box(page, grip)
    drag(page, (here["cx"], here["cy"]), (here["cx"] + 60, here["cy"]))
    expect(grip).not_to_have_attribute("aria-valuenow", str(before))
    assert value(grip) > before


# -- who may look at whom -------------------------------------------------------------------------


def test_rows_appear_one_by_one_and_a_weight_is_dragged(opened):
    page = opened("mask", reduced_motion="reduce")
    written = page.locator("tbody tr:not([aria-hidden])")
    page.get_by_role("button", name="Play").click()
    expect(written).to_have_count(1)
    page.get_by_role("button", name="Play").click()
    expect(written).to_have_count(2)
    weight = page.get_by_label("le looks at <sos>").first
    before, here = value(weight), box(page, weight)
    drag(page, (here["cx"], here["cy"]), (here["cx"] + 24, here["cy"]))
    expect(weight).not_to_have_attribute("aria-valuenow", str(before))
    hidden = page.locator("tbody tr").nth(1).locator(".hidden-by-mask")
    expect(hidden).to_have_count(len(page.locator("thead th").all()) - 2)


# -- the chain rule -------------------------------------------------------------------------------


def products(page: Page) -> list[float]:
    """Return the right column, whose last entry is the gradient."""
    texts = page.locator(".terms li .pair:last-child .text").all_inner_texts()
    return [float(text.replace("−", "-")) for text in texts]


def test_a_number_is_dragged_and_keys_follow_the_chain(opened):
    page = opened("chain")
    grip = page.get_by_role("slider", name=re.compile(r"^W\^out\[d\d, noir"))
    total_text = page.locator(".terms .total .text").last
    before, here = total_text.inner_text(), box(page, grip)
    # One move, because the total depends only on the last number.
    drag(page, (here["cx"], here["cy"]), (here["cx"] + 90, here["cy"]))
    expect(total_text).not_to_have_text(before)
    *terms, total = products(page)
    # All numbers of the column have as many decimals as the total.
    rounding = 0.5 * 10.0 ** -len(total_text.inner_text().partition(".")[2])
    assert sum(terms) == pytest.approx(total, abs=rounding * (len(terms) + 1))
    now = str(grip.get_attribute("aria-valuenow"))
    page.keyboard.press("ArrowRight")
    expect(grip).not_to_have_attribute("aria-valuenow", now)
    page.keyboard.press("Control+z")
    expect(grip).to_have_attribute("aria-valuenow", now)
    page.keyboard.press("Control+z")
    expect(total_text).to_have_text(before)
    links = page.locator(".links button:visible")
    expect(links).to_have_count(0)
    page.locator(".terms li button:visible").first.focus()
    page.keyboard.press("Enter")
    expect(links).to_have_count(2)
    expect(links.last).to_have_attribute("aria-current", "step")
    expect(page.get_by_text("Along this one way")).to_be_visible()
    page.get_by_role("group", name="Computed from").get_by_role("button").first.focus()
    page.keyboard.press("Enter")
    expect(links.first).to_have_attribute("aria-current", "step")


def test_the_dot_on_the_curve_can_be_dragged_and_pointing_at_a_line_explains_it(opened):
    page = opened("chain")
    lines, reads = page.locator(".terms li:visible"), page.locator(".reads").first
    expect(lines.first).to_have_class("read")
    before = reads.inner_text()
    lines.nth(2).hover()
    expect(lines.nth(2)).to_have_class("read")
    expect(lines.first).not_to_have_class("read")
    assert reads.inner_text() != before
    dot = page.get_by_role("slider", name="the number on trial, moved by")
    assert value(dot) == 0.01
    verdict = page.locator(".verdict")
    expect(verdict).to_contain_text("They agree")
    before = page.locator(".terms .total .text").last.inner_text()
    here, curve = box(page, dot), box(page, page.locator(".trial svg"))
    drag(page, (here["cx"], here["cy"]), (curve["x"] + curve["width"], here["cy"]))
    assert value(dot) == 1
    expect(verdict).to_contain_text("They disagree")
    page.keyboard.press("ArrowLeft")
    assert value(dot) == 0.95
    page.get_by_role("button", name="+0.1", exact=True).click()
    expect(page.locator(".answer dd").first).to_have_text(re.compile(r"^[+−]0\.0\d+$"))
    # A trial does not change the model.
    expect(page.locator(".terms .total .text").last).to_have_text(before)


def test_a_selected_number_opens_its_chain(new_context, server):
    page = open_first_page(new_context(), f"{server}?view=formulas")
    page.evaluate("window.tinkerformer.select('encoder.0.self_attn.head.1.W_k', 2, 1)")
    page.get_by_role("button", name="The chain rule →").last.click()
    expect(page.get_by_text("W₂^K[d2, k1], this number")).to_be_visible()
