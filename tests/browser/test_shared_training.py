import re
from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, expect
from tinkerformer.files import catalog
from tinkerformer.learning import TrainingPlan, TrainingRun
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.inference.writing import with_written_target
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.model.scenario.training_data import TrainingData
from tinkerformer.session.link import encode
from tinkerformer.session.session_json import SavedSession
from tinkerformer.view_model.page_location import PageLocation

from tests.browser.conftest import open_first_page
from tests.browser.student import violations_light_and_dark, wait_until_shown

NUMBERS = ("one", "two", "three", "four", "five", "six")
PAIRS = "".join(f"{a} and {b},{b} et {a}\n" for a in NUMBERS[:3] for b in NUMBERS[2:])
STEPS = 3


def untrained() -> Scenario:
    scenario = catalog.of_pairs(TrainingData("own", PAIRS, "word"))
    return scenario.with_recipe(scenario.recipe.replace(batch=4)).with_setting("seed", 7)


def trained() -> Scenario:
    """Return the model after its steps, as transformer_math trains it."""
    run = TrainingRun(TrainingPlan.of(untrained()))
    run.advance(seconds=1e9, until=STEPS)
    return with_written_target(untrained().trained(run.weights(), STEPS), ForwardPassRunner())


def dialog_of(page: Page):
    page.get_by_role("button", name="Share", exact=True).click()
    dialog = page.get_by_role("dialog", name="Share what is on the page")
    expect(dialog).to_be_visible()
    return dialog


def test_a_link_to_a_model_trained_on_own_pairs_opens_that_model(
    new_context: Callable[..., BrowserContext], server: str
) -> None:
    code = encode(SavedSession(untrained(), place=PageLocation().at("train")))
    page = open_first_page(new_context(), f"{server}#s={code}")
    for step in range(1, STEPS + 1):
        page.get_by_role("button", name="Step", exact=True).click()
        expect(page.locator(".count")).to_have_text(f"step {step} of 1,000")
    dialog = dialog_of(page)
    said = "The link holds the training of this model in place of its weights: recipe, seed, data"
    expect(dialog.get_by_text(f"{said} and {STEPS} steps.")).to_be_visible()
    link = dialog.get_by_label("Link", exact=True)
    expect(link).to_have_value(re.compile("s="))
    assert not violations_light_and_dark(page)

    friend = open_first_page(
        new_context(viewport={"width": 420, "height": 900}), link.input_value()
    )
    expect(friend.locator(".message.good")).to_have_text(
        re.compile(r"Trained again: all [\d,]+ numbers are as shared\.")
    )
    expected = trained()
    for path in ("source.W_e", "encoder.0.feed_forward.W_1", "output.W_out"):
        wait_until_shown(friend, expected, path)
    wide = friend.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0
