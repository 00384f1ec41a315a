from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tinkerformer.files import catalog
from tinkerformer.files.open_model import opened
from tinkerformer.model.scenario.scenario import Scenario

from tests.app.trained import dates_file, torch_state
from tests.browser.student import (
    open_models,
    open_settings,
    violations_light_and_dark,
    wait_until_shown,
)
from transformer_math.checkpoints import safetensors


def choose_files(page: Page, *paths: Path) -> None:
    open_models(page)
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Open a file of a model").click()
    chooser.value.set_files(paths)


@pytest.fixture
def stand_in(page, tmp_path):
    """Open the page with an untrained date translator from a file."""
    path = tmp_path / "dates.safetensors"
    path.write_bytes(dates_file())
    choose_files(page, path)
    page.get_by_role("dialog", name="Model").wait_for(state="hidden")
    open_settings(page)
    page.get_by_label("Date", exact=True).wait_for()
    page.keyboard.press("Escape")
    return opened({"dates.safetensors": dates_file()}, Scenario())


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


def test_a_model_opened_from_a_file_survives_a_reload(page, stand_in):
    wait_until_shown(page, stand_in, "output.probabilities")
    page.reload()
    page.wait_for_function("window.tinkerformer?.ready")
    wait_until_shown(page, stand_in, "output.probabilities")
    page.get_by_role("button", name="Model: dates.safetensors").wait_for()


def test_a_model_is_chosen_by_keyboard(page):
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
def test_axe_finds_no_violation_in_the_dialog_and_beside_the_date(whole, tmp_path):
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


def test_a_dialog_without_a_message_has_no_empty_strip(whole: Page) -> None:
    whole.get_by_role("button", name="Model: Phrases").click()
    foot = whole.locator("dialog[open] .foot")
    expect(foot).to_have_css("background-color", "rgba(0, 0, 0, 0)")
    assert foot.bounding_box()["height"] > 20
