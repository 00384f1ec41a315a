import json
import re

import numpy as np
from playwright.sync_api import Page, expect
from tinkerformer.files import catalog
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.inference.writing import with_written_target
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.session.link import encode
from tinkerformer.session.session_json import SavedSession, to_dict
from tinkerformer.session.title import window_title
from tinkerformer.view_model.page_location import PageLocation

from tests.browser.conftest import open_first_page, open_page
from tests.browser.student import (
    at_rest,
    click_cell,
    compare_from_here,
    computed,
    open_menu,
    open_view,
    show_plane,
    wait_until_shown,
)
from tests.browser.tabs import new_tab

CELL = ("source.W_e", 0, 0)
PINNED = Scenario().with_value("source.W_e", (1, 1), 4)
EDITED = PINNED.with_value("source.W_e", (0, 0), 3)
CHANGED = 2  # the row that the edit changes most, and that the page shows
FIRST = catalog.first("phrases")
READY = "window.tinkerformer?.ready && window.tinkerformer.frames > 0"


def pin_and_edit(page: Page) -> None:
    """Bring the page to EDITED with PINNED as its baseline, and wait until the tab stores it."""
    page.evaluate("window.tinkerformer.set('source.W_e', 1, 1, 4)")
    wait_until_shown(page, PINNED, "output.probabilities")
    compare_from_here(page)
    page.evaluate("window.tinkerformer.set('source.W_e', 0, 0, 3)")
    wait_until_shown(page, EDITED, "output.probabilities")
    wait_until_kept(page, EDITED.with_view("plane", "change"), PINNED, asked=CHANGED)


def wait_until_kept(
    page: Page,
    scenario: Scenario,
    baseline: Scenario | None,
    view: str = "stages",
    asked: int | None = None,
) -> None:
    """Wait until the tab stores this, a moment after the pointer is released."""
    place = PageLocation().at(view)._replace(asked=asked)
    data = to_dict(SavedSession(scenario, baseline=baseline, place=place))
    page.wait_for_function(
        """([expected]) => {
          const {selection, attention, ...kept} = JSON.parse(sessionStorage["tinkerformer-visit"]);
          const sorted = (x) => JSON.stringify(x, (_, v) => v && v.constructor === Object
            ? Object.fromEntries(Object.entries(v).sort()) : v);
          return sorted(kept) === sorted(expected);
        }""",
        arg=[data],
    )


def check_that_all_is_there(page: Page) -> None:
    """Check that the page shows the numbers of EDITED, and their changes since PINNED."""
    wait_until_shown(page, EDITED, "source.W_e")
    wait_until_shown(page, EDITED, "output.probabilities")
    show_plane(page, "change")
    page.wait_for_function("window.tinkerformer.view().plane === 'change'")
    click_cell(page, *CELL)
    was = computed(PINNED, "source.W_e")[0, 0]
    page.get_by_text(f"change {np.float32(3) - was:.5f}"[:12]).first.wait_for()


def test_a_pinned_baseline_survives_two_reloads(page):
    pin_and_edit(page)
    for _ in range(2):
        page.reload()
        page.wait_for_function(READY)
        wait_until_shown(page, EDITED, "output.probabilities")
        wait_until_kept(page, EDITED.with_view("plane", "change"), PINNED, asked=CHANGED)
    check_that_all_is_there(page)


EDITS = {"source.W_e": [["the", 0, 3]]}
KEPT = Scenario().with_value("source.W_e", (0, 0), 3)
NO_SUCH = ["no.such", 0, 0]  # a selection of a missing matrix


def test_the_page_opens_with_any_stored_data_and_names_the_lost_parts(page):
    text = json.dumps({"version": 1, "edits": EDITS, "baseline": 7, "selection": NO_SUCH})
    said = "could be opened only in part, without the pinned baseline and the selected number."
    page.evaluate(
        """([text]) => {
          // As the last thing, so that the page does not store its own after it.
          addEventListener("pagehide", () => { sessionStorage["tinkerformer-visit"] = text; });
          history.replaceState(null, "", location.pathname); // the link would come first
        }""",
        [text],
    )
    page.reload()
    page.wait_for_function(READY)
    page.get_by_text(f"What this tab had kept {said}").wait_for()
    wait_until_shown(page, KEPT, "source.W_e")
    wait_until_kept(page, KEPT, None, view="picture")  # no lesson is named
    # The next reload opens the stored state without a notice.
    page.reload()
    page.wait_for_function(READY)
    wait_until_shown(page, KEPT, "output.probabilities")
    assert page.get_by_text("What this tab had kept").count() == 0


