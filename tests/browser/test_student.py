import re

import numpy as np
import pytest
from playwright.sync_api import expect
from tinkerformer.cli.lesson_walk import walk_one
from tinkerformer.files import catalog
from tinkerformer.learning import TrainingPlan, TrainingRun
from tinkerformer.lessons.catalog import catalog as lessons
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.view_model.page_location import DRAWERS, FORMS, ROOMS

from tests.browser.conftest import open_first_page, open_page
from tests.browser.student import (
    at_rest,
    click_cell,
    computed,
    open_settings,
    open_view,
    press,
    see,
    shown,
    slide_to,
    slider,
    switch_dropout,
    type_token,
    wait_until_shown,
)

W_Q = "encoder.0.self_attn.head.1.W_q"


def test_every_matrix_shows_the_computed_numbers(page):
    expect(page.get_by_role("heading", name="Tinkerformer", level=1)).to_be_visible()
    for path in page.evaluate("window.tinkerformer.paths()"):
        page.evaluate("([path]) => window.tinkerformer.rect(path, 0, 0)", [path])
        wait_until_shown(page, Scenario(), path)


def test_typing_a_token_shows_its_embedding_and_all_later_numbers(page):
    type_token(page, "cat", "tiger")
    words = ["the", "tiger", "sat", "on", "the", "mat"]
    scenario = Scenario().with_tokens("source", words)
    for path in ("source.W_e", "source.embedding", "output.probabilities"):
        wait_until_shown(page, scenario, path)
    assert page.evaluate("window.tinkerformer.matrix('source.embedding').row_labels") == words


def test_markup_typed_as_a_token_stays_text(page):
    token = "<img onerror=alert(1)>"
    type_token(page, "mat", token)
    page.wait_for_function(
        "([t]) => window.tinkerformer.matrix('source.embedding').row_labels.includes(t)",
        arg=[token],
    )
    assert page.get_by_text(token.replace(" ", "␣")).first.is_visible()
    assert page.locator("img").count() == 0


def test_a_setting_out_of_range_is_explained_beside_it(page):
    open_settings(page)
    box = page.get_by_label("d_model", exact=True)
    for text in ("7", "", "1e3"):
        box.fill(text)
        box.press("Enter")
        page.get_by_text("2 to 64").first.wait_for()
        expect(box).to_have_value("8")
        box.fill("10")
        box.press("Enter")
        changed = Scenario().with_setting("d_model", 10)
        wait_until_shown(page, changed, "source.embedding")
        wait_until_shown(page, changed, "output.probabilities")
        page.get_by_text("2 to 64").wait_for(state="detached")
        page.get_by_role("button", name="decrease d_model").click()
        wait_until_shown(page, Scenario(), "source.embedding")


def test_selecting_a_number_and_moving_the_slider_changes_the_probabilities(page):
    see(page, W_Q)
    click_cell(page, W_Q, 2, 1)
    slide_to(page, 0.7)
    value = round(float(slider(page).input_value()), 3)  # as the page sends it, finer than a pixel
    assert value == pytest.approx(0.7, abs=0.1)
    expect(page.get_by_label("exact value")).to_have_value(f"{value:g}")
    scenario = Scenario().with_value(W_Q, (2, 1), value)
    wait_until_shown(page, scenario, W_Q)
    wait_until_shown(page, scenario, "output.probabilities")
    before = computed(Scenario(), "output.probabilities")
    assert np.abs(computed(scenario, "output.probabilities") - before).max() > 1e-4


def test_an_exact_value_is_typed_and_confirmed_and_restored(page):
    click_cell(page, "source.W_e", 1, 3)
    box = page.get_by_label("exact value")
    box.fill("-2.125")
    box.press("Enter")
    scenario = Scenario().with_value("source.W_e", (1, 3), -2.125)
    wait_until_shown(page, scenario, "source.W_e")
    wait_until_shown(page, scenario, "output.probabilities")
    page.get_by_role("button", name="Restore").first.click()
    wait_until_shown(page, Scenario(), "source.W_e")
    wait_until_shown(page, Scenario(), "output.probabilities")
    box = page.get_by_label("exact value")
    for text in ("", "abc", "inf", "1e7"):
        box.fill(text)
        box.press("Enter")
        page.get_by_text("from −1000 to 1000").first.wait_for()
        wait_until_shown(page, Scenario(), "source.W_e")


def test_an_oscillation_paints_computed_frames(page):
    see(page, W_Q)
    click_cell(page, W_Q, 0, 0)
    page.get_by_role("button", name="Oscillate").click()
    page.wait_for_function("window.tinkerformer.oscillating()")
    start = page.evaluate("window.tinkerformer.frames")
    page.wait_for_function("([n]) => window.tinkerformer.frames > n + 30", arg=[start])
    value, seen = page.evaluate(
        """([path]) => { const t = window.tinkerformer;
            const row = [...Array(8).keys()].map((j) => t.value("output.probabilities", 2, j));
            return [t.value(path, 0, 0), row]; }""",
        [W_Q],
    )
    scenario = Scenario().with_value(W_Q, (0, 0), value)
    np.testing.assert_allclose(seen, computed(scenario, "output.probabilities")[2], atol=1e-5)
    page.get_by_role("button", name="Stop").click()
    page.wait_for_function("!window.tinkerformer.oscillating()")
    wait_until_shown(page, Scenario(), W_Q)
    wait_until_shown(page, Scenario(), "output.probabilities")


