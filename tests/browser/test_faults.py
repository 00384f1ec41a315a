import json
import os
import re
import signal
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect
from tinkerformer.model.scenario.scenario import Scenario

from tests.browser.conftest import Server, open_first_page, stages_link
from tests.browser.proxy import Proxy
from tests.browser.student import expect_dropout, open_view, switch_dropout

pytestmark = [pytest.mark.served, pytest.mark.in_turn]

CELL = "'source.W_e', 0, 0"
SLOW = "The server is slow to answer."
LOST = "The server is not answering."
READY = "window.tinkerformer?.ready && window.tinkerformer.frames > 0"
ALIVE = f"{READY} && !document.querySelector('.lost')"
STANDS_STILL = 15  # s
COMES_BACK = 60_000  # ms: a server has to start on a busy machine


@pytest.fixture
def proxy(own_server: Server) -> Iterator[Proxy]:
    between = Proxy(own_server.port, own_server.app.stem)
    yield between
    between.close()


def stages(new_context, url: str) -> Page:
    """Open the phrases stage by stage, and wait until the page answers."""
    page = open_first_page(new_context(url), f"{url}?view=formulas")
    set_cell(page, 0.5)
    wait_until_kept(page, 0.5)
    return page


def set_cell(page: Page, value: float) -> None:
    page.evaluate(f"void window.tinkerformer.set({CELL}, {value})")


def wait_for_cell(page: Page, value: float, **options: float) -> None:
    page.wait_for_function(
        f"Math.fround(window.tinkerformer?.value({CELL})) === Math.fround({value})", **options
    )


def wait_until_kept(page: Page, value: float) -> None:
    """Wait until the tab stores the number, which means that the server has received it."""
    page.wait_for_function(
        f"""() => Math.fround(JSON.parse(sessionStorage['tinkerformer-visit'] ?? '{{}}')
          .edits?.['source.W_e']?.[0][2]) === Math.fround({value})"""
    )


def wait_until_noticed(page: Page) -> None:
    """Wait until the page states that the server is slow; tests/js/heartbeat.test.js tests when."""
    page.wait_for_function(
        """(said) => {
          const line = document.querySelector(".slow");
          return line?.checkVisibility() && line.textContent.startsWith(said);
        }""",
        arg=SLOW,
    )


def test_the_next_server_gets_the_edits_that_a_killed_server_did_not(new_context, own_server):
    page = stages(new_context, own_server.url)
    os.killpg(os.getpgid(own_server.process.pid), signal.SIGSTOP)
    page.locator(".slow").wait_for()
    switch_dropout(page)
    own_server.kill()
    page.get_by_text(LOST).wait_for()
    own_server.start()
    page.wait_for_function(ALIVE, timeout=COMES_BACK)
    expect_dropout(page)
    wait_for_cell(page, 0.5)