def test_a_link_opens_its_view_and_cell_and_remains_in_the_address_until_the_first_change(
    new_context, server
):
    cell = ("decoder.0.feed_forward.W_1", 3, 4)
    link = f"{server}#s={encode(SavedSession(FIRST, cell, place=PageLocation().at('formulas')))}"
    page = open_page(new_context(), link)
    page.wait_for_function(
        """([path, i, j]) => {
          const now = window.tinkerformer.selection();
          return now?.path === path && now.i === i && now.j === j && scrollY > 1000;
        }""",
        arg=[*cell],
    )
    assert page.url == link
    open_view(page, "How it writes")
    page.get_by_role("tab", name="Beam search").click()
    page.wait_for_function(
        "location.hash === '' && window.tinkerformer.scenario().decode?.method === 'beam'"
    )
    open_menu(page)
    page.get_by_role("button", name="Share", exact=True).click()
    shared = page.get_by_role("textbox", name="Link", exact=True)
    expect(shared).to_have_value(re.compile("[?&#]s=."))
    other = open_page(new_context(), shared.input_value())
    expect(other.get_by_role("tab", name="Beam search")).to_have_attribute("aria-selected", "true")


def test_a_link_of_the_whole_picture_shows_all_of_it_and_remains(new_context, server):
    cell = ("decoder.0.feed_forward.W_2", 5, 3)
    link = f"{server}#s={encode(SavedSession(FIRST, cell))}"
    page = open_page(new_context(), link)
    page.wait_for_function("window.tinkerformer.selection()?.i === 5")
    page.locator(".ring.selected").first.wait_for()
    assert at_rest(page, "window.tinkerformer.look().isAll", frames=30)
    assert page.url == link
    page.evaluate("window.tinkerformer.set('source.W_e', 0, 0, 3)")
    page.wait_for_function("location.hash === ''")


def test_a_link_pasted_into_an_open_page_is_opened(page, server):
    page.goto(f"{server}#s={encode(SavedSession(EDITED, CELL))}")
    page.wait_for_function("window.tinkerformer?.selection()?.path === 'source.W_e'")
    wait_until_shown(page, EDITED, "source.W_e")


def test_the_address_names_the_view(new_context, server):
    page = new_tab(new_context())
    page.goto(f"{server}?view=cost")
    page.get_by_role("button", name="More forms of the model, now Cost").wait_for()
    open_view(page, "How it writes")
    page.wait_for_function("window.tinkerformer.scenario()?.place?.drawer === 'writing'")
    page.reload()
    button = page.get_by_role("button", name="How it writes", exact=True)
    expect(button).to_have_attribute("aria-expanded", "true")


def test_a_link_in_the_query_names_the_window_and_is_removed_at_the_first_change(
    new_context, server
) -> None:
    words = ("the", "white", "cat", "sat", "on", "the", "mat")
    scenario = with_written_target(FIRST.with_tokens("source", words), ForwardPassRunner())
    page = open_first_page(new_context(), f"{server}?theme=dark&s={encode(SavedSession(scenario))}")
    expect(page).to_have_title(window_title(scenario))
    assert page.title().startswith("the white cat sat on the mat → ")
    wait_until_shown(page, scenario, "source.embedding")
    page.evaluate("window.tinkerformer.set('source.W_e', 0, 0, 1.5)")
    page.wait_for_function("!location.search.includes('s=')")
    assert page.url == f"{server}?theme=dark"
    page.reload()
    page.wait_for_function("window.tinkerformer?.ready")
    expect(page).to_have_title(re.compile("^the white cat sat on the mat → "))
