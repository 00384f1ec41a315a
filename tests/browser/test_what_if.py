import re

import numpy as np
import pytest
from playwright.sync_api import expect
from tinkerformer.explain.response_curve import likely_answers, response
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.matrices.scale import span
from tinkerformer.model.scenario.scenario import Scenario

from tests.browser.student import click_cell, computed, open_settings, see, slider, wait_until_shown

WEIGHTS = "encoder.0.self_attn.head.0.weights"


def numbers_in(text):
    return [float(x.replace("−", "-")) for x in re.findall(r"−?\d+(?:\.\d+)?", text)]


def test_overrides_are_removed_one_by_one_and_all_at_once(page):
    see(page, WEIGHTS)
    click_cell(page, WEIGHTS, 2, 1)
    page.get_by_text("The model computed this.").wait_for()
    box = page.get_by_label("exact value")
    box.fill("0.9")
    box.press("Enter")
    scenario = Scenario().with_value(WEIGHTS, (2, 1), 0.9)
    wait_until_shown(page, scenario, WEIGHTS)
    wait_until_shown(page, scenario, "output.probabilities")

    page.get_by_role("button", name="Let its row sum to 1").click()
    page.wait_for_function(
        """([p]) => { const t = window.tinkerformer;
            const row = [...Array(6).keys()].map((k) => t.value(p, 2, k));
            const sum = row.reduce((a, b) => a + b);
            return Math.abs(sum - 1) < 1e-5 && Math.abs(row[1] - 0.9) < 1e-6; }""",
        arg=[WEIGHTS],
    )
    page.get_by_role("button", name="Restore this matrix").click()
    wait_until_shown(page, Scenario(), WEIGHTS)
    wait_until_shown(page, Scenario(), "output.probabilities")
    page.evaluate("([p]) => window.tinkerformer.set(p, 2, 1, 0.9)", [WEIGHTS])
    page.evaluate("window.tinkerformer.set('source.W_e', 0, 0, 3)")
    both = Scenario().with_value(WEIGHTS, (2, 1), 0.9).with_value("source.W_e", (0, 0), 3)
    wait_until_shown(page, both, "output.probabilities")
    open_settings(page)
    page.get_by_text("More of the model").click()
    page.get_by_role("button", name="Restore every computed number").click()
    wait_until_shown(page, Scenario().with_value("source.W_e", (0, 0), 3), "output.probabilities")


def test_the_arithmetic_links_to_its_operands(page):
    see(page, "encoder.0.self_attn.head.0.q")
    click_cell(page, "encoder.0.self_attn.head.0.q", 1, 2)
    page.get_by_text("The cells it was computed from").click()
    first = page.locator(".operands button").first
    assert "[cat, d0]" in first.text_content()
    first.click()
    page.wait_for_function("window.tinkerformer.selection().path === 'source.sum'")
    selected = page.evaluate("window.tinkerformer.selection()")
    assert (selected["i"], selected["j"]) == (1, 0)