def test_a_server_that_is_killed_during_a_drag_returns_with_the_last_number(
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
    said = [
        each["content"] for each in json.loads(page.evaluate("sessionStorage.atTheEnd"))["said"]
    ]
    edit = [each for each in said if each["type"] == "set"][-1]  # other messages follow it
    assert edit["path"] == "source.W_e"
    assert edit["value"] > 0.5
    wait_for_cell(page, edit["value"])
    wait_until_kept(page, edit["value"])


def test_cutting_the_network_loses_no_edit(new_context, proxy):
    page = stages(new_context, proxy.url)
    set_cell(page, 1.5)
    proxy.cut()
    page.wait_for_function("performance.getEntriesByType('navigation')[0].type === 'reload'")
    page.wait_for_function(ALIVE, timeout=COMES_BACK)
    wait_for_cell(page, 1.5)


def test_a_network_that_drops_data_is_noticed_and_later_edits_are_sent(new_context, proxy):
    page = stages(new_context, proxy.url)
    proxy.hold()
    wait_until_noticed(page)
    set_cell(page, 2.5)
    proxy.go_on()
    wait_for_cell(page, 2.5)
    expect(page.locator(".slow")).to_be_hidden()


# -- a training run ----------------------------------------------------------------------------


def train_until(page: Page, step: int) -> None:
    """Train the phrases from random weights until the tab stores a later step than this one."""
    open_view(page, "Train")
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
    """Training continues from the last step that the tab stored, which the page states."""
    page.get_by_text(f"Its training is at step {step:,}").wait_for()
    page.get_by_text(f"step {step:,} of").filter(visible=True).first.wait_for()
    page.get_by_role("button", name="Continue", exact=True).click()
    page.wait_for_function(
        f"JSON.parse(sessionStorage['tinkerformer-visit']).trained > {step + 10}"
    )


def test_a_training_continues_from_the_last_step_that_the_tab_stored_before_its_server_was_killed(
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


# -- storage of the browser --------------------------------------------------------------------

FILL = """() => {
  const room = (key, size) => {
    for (; size; size = size >> 1)
      for (;;) {
        try { sessionStorage[key] = (sessionStorage[key] ?? "") + "x".repeat(size); }
        catch { break; }
      }
  };
  sessionStorage.clear();
  room("full", 1 << 22);
}"""
REFUSED = """Object.defineProperty(window, "sessionStorage", {
  get() { throw new DOMException("refused", "SecurityError"); },
})"""
UNKEPT = "a reload would lose what you do from now on"


def test_a_full_storage_loses_only_the_steps_of_undo(new_context, own_server):
    page = stages(new_context, own_server.url)
    page.evaluate(FILL)
    set_cell(page, 1.5)
    page.wait_for_function("history.state?.['tinkerformer-visit']?.includes(',1.5]')")
    page.reload()
    page.wait_for_function(READY)
    wait_for_cell(page, 1.5)
    expect(page.get_by_role("button", name="Undo").first).to_have_attribute(
        "title", re.compile("earlier steps were not kept")
    )


def test_without_storage_a_reload_loses_nothing(new_context, own_server):
    context = new_context(own_server.url)
    context.add_init_script(REFUSED)
    page = open_first_page(context, f"{own_server.url}?view=formulas")
    set_cell(page, 1.5)
    page.wait_for_function("history.state?.['tinkerformer-visit']?.includes(',1.5]')")
    page.reload()
    page.wait_for_function(READY)
    wait_for_cell(page, 1.5)


def test_if_nothing_can_be_stored_the_page_says_so_once(new_context, own_server):
    context = new_context(own_server.url)
    context.add_init_script(
        f"{REFUSED}; history.replaceState = () => {{ throw new DOMException('no') }}"
    )
    page = open_first_page(context, f"{own_server.url}?view=formulas")
    page.get_by_text(UNKEPT).wait_for()
    set_cell(page, 1.5)
    wait_for_cell(page, 1.5)
    page.get_by_role("button", name="Close").click()
    set_cell(page, 2.5)
    wait_for_cell(page, 2.5)
    expect(page.get_by_text(UNKEPT)).to_be_hidden()


# -- the page itself ---------------------------------------------------------------------------


def test_two_tabs_that_open_the_same_link_have_separate_sessions(new_context, own_server):
    context = new_context(own_server.url)
    link = f"{own_server.url}#s={stages_link(Scenario().with_value('source.W_e', (0, 0), 0.5))}"
    pages = [open_first_page(context, link) for _ in range(2)]
    for page, value in zip(pages, (1, 2), strict=True):
        wait_for_cell(page, 0.5)
        set_cell(page, value)
    for page, value in zip(pages, (1, 2), strict=True):
        wait_for_cell(page, value)
        wait_until_kept(page, value)
        page.reload()
        page.wait_for_function(READY)
    for page, value in zip(pages, (1, 2), strict=True):
        wait_for_cell(page, value)


def test_a_page_that_is_suspended_while_its_model_trains_continues(new_context, own_server):
    """The test stops the process of the page, as a system that sleeps or saves power does.

    It does so for longer than the page waits for a server, so that the page must recover. (The
    browser freezes only hidden pages, and a headless page is never hidden.)
    """
    page = stages(new_context, own_server.url)
    train_until(page, 5)
    browser = page.context.browser.new_browser_cdp_session()
    processes = browser.send("SystemInfo.getProcessInfo")["processInfo"]
    renderers = [int(process["id"]) for process in processes if process["type"] == "renderer"]
    page.evaluate(
        """() => {
          window.told = 0;
          new MutationObserver(() => {
            if (document.querySelector(".slow, .lost")?.checkVisibility()) window.told += 1;
          }).observe(document.body, { childList: true, subtree: true });
        }"""
    )
    step = kept_step(page)
    for process in renderers:
        os.kill(process, signal.SIGSTOP)
    time.sleep(STANDS_STILL)
    for process in renderers:
        os.kill(process, signal.SIGCONT)
    page.wait_for_function(
        f"JSON.parse(sessionStorage['tinkerformer-visit']).trained > {step + 50}"
    )
    open_view(page, "Formulas")
    set_cell(page, 3)
    wait_for_cell(page, 3)
    assert page.evaluate("window.told") == 0
    assert page.evaluate("performance.getEntriesByType('navigation')[0].type") == "navigate"


def test_a_jump_of_the_browser_s_clock_has_no_effect(new_context, own_server):
    page = stages(new_context, own_server.url)
    page.evaluate(
        """() => {
          const Real = Date;
          window.jump = 0;
          window.Date = class extends Real {
            constructor(...args) { super(...(args.length ? args : [Real.now() + jump])); }
            static now() { return Real.now() + jump; }
          };
        }"""
    )
    for hours, value in ((-5, 2.5), (5, 1.5)):
        page.evaluate("(jump) => { window.jump = jump; }", hours * 3_600_000)
        set_cell(page, value)
        wait_for_cell(page, value)
        wait_until_kept(page, value)
        expect(page.locator(".slow")).to_be_hidden()
    page.reload()
    page.wait_for_function(READY)
    wait_for_cell(page, 1.5)


@pytest.mark.parametrize("hours", [-5, 5])
def test_after_a_jump_of_the_server_s_clock_pages_continue_and_open(new_context, tmp_path, hours):
    """Only Python's time jumps, once a file exists, because the machine's clock must not change."""
    jump = tmp_path / "jump"
    (tmp_path / "sitecustomize.py").write_text(
        "import os, time, datetime\n"
        "_now = time.time\n"
        f"_jump = lambda: {hours * 3600} if os.path.exists({str(jump)!r}) else 0\n"
        "time.time = lambda: _now() + _jump()\n"
        "class _Jumping(datetime.datetime):\n"
        "    @classmethod\n"
        "    def now(cls, tz=None): return cls.fromtimestamp(time.time(), tz)\n"
        "    @classmethod\n"
        "    def utcnow(cls): return cls.now(datetime.timezone.utc).replace(tzinfo=None)\n"
        "datetime.datetime = _Jumping\n"
    )
    own = Server(PYTHONPATH=os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    own.start()
    try:
        page = stages(new_context, own.url)
        jump.touch()
        set_cell(page, 1.5)
        wait_for_cell(page, 1.5)
        wait_until_kept(page, 1.5)
        page.reload()
        page.wait_for_function(READY)
        wait_for_cell(page, 1.5)
        set_cell(stages(new_context, own.url), 2)
    finally:
        own.stop()
