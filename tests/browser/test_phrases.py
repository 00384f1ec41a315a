import re
from collections.abc import Iterable

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect
from tinkerformer.files import catalog
from tinkerformer.model.inference.forward_pass import ForwardPassRunner

from tests.browser.conftest import Server, open_first_page
from tests.browser.student import (
    click_cell,
    open_settings,
    open_view,
    type_token,
    violations_light_and_dark,
    wait_until_shown,
)

SLOW = 120_000  # for a busy machine


def words_of(text: str) -> list[str]:
    return text.split()


def written(page: Page) -> Locator:
    """Return the words that the model writes, after the start token."""
    return page.locator(".written li:not(.end) .chip")


def expect_written(page: Page, words: Iterable[str]) -> None:
    expect(written(page)).to_have_text([*words])


def button(page: Page, name: str | re.Pattern[str]) -> Locator:
    return page.get_by_role("button", name=name, exact=isinstance(name, str))


def test_the_words_of_the_first_sentence_can_be_followed_and_changed(phrases: Page) -> None:
    expect_written(phrases, words_of("<sos> le chat noir est assis sur le tapis"))
    scenario = catalog.first("phrases")
    wait_until_shown(phrases, scenario, "output.probabilities")
    # Each word has the probability with which it was written.
    rows = ForwardPassRunner().trace(scenario)["output.probabilities"].value
    for at, token in enumerate(scenario.ids("target")[1:], 1):
        said = f"probability {rows[at - 1, token]:.2f}"
        expect(written(phrases).nth(at)).to_have_attribute("aria-label", re.compile(said))
    expect(phrases.get_by_text("✓ right", exact=True)).to_be_visible()
    click_cell(phrases, "source.W_e", 4, 1)
    after = phrases.get_by_label("Position whose next word is shown")
    for _ in range(2):  # the second press ends the following
        written(phrases).nth(3).click()
        expect(phrases.get_by_role("button", name=re.compile("^Following"))).to_be_visible()
        expect(after).to_have_value("after “le chat”")
        written(phrases).nth(3).click()
        expect(phrases.get_by_role("button", name=re.compile("^Following"))).to_be_hidden()
    # The number was released, because the panel shows a word.
    assert phrases.evaluate("window.tinkerformer.selection()") is None
    type_token(phrases, "black", "white")
    expect_written(phrases, words_of("<sos> le chat blanc est assis sur le tapis"))
    expect(written(phrases).nth(3)).to_have_class(re.compile("changed"))
    expect(written(phrases).nth(2)).not_to_have_class(re.compile("changed"))
    type_token(phrases, "cat", "mouse")
    expect_written(phrases, words_of("<sos> la souris blanche est assise sur le tapis"))


def test_one_press_switches_to_teacher_forcing(phrases: Page) -> None:
    button(phrases, "you write it").click()
    expect(written(phrases).first).not_to_be_visible()
    type_token(phrases, "chat", "chien")
    wanted = catalog.first("phrases").with_tokens(
        "target", words_of("<sos> le chien noir est assis sur le tapis")
    )
    wait_until_shown(phrases, wanted, "output.probabilities")
    button(phrases, "writes itself").click()
    expect_written(phrases, words_of("<sos> le chat noir est assis sur le tapis"))


def test_a_new_model_is_trained_in_the_header_and_survives_a_reload(
    new_context, own_server: Server
) -> None:
    """With d_model 16, from random to 99 % while the stages change; reload; then a new server."""
    page = open_first_page(new_context(own_server.url), own_server.url)
    open_settings(page)
    page.get_by_label("d_model", exact=True).fill("16")
    page.get_by_label("d_model", exact=True).press("Enter")
    open_view(page, "Train")
    expect(
        page.get_by_text("The weights are random: the model writes noise.").first
    ).to_be_visible()
    random = page.evaluate("window.tinkerformer.value('source.W_e', 0, 0)")
    page.get_by_label("pace", exact=True).select_option("full")
    train = page.locator("[data-part=learning]").get_by_text(
        re.compile(r"Train it \(about \d+ s\)")
    )
    train.click()
    expect(button(page, "Pause")).to_be_visible()
    # The numbers change on the board, in Attention and in the inspector.
    page.wait_for_function("x => window.tinkerformer.value('source.W_e', 0, 0) !== x", arg=random)
    open_view(page, "Attention")
    page.wait_for_function("window.tinkerformer.stages().some(s => s.id.startsWith('attention'))")
    open_view(page, "Train")
    bar = page.get_by_role("slider", name="Timeline")
    expect(bar).to_have_attribute("aria-valuetext", "step 1,000 of 1,000", timeout=SLOW)
    right = page.get_by_text(re.compile(r"[\d,]+ of 1,000 unseen phrases right")).first
    expect(right).to_be_visible(timeout=SLOW)
    found = re.search(r"([\d,]+) of 1,000", right.inner_text())
    assert int(found[1].replace(",", "")) >= 990
    expect_written(page, words_of("<sos> le chat noir est assis sur le tapis"))
    page.wait_for_function("'weights' in JSON.parse(sessionStorage['tinkerformer-visit'])")
    learned = page.evaluate("window.tinkerformer.value('source.W_e', 0, 0)")
    assert np.isfinite(learned)
    page.reload()
    check_that_it_is_there(page, learned)
    url = page.url
    page.goto("about:blank")  # otherwise it would reload itself when the server is back
    own_server.kill()
    own_server.start()
    page.goto(url)
    check_that_it_is_there(page, learned)


def check_that_it_is_there(page: Page, learned: float) -> None:
    page.wait_for_function(
        "x => window.tinkerformer?.ready && window.tinkerformer.value('source.W_e', 0, 0) === x",
        arg=learned,
    )
    expect_written(page, words_of("<sos> le chat noir est assis sur le tapis"))
    open_view(page, "Train")
    expect(page.get_by_text("step 1,000 of 1,000", exact=True)).to_be_visible()


@pytest.mark.in_turn
def test_axe_finds_no_violation_in_the_header(whole: Page) -> None:
    type_token(whole, "black", "purple")
    expect(whole.get_by_role("button", name="edit purple,")).to_be_visible()
    assert not violations_light_and_dark(whole)


def test_suggestions_are_a_menu_on_a_narrow_page(phrases: Page) -> None:
    phrases.set_viewport_size({"width": 768, "height": 860})
    open_view(phrases, "Picture")
    tries = phrases.get_by_role("region", name="Things to try").get_by_role("button")
    expect(tries).to_have_count(2)  # the film and the button of the menu
    line = "A Transformer that translates English into French."
    expect(phrases.get_by_text(line)).to_be_visible()
    for button in tries.all():
        expect(button).to_be_in_viewport(ratio=1)
    phrases.get_by_role("button", name="Things to try").click()
    expect(tries).to_have_count(5)
    phrases.get_by_role("button", name="Replace “black” by “white”").click()
    expect(tries).to_have_count(2)
    expect(phrases.get_by_role("button", name="edit white,")).to_be_visible()