def test_dropout_is_hatched_and_the_same_seed_gives_the_same_masks(page, new_context, server):
    switch_dropout(page)
    on = Scenario().with_training(True)
    page.wait_for_function("window.tinkerformer.paths().includes('source.dropout')")
    see(page, "source.dropout")
    wait_until_shown(page, on, "source.dropout")
    first = shown(page, "source.dropout", 6, 8)
    assert (first == 0).any()

    other = open_page(new_context(), server)
    switch_dropout(other)
    other.wait_for_function("window.tinkerformer.paths().includes('source.dropout')")
    see(other, "source.dropout")
    wait_until_shown(other, on, "source.dropout")

    open_settings(page)
    page.get_by_role("button", name="Draw again").click()
    wait_until_shown(page, on.resampled(), "source.dropout")
    page.keyboard.press("Escape")
    page.keyboard.press("d")
    page.wait_for_function("!window.tinkerformer.paths().includes('source.dropout')")
    wait_until_shown(page, Scenario(), "output.probabilities")


def test_masks_stay_while_frozen_and_otherwise_change(page):
    switch_dropout(page)
    page.wait_for_function("window.tinkerformer.paths().includes('source.dropout')")
    page.evaluate("window.tinkerformer.set('source.W_e', 0, 0, 3)")
    kept = Scenario().with_training(True).with_value("source.W_e", (0, 0), 3)
    wait_until_shown(page, kept, "source.dropout")
    open_settings(page)
    page.get_by_role("switch", name="freeze masks").click()
    page.wait_for_function("window.tinkerformer.scenario().keep_masks === false")
    page.evaluate("window.tinkerformer.set('source.W_e', 0, 0, 4)")
    drawn = kept.with_keep_masks(False).with_value("source.W_e", (0, 0), 4)
    wait_until_shown(page, drawn, "source.dropout")


def test_heads_and_colors_and_scale_and_digits_can_be_chosen(page):
    see(page, "encoder.0.self_attn.head.0.weights")
    group = page.get_by_role("group", name="Attention head to show").first
    group.get_by_role("button", name="head 2").click()
    see(page, "encoder.0.self_attn.head.1.weights")
    wait_until_shown(page, Scenario(), "encoder.0.self_attn.head.1.weights")
    open_settings(page)
    page.get_by_label("colors").select_option(label="color-blind safe")
    page.get_by_label("scale", exact=True).select_option(label="by matrix")
    page.get_by_label("numbers", exact=True).select_option(label="decimal")
    page.wait_for_function(
        """() => { const v = window.tinkerformer.view();
            return v.palette === 'safe' && v.scale === 'matrix' && v.numbers === 'decimal'; }"""
    )


def test_encoder_only_and_decoder_only_models_are_shown(page):
    open_settings(page)
    page.get_by_role("button", name="decrease layers, decoder").click()
    scenario = Scenario().with_setting("decoder_layers", 0)
    wait_until_shown(page, scenario, "output.probabilities")
    page.get_by_role("button", name="decrease layers, encoder").click()
    page.get_by_text("at least one").first.wait_for()
    page.get_by_role("button", name="increase layers, decoder").click()
    page.get_by_role("button", name="decrease layers, encoder").click()
    scenario = Scenario().with_setting("encoder_layers", 0)
    wait_until_shown(page, scenario, "output.probabilities")


def test_positions_and_cost_are_drawn(page):
    for name, heading in (
        ("Positions as clocks", "Positions as waves"),
        ("Cost", "What a layer costs"),
    ):
        open_view(page, name)
        page.get_by_role("heading", name=heading).wait_for()
        page.locator("canvas:visible").first.wait_for()
    open_view(page, "Formulas")
    wait_until_shown(page, Scenario(), "source.W_e")


def test_seventy_words_are_refused_and_tokens_are_added_and_removed(page):
    page.get_by_role("button", name="add a token to Source").click()
    page.keyboard.insert_text("word " * 70)
    page.keyboard.press("Enter")
    page.get_by_text("room for 64 tokens").first.wait_for()
    assert page.locator("input.chip").input_value().count("word") == 70
    page.keyboard.press("Escape")
    wait_until_shown(page, Scenario(), "source.embedding")
    page.get_by_role("button", name="add a token to Source").click()
    page.keyboard.type("now")
    page.keyboard.press("Enter")
    scenario = Scenario().with_tokens("source", [*Scenario().source, "now"])
    wait_until_shown(page, scenario, "source.embedding")
    page.get_by_role("button", name="edit sat,").click()
    page.get_by_role("option", name="Remove").click()
    words = ["the", "cat", "on", "the", "mat", "now"]
    wait_until_shown(page, Scenario().with_tokens("source", words), "source.embedding")


