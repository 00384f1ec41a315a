"""The model switch, the date field and files of models, as a user meets them."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tinkerformer.files import catalog
from tinkerformer.files.open_model import opened
from tinkerformer.inference.forward_pass import ForwardPassRunner
from tinkerformer.inference.text import translation, with_text, with_translation
from tinkerformer.inference.writing import with_written_target
from tinkerformer.scenario.scenario import Scenario

from tests.app.trained import dates_file, torch_state
from tests.browser.conftest import ROOT
from tests.browser.student import (
    choose_model,
    open_models,
    open_settings,
    violations_light_and_dark,
    wait_until_shown,
)
from tests.math.stored import load
from transformer_math.checkpoints import safetensors

INSTALLED = pytest.mark.skipif(
    not (ROOT / "assets" / "dates.safetensors").exists(), reason="no trained weights are there yet"
)


def choose_files(page: Page, *paths: Path) -> None:
    open_models(page)
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Open a file of a model").click()
    chooser.value.set_files(paths)


def read_date(scenario: Scenario, text: str) -> Scenario:
    """What the page has to make of a date."""
    typed = with_text(scenario, text)
    return with_translation(typed, translation(typed, ForwardPassRunner().model(typed)))


@pytest.fixture
def stand_in(page, tmp_path):
    """The page with a date translator that has learned nothing, out of a file."""
    path = tmp_path / "dates.safetensors"
    path.write_bytes(dates_file())
    choose_files(page, path)
    page.get_by_role("dialog", name="Model").wait_for(state="hidden")
    open_settings(page)
    page.get_by_label("Date", exact=True).wait_for()
    page.keyboard.press("Escape")
    return opened({"dates.safetensors": dates_file()}, Scenario())


def test_a_wrong_character_is_named_and_what_was_typed_stays(page, stand_in):
    open_settings(page)
    box = page.get_by_label("Date", exact=True)
    box.fill("1845-01-05")
    scenario = read_date(stand_in, "1845-01-05")
    wait_until_shown(page, scenario, "target.embedding")
    box.fill("")
    box.press_sequentially("1845/01/05", delay=15)
    page.get_by_text("The character '/' has no token").wait_for()
    expect(box).to_have_value("1845/01/05")
    wait_until_shown(page, scenario, "source.embedding")
    page.get_by_label("Examples").select_option("1996-09-08")
    wait_until_shown(page, read_date(stand_in, "1996-09-08"), "target.embedding")
    expect(box).to_have_value("1996-09-08")
    expect(page.get_by_text("The character '/' has no token")).to_have_count(0)


def test_chips_are_characters(page, stand_in):
    open_settings(page)
    box = page.get_by_label("Date", exact=True)
    box.fill("1845-01-05")
    scenario = read_date(stand_in, "1845-01-05")
    wait_until_shown(page, scenario, "target.embedding")
    page.get_by_role("button", name="edit 8,").first.click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text("99")
    page.keyboard.press("Enter")
    source = ["<sos>", *"19945-01-05", "<eos>"]
    wait_until_shown(page, scenario.with_tokens("source", source), "source.embedding")

    page.get_by_role("button", name="add a token to Target").click()
    page.keyboard.type(" <pad>Z")
    page.keyboard.press("Enter")
    longer = scenario.with_tokens("source", source)
    longer = longer.with_tokens("target", [*longer.target, " ", "<pad>", "Z"])
    wait_until_shown(page, longer, "target.embedding")
    labels = page.evaluate("window.tinkerformer.matrix('target.embedding').row_labels")
    assert labels[-3:] == ["␣", "<pad>", "Z"]
    assert page.get_by_role("button", name="edit space,").is_visible()

    page.get_by_role("button", name="edit Z,").click()
    page.keyboard.press("Control+A")
    page.keyboard.type("/")
    page.keyboard.press("Enter")
    page.get_by_text("“/”, which this model does not know").wait_for()
    assert page.locator("input.chip").input_value() == "/"
    page.keyboard.press("Escape")
    wait_until_shown(page, longer, "target.embedding")


@INSTALLED
def test_the_trained_dates_are_right_and_stay_through_a_reload(page):
    choose_model(page, "Dates")
    first = catalog.first("dates")
    wait_until_shown(page, first, "output.probabilities")
    open_settings(page)
    page.get_by_label("Date", exact=True).fill("1676-11-30")
    written = ["<sos>", *"November␣30,␣1676"]
    expect(page.locator(".written li:not(.end) .chip")).to_have_text(written)
    page.get_by_text("Right.", exact=True).wait_for()
    page.evaluate("window.tinkerformer.set('source.W_e', 1, 3, 5)")
    scenario = with_text(first, "1676-11-30").with_value("source.W_e", (1, 3), 5)
    scenario = with_written_target(scenario, ForwardPassRunner())
    wait_until_shown(page, scenario, "source.sum")
    assert page.evaluate("window.tinkerformer.scenario().model") == "dates"
    page.reload()
    page.wait_for_function("window.tinkerformer?.ready")
    wait_until_shown(page, scenario, "output.probabilities")
    page.get_by_role("button", name="Model: Dates").wait_for()


def test_torch_weights_ask_for_the_number_of_heads(page, tmp_path):
    data = safetensors.save(torch_state())
    path = tmp_path / "torch.safetensors"
    path.write_bytes(data)
    choose_files(page, path)
    page.get_by_text("do not contain the number of attention heads: choose it.").wait_for()
    dialog = page.get_by_role("dialog", name="Model")
    dialog.get_by_label("Attention heads").select_option("3")
    dialog.get_by_role("button", name="Open", exact=True).click()
    dialog.wait_for(state="hidden")
    scenario = opened({"torch.safetensors": data}, Scenario(), 3)
    wait_until_shown(page, scenario, "output.probabilities")
    page.get_by_role("button", name="Model: torch.safetensors").wait_for()


def test_the_files_of_a_marian_folder(page, tmp_path):
    files = {name: array.tobytes() for name, array in load("marian_shared").under("file").items()}
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    choose_files(page, *(tmp_path / name for name in files))
    page.get_by_role("dialog", name="Model").wait_for(state="hidden")
    wait_until_shown(page, opened(files, Scenario()), "output.probabilities")


def test_a_model_of_a_file_stays_through_a_reload(page, stand_in):
    wait_until_shown(page, stand_in, "output.probabilities")
    page.reload()
    page.wait_for_function("window.tinkerformer?.ready")
    wait_until_shown(page, stand_in, "output.probabilities")
    page.get_by_role("button", name="Model: dates.safetensors").wait_for()


def test_the_switch_without_a_mouse(page):
    page.get_by_role("button", name="Model:").focus()
    page.keyboard.press("Enter")
    page.get_by_role("dialog", name="Model").wait_for()
    for name in ("More models", "Printed positions"):
        wanted = page.locator(":is(button, summary):focus", has_text=name)
        for _ in range(2 * len(catalog.entries())):
            if wanted.count():
                break
            page.keyboard.press("Tab")
        page.keyboard.press("Enter")
    page.get_by_role("dialog", name="Model").wait_for(state="hidden")
    page.get_by_role("button", name="Model: Printed positions").wait_for()


@pytest.mark.in_turn
def test_axe_finds_nothing_in_the_dialog_and_beside_the_date(whole, tmp_path):
    page = whole
    path = tmp_path / "dates.safetensors"
    path.write_bytes(dates_file())
    choose_files(page, path)
    open_settings(page)
    page.get_by_label("Date", exact=True).fill("1845/")
    page.get_by_text("The character '/' has no token").wait_for()
    assert not violations_light_and_dark(page)
    open_models(page)
    assert not violations_light_and_dark(page)


def test_nothing_is_marked_as_changed_by_another_model(whole: Page) -> None:
    whole.evaluate("window.tinkerformer.set('source.W_e', 4, 1, 1.5)")
    key = whole.locator(".change-key")
    expect(key).to_be_visible()
    choose_model(whole, "Sandbox")
    wait_until_shown(whole, Scenario(), "output.probabilities")
    expect(key).to_be_hidden()


def test_a_dialog_without_an_outcome_has_no_empty_strip(whole: Page) -> None:
    whole.get_by_role("button", name="Model: Phrases").click()
    foot = whole.locator("dialog[open] .foot")
    expect(foot).to_have_css("background-color", "rgba(0, 0, 0, 0)")
    assert foot.bounding_box()["height"] > 20
