"""The experiments, done like a student does them, compared with transformer_math."""

import re

import numpy as np
import pytest
from playwright.sync_api import Page, expect
from tinkerformer.experiments.head_effects import Runners, head_effects
from tinkerformer.experiments.lens_words import lens_words
from tinkerformer.experiments.patch_map import Asked, site_map
from tinkerformer.files import catalog
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.inference.writing import with_written_target
from tinkerformer.model.matrices.values import ScenarioTrace
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.model.scenario.silences import MEAN, Silence

from tests.browser.student import (
    click_cell,
    close_menu,
    open_settings,
    open_view,
    press_at,
    show_plane,
    wait_until_shown,
)

PHRASES = catalog.first("phrases")
CROSS = "decoder.0.cross_attn"
HEAD = f"{CROSS}.head.1.context"
# Scripts get the scenario when the pointer is idle, after the picture has shown it.
SILENCED = "(head) => tinkerformer.scenario().silenced?.[0]?.path === head"


# -- silence --------------------------------------------------------------------------------------


def silence(page: Page, part: str, to: str):
    return page.get_by_role("button", name=f"Silence {part} {to}", exact=True)


def release(page: Page):
    words = "Restore head 2 of decoder layer 1, cross-attention, silenced to 0"
    return page.get_by_role("button", name=words, exact=True)


def expect_written(page: Page, scenario) -> None:
    """Check that the words at the ends of the lanes are the written ones."""
    written = with_written_target(scenario, ForwardPassRunner())
    expect(page.locator(".whole .written")).to_have_text([*written.target[1:], "<eos>"])


def test_a_head_is_silenced_by_a_click_and_marked_and_restored_by_its_mark(whole):
    page = whole
    quiet = PHRASES.with_silence(Silence(HEAD))
    assert with_written_target(quiet, ForwardPassRunner()).target != PHRASES.target
    expect_written(page, PHRASES)
    page.evaluate("([path]) => tinkerformer.select(path, 0, 0)", [HEAD.replace("context", "W_v")])
    button = silence(page, "head 2", "to 0")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    expect_written(page, quiet)
    page.wait_for_function(SILENCED, arg=HEAD)
    expect(release(page)).to_be_visible()
    release(page).click()
    expect(button).to_have_attribute("aria-pressed", "false")
    expect(release(page)).to_have_count(0)
    expect_written(page, PHRASES)
    page.wait_for_function("!tinkerformer.scenario().silenced")


def test_a_head_is_silenced_and_restored_by_keyboard_and_its_matrix_is_marked(phrases):
    page, quiet = phrases, PHRASES.with_silence(Silence(HEAD, to=MEAN))
    page.evaluate("([path]) => tinkerformer.rect(path, 0, 0)", [HEAD])
    click_cell(page, HEAD, 1, 2)
    button = silence(page, "head 2", "to its mean")
    button.focus()
    page.keyboard.press("Enter")
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(button).to_be_focused()
    wait_until_shown(page, with_written_target(quiet, ForwardPassRunner()), HEAD)
    marked = page.locator(f".matrix.silenced[data-path='{HEAD}']")
    expect(marked.get_by_role("button")).to_have_text("silenced to its mean ×")
    expect(page.get_by_text("its mean over 200 unseen phrases").first).to_be_visible()
    marked.get_by_role("button").focus()
    page.keyboard.press("Enter")
    expect(marked).to_have_count(0)
    expect(page.locator(f".matrix[data-path='{HEAD}'] .grid")).to_be_focused()
    wait_until_shown(page, PHRASES, HEAD)
    page.keyboard.press("Control+z")
    expect(marked).to_have_count(1)


def test_heads_are_silenced_beside_their_links(phrases):
    page = phrases
    open_view(page, "Attention")
    page.locator(f".thumb[data-scope='{CROSS}'][data-head='1']").click()
    page.get_by_role("heading", name="Cross-attention · ").wait_for()
    heads = page.get_by_role("group", name="Heads to silence")
    heads.get_by_role("button", name="Silence head 2").click()
    expect(page.locator(f".thumb.silenced[data-scope='{CROSS}'][data-head='1']")).to_be_visible()
    page.wait_for_function(SILENCED, arg=HEAD)
    heads.get_by_role("button", name="Silence head 2").click()
    expect(page.locator(".thumb.silenced")).to_have_count(0)


def test_the_table_shows_which_head_matters_and_its_switch_silences_it(whole):
    page = whole
    open_view(page, "Measure")
    table = page.get_by_role("table", name="Which head matters")
    place = page.get_by_role("combobox", name="sorted by")
    place.select_option(label="its place in the model")
    found = head_effects(Runners.sharing(ForwardPassRunner()), PHRASES, (0, 0), "zero")
    rights = [str(effect.right) for effect in found.effects]
    expect(table.locator("tbody tr td:nth-child(2)")).to_have_text(rights)
    switch = page.get_by_role("button", name="Silence decoder layer 1, cross-attention, head 2")
    switch.focus()
    page.keyboard.press("Space")
    expect(switch).to_have_attribute("aria-pressed", "true")
    expect(table.locator(".head-now td").first).to_have_text(rights[-1])
    page.wait_for_function(SILENCED, arg=HEAD)
    open_view(page, "Picture")
    expect(release(page)).to_be_visible()


