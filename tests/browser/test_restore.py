"""What a tab, a link or a restarted server begins with; nothing that is kept stops a page."""

import numpy as np
from playwright.sync_api import Page

from app.links import encode
from app.saved import Saved, plain
from app.scenario import Scenario
from tests.browser.conftest import open_page
from tests.browser.student import click_cell, computed, wait_until_shown

CELL = ("source.W_e", 0, 0)
PINNED = Scenario().with_value("source.W_e", (1, 1), 4)
EDITED = PINNED.with_value("source.W_e", (0, 0), 3)
READY = "window.tinkerformer?.ready && window.tinkerformer.frames > 0"


def pin_and_edit(page: Page) -> None:
    """Bring the page to EDITED with PINNED as its baseline, and let the tab hear of it."""
    page.evaluate("window.tinkerformer.set('source.W_e', 1, 1, 4)")
    wait_until_shown(page, PINNED, "output.probabilities")
    page.get_by_role("button", name="Pin baseline").click()
    page.get_by_role("button", name="Unpin").wait_for()
    page.evaluate("window.tinkerformer.set('source.W_e', 0, 0, 3)")
    wait_until_shown(page, EDITED, "output.probabilities")
    wait_until_kept(page, EDITED, PINNED)


def wait_until_kept(page: Page, scenario: Scenario, baseline: Scenario | None) -> None:
    """Wait until the tab holds this; it is told when the hand rests, a moment after the numbers."""
    data = plain(Saved(scenario, None, baseline))
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
    """The numbers are those of EDITED, and its change since PINNED can be shown."""
    wait_until_shown(page, EDITED, "source.W_e")
    wait_until_shown(page, EDITED, "output.probabilities")
    page.get_by_role("button", name="Unpin").wait_for()
    page.get_by_label("show", exact=True).select_option(label="change")
    page.wait_for_function("window.tinkerformer.view().plane === 'change'")
    click_cell(page, *CELL)
    was = computed(PINNED, "source.W_e")[0, 0]
    page.get_by_text(f"change {np.float32(3) - was:.5f}"[:12]).first.wait_for()


def test_a_pinned_baseline_outlives_two_reloads(page):
    pin_and_edit(page)
    for _ in range(2):
        page.reload()
        page.wait_for_function(READY)
        wait_until_shown(page, EDITED, "output.probabilities")
        wait_until_kept(page, EDITED, PINNED)
    check_that_all_is_there(page)


def test_a_link_carries_the_pinned_baseline(new_context, server):
    link = f"{server}#s={encode(Saved(EDITED, None, PINNED))}"
    check_that_all_is_there(open_page(new_context(), link))


def test_a_restarted_server_finds_the_pinned_baseline_again(new_context, own_server):
    page = open_page(new_context(own_server.url), own_server.url)
    pin_and_edit(page)
    own_server.stop()
    page.get_by_text("The server is not answering").wait_for()
    own_server.start()
    page.wait_for_function(f"{READY} && !document.querySelector('.lost')", timeout=40_000)
    check_that_all_is_there(page)
