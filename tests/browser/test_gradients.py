import pytest
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.matrices.gradients import matrix_gradient
from tinkerformer.model.scenario.scenario import Scenario

from tests.browser.student import click_cell, see, show_plane, slide_to, values, wait_until_shown

SHOWN = (
    "source.W_e",
    "encoder.0.self_attn.head.1.W_q",
    "encoder.0.self_attn.head.1.weights",
    "encoder.0.feed_forward.b_1",
    "decoder.0.cross_attn.norm",
    "output.W_out",
    "output.token_loss",
    "output.loss",
)


def show_gradients(page):
    show_plane(page, "gradients")
    page.wait_for_function("window.tinkerformer.gradient('source.W_e', 0, 0) !== undefined")


def expected(scenario, path):
    return matrix_gradient(ForwardPassRunner().with_gradients(scenario), path)


def wait_for_gradient(page, scenario, path):
    """Wait until the page shows the gradient that transformer_math computes."""
    see(page, path)
    wanted = expected(scenario, path)
    try:
        page.wait_for_function(
            """([path, rows]) => rows.every((row, i) => row.every((x, j) => {
                 const now = window.tinkerformer.gradient(path, i, j);
                 return Math.abs(now - x) <= 1e-6 + 1e-4 * Math.abs(x); }))""",
            arg=[path, wanted.tolist()],
            timeout=8000,
        )
    except Exception:
        rows, columns = wanted.shape
        now = [
            [values(page, "gradient(...a)", path, i, j) for j in range(columns)]
            for i in range(rows)
        ]
        raise AssertionError(f"{path} shows\n{now}\nand should show\n{wanted}") from None


def test_gradients_change_with_the_slider_which_still_sets_the_value(page):
    show_gradients(page)
    click_cell(page, "source.W_e", 1, 3)
    slide_to(page, 1.5)
    page.wait_for_function(
        """() => { const t = window.tinkerformer, value = t.value('source.W_e', 1, 3);
            const shown = t.scenario().edits?.['source.W_e']?.[0][2];  // when the pointer is idle
            return Math.abs(value - 1.5) < 0.1 && Math.abs(value - shown) < 1e-4; }"""
    )
    value = page.evaluate("window.tinkerformer.scenario().edits['source.W_e'][0][2]")
    moved = Scenario().with_value("source.W_e", (1, 3), value)
    wait_until_shown(page, moved, "source.W_e")
    wait_for_gradient(page, moved, "source.W_e")
    wait_for_gradient(page, moved, "output.W_out")


def test_during_an_oscillation_the_gradients_are_those_of_each_frame(page):
    show_gradients(page)
    click_cell(page, "source.W_e", 1, 3)
    page.evaluate("window.tinkerformer.oscillate(true, {amplitude: 3, period: 4})")
    page.wait_for_function("window.tinkerformer.oscillating()")
    # The other rows of the table are constant, but their gradients change.
    moments = page.evaluate(
        """() => new Promise(done => { const found = []; const t = window.tinkerformer;
            document.addEventListener('tinkerformer:frame', function take() {
              const table = ['source.W_e', 0, 0];
              found.push([t.value('source.W_e', 1, 3), t.value(...table), t.gradient(...table)]);
              if (found.length < 90) return;
              document.removeEventListener('tinkerformer:frame', take);
              done(found);
            }); })"""
    )
    swung = {round(value, 5): (still, slope) for value, still, slope in moments}
    assert len(swung) > 20
    assert len({still for still, _ in swung.values()}) == 1
    for value, (_, slope) in list(swung.items())[::7]:
        there = Scenario().with_value("source.W_e", (1, 3), value)
        assert slope == pytest.approx(expected(there, "source.W_e")[0, 0], abs=2e-5)
    page.evaluate("window.tinkerformer.oscillate(false)")
    wait_for_gradient(page, Scenario(), "source.W_e")


def rings(page):
    return page.locator(".ring.operand:not(.preview)")


def test_rings_show_gradients_while_gradients_are_shown(page):
    click_cell(page, "source.embedding", 1, 3)
    page.wait_for_function("window.tinkerformer.selection()")
    rings(page).first.wait_for()
    before = rings(page).evaluate_all("all => all.map(r => r.closest('figure').dataset.path)")
    assert set(before) == {"source.W_e"}
    show_gradients(page)
    page.wait_for_function("window.tinkerformer.gradient('source.sum', 1, 3) !== undefined")
    after = rings(page).evaluate_all("all => all.map(r => r.closest('figure').dataset.path)")
    assert set(after) == {"source.sum"}


def test_every_matrix_shows_its_gradient_and_keeps_its_value(page):
    show_gradients(page)
    box = values(page, "rect(...a)", "source.W_e", 1, 3)
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    slope = expected(Scenario(), "source.W_e")[1, 3]
    shown = f"{slope:.2e}".replace("e-0", "e-").replace("-", "−", 1)
    page.locator(".readout", has_text=f"gradient {shown}").wait_for()
    value = values(page, "value(...a)", "source.W_e", 1, 3)
    page.locator(".readout", has_text=f"{value:.4f}".replace("-", "−")).wait_for()
    for path in SHOWN:
        wait_for_gradient(page, Scenario(), path)
        wait_until_shown(page, Scenario(), path)
    see(page, "target.mask")
    assert page.evaluate("Number.isNaN(window.tinkerformer.gradient('target.mask', 0, 1))")
    page.get_by_text("each matrix on a scale of its own").wait_for()
    show_plane(page, "values")
    page.wait_for_function("window.tinkerformer.view().plane === 'value'")
    assert page.evaluate("window.tinkerformer.gradient('source.W_e', 0, 0)") is None