# -- patches and the lens -------------------------------------------------------------------------

BLACK, WHITE = "the black cat sat on the mat", "the white cat sat on the mat"
SITE = "encoder.0.self_attn.norm"


def of(text: str) -> ScenarioTrace:
    """Return the phrase translator's pass for a text, with the target that it writes."""
    runner = ForwardPassRunner()
    scenario: Scenario = catalog.first("phrases").with_tokens("source", text.split())
    scenario = with_written_target(scenario.with_writing(True), runner)
    return ScenarioTrace(scenario, runner.trace(scenario))


def table(page: Page, name: str) -> list[list[str]]:
    """Return the texts of a table's cells."""
    rows = page.get_by_role("grid", name=name).get_by_role("row").all()
    found = [row.get_by_role("gridcell").all_inner_texts() for row in rows]
    return [row for row in found if row]


@pytest.fixture
def compared(whole: Page) -> Page:
    """Open the example of Experiments: one word changed, the earlier text as baseline."""
    open_view(whole, "Measure")
    whole.get_by_role("button", name=re.compile("^Example: ")).click()
    whole.get_by_role("grid", name=re.compile("^Encoder")).wait_for()
    return whole


def test_the_map_shows_the_computed_numbers_and_a_row_is_patched_and_restored(compared):
    page = compared
    now, then = of(WHITE), of(BLACK)
    row = now.scenario.target.index("chat")
    found = site_map(now, then, Asked(row, "noir"))
    for stack in ("encoder", "decoder"):
        expected = [
            [f"{x:.2f}".replace("-", "−") for x in found.shares(site)]
            for site in found.rows
            if site.stack == stack
        ]
        assert table(page, f"{stack.capitalize()}: share") == expected
    page.get_by_text(f"1: as in the baseline, {found.baseline:.3f}").wait_for()

    # With the keyboard, choose the row of "white" after self-attention, and press its button.
    first = page.get_by_role("grid", name="Encoder: share").get_by_role("gridcell").first
    first.focus()
    for key in ("ArrowRight", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    site = next(site for site in found.rows if site.path == SITE)
    page.get_by_text(f"“noir” {site.probabilities[1]:.3f}, share 1.00").first.wait_for()
    page.get_by_text(f"{SITE}[1, 0]").wait_for()  # the inspector also offers the patch
    page.get_by_role("button", name="Patch this row").press("Enter")
    written = page.locator(".chip[aria-label^='noir, probability']")
    written.wait_for()
    page.get_by_role("button", name="Undo", exact=True).last.click()
    page.locator(".chip[aria-label^='blanc, probability']").wait_for()
    expect(written).to_have_count(0)


def test_the_picture_is_colored_by_the_share_of_each_row(compared):
    page = compared
    open_view(page, "Picture")
    show_plane(page, "patch")
    page.get_by_text("“noir” after “chat”, with one row at a time").wait_for()
    for row, share in ((1, "1"), (0, "0")):
        press_at(page, page.evaluate("([p, i]) => window.tinkerformer.rect(p, i, 0)", [SITE, row]))
        page.locator(".readout", has_text=re.compile(rf"patched: share {share}\b")).wait_for()


def switch_lens(page: Page) -> None:
    open_settings(page)
    switch = page.get_by_role("switch", name="lens")
    switch.click()
    expect(switch).to_be_checked()
    close_menu(page)


def test_the_lens_shows_the_computed_words_at_each_depth(whole: Page):
    first = catalog.first("phrases")
    runner = ForwardPassRunner()
    scenario = with_written_target(first, runner)
    shown = lens_words(scenario, runner.trace(scenario), runner.model(scenario))
    expect(whole.locator(".lens-word")).to_have_count(0)
    switch_lens(whole)
    whole.wait_for_function("window.tinkerformer.scenario().place?.lens === true")  # links store it
    said = [word for row in shown.rows for word in row.words]
    expect(whole.locator(".lens-word")).to_have_text(said)
    open_view(whole, "Measure")
    grid = whole.get_by_role("grid", name=re.compile("^The likeliest word after"))
    grid.wait_for()
    assert table(whole, "The likeliest word") == [
        [f"{word} {p:.2f}" for word, p in zip(row.words, row.probabilities, strict=True)]
        for row in shown.rows
    ]
    last = shown.rows[-1]
    assert np.isclose(
        last.probabilities, runner.trace(scenario)["output.probabilities"].value.max(-1)
    ).all()
    grid.get_by_role("gridcell").last.click()
    at = len(last.words) - 1
    whole.get_by_text(f"{last.path}[{at}, 0]").wait_for()
