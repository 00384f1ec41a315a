import re

import numpy as np
import pytest
from playwright.sync_api import expect
from tinkerformer.files import catalog
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.matrices.values import matrix_values
from tinkerformer.model.scenario import model_names

from tests.browser.conftest import open_page
from tests.browser.student import at_rest, click_cell, expect_dropout, open_view, slide_to, slider

pytestmark = pytest.mark.in_turn

W_1 = "encoder.0.feed_forward.W_1"


@pytest.fixture(scope="module")
def paper():
    """Return the scenario that the page opens, and its forward pass."""
    scenario = catalog.first(model_names.PAPER)
    return scenario, ForwardPassRunner().trace(scenario)


@pytest.fixture
def large(page):
    """Open the page with the paper's model."""
    choose_paper(page)
    return page


def choose_paper(page):
    page.set_default_timeout(60_000)  # a forward pass is slow on a busy machine
    page.get_by_role("button", name="Model: ").click()
    page.get_by_role("button", name="The paper’s size").click()
    page.wait_for_function(
        "window.tinkerformer.matrix('source.W_e')?.cols === 512"
        " && window.tinkerformer.value('source.W_e', 0, 0) !== undefined"
    )


def ask(page, script, *arguments):
    return page.evaluate(f"(a) => window.tinkerformer.{script}", list(arguments))


def figure(page, path):
    return page.locator(f'figure[data-path^="{path}@"]').first


def picture(page, path):
    """Scroll the overview of a matrix to the middle of the screen, and return its box."""
    dots = figure(page, path).locator(".dots")
    dots.evaluate("(e) => e.scrollIntoView({block: 'center', behavior: 'instant'})")
    at_rest(page, "scrollY")
    return dots.bounding_box()


def window(page, path):
    """Return the first row and column of the window, and the numbers of rows and columns."""
    at = figure(page, path).get_attribute("data-path")
    row, rows, column, columns = map(int, re.findall(r"\d+", at.partition("@")[2]))
    return row, column, rows, columns


def wait_for_number(page, path, i, j, expected):
    page.wait_for_function(
        "([p, i, j, x]) => Math.abs((window.tinkerformer.value(p, i, j) ?? NaN) - x) < 1e-5",
        arg=[path, i, j, float(expected)],
    )


def in_window(page, path):
    row, column, rows, columns = window(page, path)
    return np.array(
        page.evaluate(
            "([p, i, j, m, n]) => [...Array(m).keys()].map((y) =>"
            " [...Array(n).keys()].map((x) => window.tinkerformer.value(p, i + y, j + x)))",
            [path, row, column, rows, columns],
        )
    )


def test_a_click_on_an_overview_shows_numbers_that_can_be_changed(large, paper):
    scenario, trace = paper
    ask(large, "rect(...a)", W_1, 0, 0)
    assert "8 × 16 numbers" in figure(large, W_1).locator(".dots").get_attribute("title")
    box = picture(large, W_1)
    large.mouse.click(box["x"] + 0.25 * box["width"], box["y"] + 0.75 * box["height"])
    large.wait_for_function(
        "([p]) => window.tinkerformer.value(p, 384, 512) !== undefined", arg=[W_1]
    )
    row, column, rows, columns = window(large, W_1)
    assert row <= 384 < row + rows
    assert column <= 512 < column + columns
    expected = trace[W_1].value[row : row + rows, column : column + columns]
    np.testing.assert_allclose(in_window(large, W_1), expected, atol=1e-7)

    click_cell(large, W_1, row + 2, column + 3)
    expect(slider(large)).to_have_attribute("max", "0.1")
    slide_to(large, 0.08)
    large.wait_for_function(
        "([p, i, j, x]) => Math.abs(window.tinkerformer.value(p, i, j) - x) < 0.0006",
        arg=[W_1, row + 2, column + 3, float(slider(large).input_value())],
    )
    value = ask(large, "value(...a)", W_1, row + 2, column + 3)
    assert value == pytest.approx(0.08, abs=0.01)
    edited = scenario.with_value(W_1, (row + 2, column + 3), value)
    probabilities = ForwardPassRunner().trace(edited)["output.probabilities"].value
    assert abs(probabilities - trace["output.probabilities"].value).max() > 1e-4
    for j, expected in enumerate(probabilities[-1]):
        wait_for_number(large, "output.probabilities", len(probabilities) - 1, j, expected)

    # The selected number is still sent after its window has moved away.
    box = picture(large, W_1)
    large.mouse.click(box["x"] + 3, box["y"] + 3)
    under = int(512 * 3 / box["height"]), int(2048 * 3 / box["width"])
    large.wait_for_function(
        "(cell) => window.tinkerformer.value(...cell) !== undefined", arg=[W_1, *under]
    )
    wait_for_number(large, W_1, row + 2, column + 3, value)
    assert ask(large, "value(...a)", W_1, row + 3, column + 3) is None


