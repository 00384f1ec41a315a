"""What a reader sees when something breaks: nothing is lost, or one sentence says what."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Server, open_first_page
from tests.browser.proxy import Proxy

pytestmark = pytest.mark.served

CELL = "'source.W_e', 0, 0"
SLOW = "The server takes long to answer."
LOST = "The server is not answering."
READY = "window.tinkerformer?.ready && window.tinkerformer.frames > 0"
ALIVE = f"{READY} && !document.querySelector('.lost')"
COMES_BACK = 60_000  # ms: a server has to start on a machine that does other things


@pytest.fixture
def proxy(own_server: Server) -> Iterator[Proxy]:
    between = Proxy(own_server.port, own_server.app.stem)
    yield between
    between.close()


def stages(new_context, url: str) -> Page:
    """The phrases stage by stage, answering."""
    page = open_first_page(new_context(url), f"{url}?view=stages")
    set_cell(page, 0.5)
    wait_until_kept(page, 0.5)
    return page


def set_cell(page: Page, value: float) -> None:
    page.evaluate(f"window.tinkerformer.set({CELL}, {value})")


def wait_for_cell(page: Page, value: float, **options: float) -> None:
    page.wait_for_function(
        f"Math.fround(window.tinkerformer?.value({CELL})) === Math.fround({value})", **options
    )


def wait_until_kept(page: Page, value: float) -> None:
    """The tab has it: so its server has had it, too."""
    page.wait_for_function(
        f"""() => Math.fround(JSON.parse(sessionStorage['tinkerformer-visit'] ?? '{{}}')
          .edits?.['source.W_e']?.[0][2]) === Math.fround({value})"""
    )


def noticed_after(page: Page) -> float:
    """How many seconds pass until the page says that the server is slow."""
    return page.evaluate(
        """async (said) => {
          const begin = performance.now();
          while (!document.querySelector(".slow")?.checkVisibility())
            await new Promise(requestAnimationFrame);
          if (!document.querySelector(".slow").textContent.startsWith(said)) return NaN;
          return (performance.now() - begin) / 1000;
        }""",
        SLOW,
    )


def test_a_stopped_server_is_noticed_and_what_is_done_meanwhile_follows(new_context, own_server):
    page = stages(new_context, own_server.url)
    group = os.getpgid(own_server.process.pid)
    os.killpg(group, signal.SIGSTOP)
    try:
        assert noticed_after(page) <= 3.2  # 3 s, and a frame or two of a busy machine
        for value in (1, 2, 3):
            set_cell(page, value)
        expect(page.locator(".slow")).to_be_visible()
    finally:
        os.killpg(group, signal.SIGCONT)
    wait_for_cell(page, 3)
    expect(page.locator(".slow")).to_be_hidden()
    wait_until_kept(page, 3)
    assert page.evaluate("performance.getEntriesByType('navigation')[0].type") == "navigate"


def test_what_a_killed_server_had_not_received_is_told(new_context, own_server):
    page = stages(new_context, own_server.url)
    os.killpg(os.getpgid(own_server.process.pid), signal.SIGSTOP)
    page.locator(".slow").wait_for()
    page.get_by_role("switch", name="Dropout").click()
    own_server.kill()
    page.get_by_text(LOST).wait_for()
    own_server.start()
    page.wait_for_function(ALIVE, timeout=COMES_BACK)
    page.get_by_text("The last thing you did had not reached the server").wait_for()
    wait_for_cell(page, 0.5)


def test_a_server_killed_in_the_midst_of_a_drag_comes_back_with_the_last_position(
    new_context, own_server
):
    page = stages(new_context, own_server.url)
    box = page.evaluate(f"window.tinkerformer.rect({CELL})")
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(1, 20):
        page.mouse.move(x + 4 * step, y)
    page.wait_for_function(f"window.tinkerformer.value({CELL}) !== 0.5")
    own_server.kill()
    page.evaluate(
        """addEventListener("pagehide", () => {
          sessionStorage.atTheEnd = sessionStorage["tinkerformer-visit last"];
        })"""
    )
    page.mouse.move(x + 120, y)
    page.get_by_text(LOST).wait_for()
    page.mouse.up()
    own_server.start()
    page.wait_for_function(ALIVE, timeout=COMES_BACK)
    (edit,) = json.loads(page.evaluate("sessionStorage.atTheEnd"))["edits"]
    assert edit["path"] == "source.W_e"
    assert edit["value"] > 0.5
    wait_for_cell(page, edit["value"])
    wait_until_kept(page, edit["value"])
    expect(page.get_by_text("had not reached the server")).to_have_count(0)


def test_a_network_that_is_cut_loses_nothing(new_context, proxy):
    page = stages(new_context, proxy.url)
    set_cell(page, 1.5)
    proxy.cut()
    page.wait_for_function("performance.getEntriesByType('navigation')[0].type === 'reload'")
    page.wait_for_function(ALIVE, timeout=COMES_BACK)
    wait_for_cell(page, 1.5)


def test_a_network_that_swallows_is_noticed_and_what_is_done_meanwhile_follows(new_context, proxy):
    page = stages(new_context, proxy.url)
    proxy.hold()
    assert noticed_after(page) <= 3.2
    set_cell(page, 2.5)
    proxy.go_on()
    wait_for_cell(page, 2.5)
    expect(page.locator(".slow")).to_be_hidden()


def test_a_connection_that_leads_nowhere_is_left_for_a_new_one(new_context, proxy):
    page = stages(new_context, proxy.url)
    proxy.strand()
    set_cell(page, 3.5)
    assert noticed_after(page) <= 3.2
    page.wait_for_function(
        "performance.getEntriesByType('navigation')[0].type === 'reload'", timeout=COMES_BACK
    )
    page.wait_for_function(ALIVE, timeout=COMES_BACK)
    wait_for_cell(page, 3.5)


def test_two_seconds_on_the_way_are_told_as_slow_and_every_edit_arrives(new_context, proxy):
    page = stages(new_context, proxy.url)
    proxy.delay = 1.0  # there, and back
    for value in (1, 2, 3, 4):
        set_cell(page, value)
    page.locator(".slow").wait_for()
    wait_for_cell(page, 4)
    wait_until_kept(page, 4)
    assert page.evaluate("performance.getEntriesByType('navigation')[0].type") == "navigate"
    proxy.delay = 0.0
    expect(page.locator(".slow")).to_be_hidden()


# -- a training --------------------------------------------------------------------------------


def train_until(page: Page, step: int) -> None:
    """Train the phrases from random weights until the tab keeps a step beyond this one."""
    page.get_by_role("tab", name="Learn", exact=True).click()
    page.get_by_role("button", name="Train again").click()
    page.wait_for_function(
        f"""() => {{
          const kept = JSON.parse(sessionStorage["tinkerformer-visit"]);
          return kept.moments && kept.trained > {step};
        }}""",
        timeout=30_000,
    )


def kept_step(page: Page) -> int:
    return page.evaluate("JSON.parse(sessionStorage['tinkerformer-visit']).trained")


def check_that_the_training_goes_on(page: Page, step: int) -> None:
    """It stands at the step that the tab had, which is said, and goes on from there."""
    page.get_by_text(f"Its training stands at step {step:,}").wait_for()
    page.get_by_text(f"step {step:,} of").first.wait_for()
    page.get_by_role("button", name="Train on", exact=True).click()
    page.wait_for_function(
        f"JSON.parse(sessionStorage['tinkerformer-visit']).trained > {step + 10}"
    )


def test_a_training_goes_on_from_the_last_step_that_the_tab_had_when_its_server_was_killed(
    new_context, own_server
):
    page = stages(new_context, own_server.url)
    train_until(page, 20)
    own_server.kill()
    page.get_by_text(LOST).wait_for()
    step = kept_step(page)
    own_server.start()
    page.wait_for_function(ALIVE, timeout=COMES_BACK)
    check_that_the_training_goes_on(page, step)


def test_a_training_goes_on_after_a_reload(new_context, own_server):
    page = stages(new_context, own_server.url)
    train_until(page, 20)
    page.reload()
    page.wait_for_function(READY)
    check_that_the_training_goes_on(page, kept_step(page))
