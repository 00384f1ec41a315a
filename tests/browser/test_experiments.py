"""The experiments, done as a student does them; what they show against the mathematics."""

from __future__ import annotations

from playwright.sync_api import Page, expect
from tinkerformer.experiments.head_effects import Runners, head_effects
from tinkerformer.files import catalog
from tinkerformer.inference.forward_pass import ForwardPassRunner
from tinkerformer.inference.writing import with_written_target
from tinkerformer.scenario.silences import MEAN, Silence

from tests.browser.student import click_cell, wait_until_shown

PHRASES = catalog.first("phrases")
CROSS = "decoder.0.cross_attn"
HEAD = f"{CROSS}.head.1.context"


# -- silence --------------------------------------------------------------------------------------


def silence(page: Page, part: str, to: str):
    return page.get_by_role("button", name=f"Silence {part} {to}", exact=True)


def release(page: Page):
    words = "Release head 2 of decoder layer 1, cross-attention, silenced to 0"
    return page.get_by_role("button", name=words, exact=True)


def expect_written(page: Page, scenario) -> None:
    """The words at the ends of the lanes are those that the model writes."""
    written = with_written_target(scenario, ForwardPassRunner())
    expect(page.locator(".whole .written")).to_have_text([*written.target[1:], "<eos>"])


def test_a_head_is_silenced_by_a_click_marked_and_released_by_its_mark(whole):
    page = whole
    quiet = PHRASES.with_silence(Silence(HEAD))
    assert with_written_target(quiet, ForwardPassRunner()).target != PHRASES.target
    expect_written(page, PHRASES)
    page.evaluate("([path]) => tinkerformer.select(path, 0, 0)", [HEAD.replace("context", "W_v")])
    button = silence(page, "head 2", "to 0")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    expect_written(page, quiet)
    expect(release(page)).to_be_visible()
    release(page).click()
    expect(button).to_have_attribute("aria-pressed", "false")
    expect(release(page)).to_have_count(0)
    expect_written(page, PHRASES)
    assert page.evaluate("tinkerformer.scenario().silenced") is None


def test_it_is_silenced_and_released_by_keyboard_and_its_matrix_is_marked(phrases):
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
    expect(page.get_by_text("its mean over 200 held-out phrases").first).to_be_visible()
    marked.get_by_role("button").focus()
    page.keyboard.press("Enter")
    expect(marked).to_have_count(0)
    wait_until_shown(page, PHRASES, HEAD)
    page.keyboard.press("Control+z")
    expect(marked).to_have_count(1)


def test_heads_are_silenced_beside_their_links(phrases):
    page = phrases
    page.get_by_role("tab", name="Attention").click()
    page.locator(f".thumb[data-scope='{CROSS}'][data-head='1']").click()
    page.get_by_role("heading", name="Cross-attention · ").wait_for()
    heads = page.get_by_role("group", name="Heads to silence")
    heads.get_by_role("button", name="Silence head 2").click()
    expect(page.locator(f".thumb.silenced[data-scope='{CROSS}'][data-head='1']")).to_be_visible()
    assert page.evaluate("tinkerformer.scenario().silenced[0].path") == HEAD
    heads.get_by_role("button", name="Silence head 2").click()
    expect(page.locator(".thumb.silenced")).to_have_count(0)


def test_the_table_says_which_head_matters_and_its_switch_silences_it(whole):
    page = whole
    page.get_by_role("tab", name="Experiments").click()
    table = page.get_by_role("table", name="Which head matters")
    place = page.get_by_role("combobox", name="sorted by")
    place.select_option(label="where it stands")
    found = head_effects(Runners.beside(ForwardPassRunner()), PHRASES, (0, 0), "zero")
    rights = [str(effect.right) for effect in found.effects]
    expect(table.locator("tbody tr td:nth-child(2)")).to_have_text(rights)
    switch = page.get_by_role("button", name="Silence decoder layer 1, cross-attention, head 2")
    switch.focus()
    page.keyboard.press("Space")
    expect(switch).to_have_attribute("aria-pressed", "true")
    expect(table.locator(".head-now td").first).to_have_text(rights[-1])
    assert page.evaluate("tinkerformer.scenario().silenced[0].path") == HEAD
    page.get_by_role("tab", name="Whole").click()
    expect(release(page)).to_be_visible()