def test_the_selected_number_is_updated_off_screen_and_tabs_keep_the_scroll_position(page):
    page.evaluate("window.tinkerformer.goto('decoder.0.cross_attn')")
    page.wait_for_function("window.tinkerformer.stage() === 'decoder.0.cross_attn'")
    place = at_rest(page, "scrollY", frames=30)  # the scroll is animated
    press(page, page.get_by_role("tab", name="Attention"))
    page.wait_for_function("scrollY === 0")
    press(page, page.get_by_role("tab", name="Formulas"))
    page.wait_for_function("([y]) => Math.abs(scrollY - y) < 60", arg=[place])
    page.evaluate("window.tinkerformer.select('output.logits', 1, 2)")
    page.evaluate("window.tinkerformer.set('source.W_e', 0, 3, 8)")
    scenario = Scenario().with_value("source.W_e", (0, 3), 8)
    wait_until_shown(page, scenario, "output.logits")
    wait_until_shown(page, scenario, "encoder.0.self_attn.concat")


def test_a_student_can_use_the_page_by_keyboard_alone(page):
    grid = page.get_by_role("grid", name="W").first
    grid.focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    page.wait_for_function("window.tinkerformer.selection()?.path === 'source.W_e'")
    selected = page.evaluate("window.tinkerformer.selection()")
    assert (selected["i"], selected["j"]) == (1, 2)
    expect(page.get_by_role("slider")).to_be_focused()
    before = page.get_by_role("slider").input_value()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    after = page.get_by_role("slider").input_value()
    assert float(after) > float(before)
    scenario = Scenario().with_value("source.W_e", (1, 2), float(after))
    wait_until_shown(page, scenario, "output.probabilities")


@pytest.mark.parametrize("width", [1440, 1024, 420])
def test_every_room_opens_and_fits_its_width(new_context, server, width):
    page = open_first_page(new_context(viewport={"width": width, "height": 900}), server)
    for room in ROOMS.values():
        expect(page.get_by_role("tab", name=room, exact=True)).to_be_in_viewport(ratio=1)
    for view in (*ROOMS.values(), *FORMS.values(), *DRAWERS.values()):
        open_view(page, view)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, view
        close = page.get_by_role("button", name="Close the drawer")
        if close.is_visible():
            close.click()


def test_undo_restores_a_dragged_number(whole):
    path, before = "source.embedding", catalog.first("phrases")
    box = at_rest(whole, "window.tinkerformer.rect(...a)", path, 1, 2)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    whole.mouse.move(x, y)
    whole.mouse.down()
    whole.mouse.move(x + 60, y, steps=5)
    whole.mouse.up()
    whole.wait_for_function(
        "([path, least]) => window.tinkerformer.value(path, 1, 2) > least",
        arg=[path, float(computed(before, path)[1, 2]) + 0.1],
    )
    whole.keyboard.press("Control+z")
    wait_until_shown(whole, before, path)
    wait_until_shown(whole, before, "output.probabilities")


def test_a_training_step_shows_the_weights_that_the_trainer_computed(new_context, server):
    page = open_first_page(new_context(), f"{server}?view=train")
    page.get_by_role("button", name="Step", exact=True).click()
    expect(page.get_by_text("step 1 of 1,000", exact=True)).to_be_visible()
    run = TrainingRun(TrainingPlan.of(catalog.first("phrases")))
    run.advance()
    trained = catalog.first("phrases").trained(run.weights(), 1)
    wait_until_shown(page, trained, "source.W_e")


def test_all_tasks_of_a_lesson_can_be_done(new_context, server):
    said = []
    lesson = lessons().lessons["film"]
    assert walk_one(new_context().new_page(), server, lesson, said.append), said


def test_a_shared_link_opens_the_same_numbers(page, new_context):
    page.evaluate("window.tinkerformer.set('source.W_e', 1, 1, 4)")
    edited = Scenario().with_value("source.W_e", (1, 1), 4)
    wait_until_shown(page, edited, "output.probabilities")
    page.get_by_role("button", name="Share", exact=True).click()
    shared = page.get_by_role("textbox", name="Link", exact=True)
    expect(shared).to_have_value(re.compile("[?&#]s=."))
    other = open_page(new_context(), shared.input_value())
    wait_until_shown(other, edited, "output.probabilities")


def test_an_embedded_stage_shows_its_numbers_and_no_menus(new_context, server):
    page = open_first_page(new_context(), f"{server}?view=encoder.0.self_attn&embed")
    wait_until_shown(page, catalog.first("phrases"), "encoder.0.self_attn.head.0.weights")
    expect(page.get_by_role("tab")).to_have_count(0)
    expect(page.get_by_role("button", name="Menu")).to_have_count(0)