def test_the_window_is_dragged_and_scrolled_by_arrow_keys(large, paper):
    _, trace = paper
    ask(large, "rect(...a)", W_1, 0, 0)
    grid = figure(large, W_1).locator(".grid")
    cell = figure(large, W_1).get_by_role("gridcell")
    grid.focus()
    for column in range(1, 12):
        large.keyboard.press("ArrowRight")
        expect(cell).to_contain_text(f"column f{column}")
    large.wait_for_function("([p]) => window.tinkerformer.value(p, 0, 11) !== undefined", arg=[W_1])
    large.keyboard.press("Control+ArrowDown")
    large.wait_for_function(
        "([p]) => window.tinkerformer.value(p, 511, 11) !== undefined", arg=[W_1]
    )
    assert window(large, W_1)[:2] == (502, 4)
    assert "row d511, column f11" in cell.text_content()
    large.keyboard.press("Enter")
    large.wait_for_function("window.tinkerformer.selection()?.i === 511")
    wait_for_number(large, W_1, 511, 11, trace[W_1].value[511, 11])
    box = picture(large, W_1)
    large.mouse.move(box["x"] + 4, box["y"] + 4)
    large.mouse.down()
    for k in range(1, 31):
        large.mouse.move(box["x"] + 4 + k * box["width"] / 40, box["y"] + 4 + 2 * k)
    large.mouse.up()
    middle = round((4 + 30 * box["width"] / 40) / box["width"] * 2048)
    large.wait_for_function(
        "([p, i, j]) => window.tinkerformer.value(p, i, j) !== undefined",
        arg=[W_1, round(64 / box["height"] * 512), middle],
    )
    row, column, rows, columns = window(large, W_1)
    expected = trace[W_1].value[row : row + rows, column : column + columns]
    np.testing.assert_allclose(in_window(large, W_1), expected, atol=1e-7)


def test_pressing_an_operand_opens_its_layer_and_head(large, paper):
    _, trace = paper
    path = "encoder.3.self_attn.head.5.q"
    ask(large, "show(...a)", path, 2, 60)
    large.wait_for_function("([p]) => window.tinkerformer.paths().includes(p)", arg=[path])
    wait_for_number(large, path, 2, 60, trace[path].value[2, 60])
    pressed = large.get_by_role("button", name="Head 6", exact=True)
    assert pressed.get_attribute("aria-pressed") == "true"

    large.get_by_text("The cells it was computed from").first.click()
    operand = large.locator(".operands button").filter(has_text="d12").first
    operand.click()
    large.wait_for_function(
        "window.tinkerformer.selection().path === 'encoder.2.feed_forward.norm'"
    )

    assert large.evaluate("window.tinkerformer.goto('decoder.4.cross_attn')")
    large.wait_for_function(
        "window.tinkerformer.stages().some((s) => s.id === 'decoder.4.cross_attn')"
    )
    large.wait_for_function("window.tinkerformer.stage()?.startsWith('decoder.4')")


def test_the_attention_view_shows_the_heads_of_the_paper_s_model(large, paper):
    _, trace = paper
    open_view(large, "Attention")
    large.wait_for_function("document.title && window.tinkerformer.stages().length === 3")
    path = "decoder.5.cross_attn.head.7.weights"
    large.wait_for_function("([p]) => window.tinkerformer.paths().includes(p)", arg=[path])
    assert large.locator(".thumb").count() == 3 * 6 * 8
    large.get_by_role("button", name="decoder 6 · head 8").last.click()
    wait_for_number(large, path, 1, 2, trace[path].value[1, 2])


def test_a_narrow_page_fits_a_large_model(new_context, server, paper):
    page = open_page(new_context(viewport={"width": 420, "height": 900}), server)
    choose_paper(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 420
    scenario, trace = paper
    values, _ = matrix_values(scenario, trace, "source.W_e@0+2,0+8")
    assert ask(page, "value(...a)", "source.W_e", 1, 7) == pytest.approx(values[1, 7])


def test_a_slow_change_is_announced_and_survives_a_reload(large):
    under_way = large.locator(".under-way")
    expect(under_way).to_be_empty()
    # Reload as soon as the page states that it computes the change.
    under_way.evaluate(
        "(node) => new MutationObserver(() => node.textContent && location.reload())"
        ".observe(node, {childList: true, characterData: true, subtree: true})"
    )
    with large.expect_navigation():
        large.keyboard.press("d")
    expect_dropout(large, timeout=60_000)
    large.wait_for_function("window.tinkerformer.matrix('source.W_e')?.cols === 512")