def test_the_response_curve_is_computed_and_sets_the_value(page):
    click_cell(page, "source.W_e", 1, 3)
    plot = page.locator("svg.curve")
    plot.wait_for()
    # The curve is of the last word, over the range of the slider.
    scenario = Scenario()
    low, high = (float(slider(page).get_attribute(end)) for end in ("min", "max"))
    trace = ForwardPassRunner().trace(scenario)
    assert (low, high) == span(trace["source.W_e"], (1, 3), trace["source.W_e"].value[1, 3])
    answers = likely_answers(trace["output.probabilities"].value, scenario.asked, 0)
    row = max(scenario.asked)
    word = scenario.asked[row]
    settings, curve, found, _ = response(
        trace, "source.W_e", (1, 3), answers, (low, high), focus=(row, word)
    )
    assert found == (row, word)
    expect(page.get_by_label("probability of", exact=True)).to_have_value(str(word))
    expect(page.get_by_label("where in the sentence", exact=True)).to_have_value(str(row))
    label = plot.get_attribute("aria-label")
    assert f"from {curve.min():.3f} to {curve.max():.3f}" in label
    best = settings[curve.argmax()]
    end = page.get_by_role("button", name=re.compile("^max "))
    expect(end).to_have_text(f"max {curve.max():.3f} at {best:.3g}".replace("-", "−"))

    box = plot.bounding_box()
    at = box["x"] + box["width"] * 0.75, box["y"] + box["height"] / 2
    reading = page.locator("p.reading")
    expect(reading).to_contain_text("now")
    page.mouse.move(*at)
    expect(reading).to_contain_text("if it were")
    pointed, probability = numbers_in(reading.text_content())
    assert probability == pytest.approx(np.interp(pointed, settings, curve), abs=0.002)
    page.mouse.click(*at)
    page.wait_for_function("window.tinkerformer.scenario().edits !== undefined")
    value = page.evaluate("window.tinkerformer.scenario().edits['source.W_e'][0][2]")
    assert value == pytest.approx(pointed, abs=0.025)  # a click has whole pixels
    wait_until_shown(page, scenario.with_value("source.W_e", (1, 3), value), "output.probabilities")

    # The edit has turned the page to another row, and with it the curve.
    _, best = numbers_in(end.text_content())
    end.click()
    page.wait_for_function(
        """([x]) => Math.abs(window.tinkerformer.value("source.W_e", 1, 3) - x) < 1e-2""",
        arg=[best],
    )


def test_a_product_is_drawn_as_a_row_and_a_column_and_their_products(page):
    path = "encoder.0.self_attn.head.0.q"
    click_cell(page, path, 1, 2)
    drawing = page.locator("svg.strips").first
    drawing.wait_for()
    x, w = computed(Scenario(), "source.sum"), computed(Scenario(), path[:-1] + "W_q")
    reading = page.locator(".strip-box").first.get_by_role("status")
    drawing.focus()
    for k in range(x.shape[1]):
        page.keyboard.press("ArrowRight")
        expect(reading).to_contain_text(f"d{k}:")
        left, right, product = numbers_in(reading.text_content().partition(":")[2])
        assert (left, right) == pytest.approx((x[1, k], w[k, 2]), rel=6e-3)
        assert product == pytest.approx(x[1, k] * w[k, 2], rel=6e-3)
    (result,) = numbers_in(page.locator(".arithmetic .result").first.text_content())
    assert result == pytest.approx(x[1] @ w[:, 2], rel=1e-3)


def test_the_button_that_stops_an_oscillation_can_be_read_under_the_pointer(page):
    click_cell(page, "source.W_e", 1, 3)
    page.get_by_text(
        "By the gradient, raising this number by 0.01"
    ).wait_for()  # its gradient is computed
    page.get_by_role("button", name="Oscillate").click()
    stop = page.get_by_role("button", name="Stop", exact=True)
    stop.hover()
    colors = "(e) => [getComputedStyle(e).color, getComputedStyle(e).backgroundColor]"
    ink, ground = (numbers_in(color)[:3] for color in stop.evaluate(colors))
    assert sum(ink) - sum(ground) > 400
    expect(page.locator(".gradient.still")).to_contain_text("before the number began to oscillate")
    stop.click()
    expect(page.locator(".gradient.still")).to_have_count(0)


def test_undo_and_redo_work_by_button_and_by_keyboard(page):
    edited = Scenario().with_value("source.W_e", (0, 0), 3)
    page.evaluate("window.tinkerformer.set('source.W_e', 0, 0, 3)")
    wait_until_shown(page, edited, "source.W_e")
    page.get_by_role("button", name="Undo (Ctrl+Z)").click()
    wait_until_shown(page, Scenario(), "source.W_e")
    page.get_by_role("button", name="Redo").click()
    wait_until_shown(page, edited, "output.probabilities")
    page.keyboard.press("Control+z")
    wait_until_shown(page, Scenario(), "source.W_e")
    page.keyboard.press("Control+Shift+z")
    wait_until_shown(page, edited, "source.W_e")
