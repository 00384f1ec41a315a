from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import open_first_page
from tests.browser.proxy import Proxy
from tests.browser.student import type_token

pytestmark = [pytest.mark.served, pytest.mark.in_turn]

W_Q = "encoder.0.self_attn.head.0.W_q"
READY = "window.tinkerformer?.ready && window.tinkerformer.frames > 0"
AFTER_RELOAD = 60_000  # ms: the page notices that no answer comes, and starts again


@pytest.fixture
def proxy(server: str) -> Iterator[Proxy]:
    address = urlsplit(server)
    assert address.port is not None
    between = Proxy(address.port, address.path.strip("/"))
    yield between
    between.close()


@pytest.fixture
def stages(new_context, proxy: Proxy) -> Page:
    """Open the phrases stage by stage, through a proxy that can be slow."""
    page = open_first_page(new_context(proxy.url), f"{proxy.url}?view=formulas")
    page.evaluate(f"window.tinkerformer.select('{W_Q}', 0, 0)")
    return page


def put(page: Page, j: int, value: float) -> None:
    """Set a number without waiting for it."""
    page.evaluate(
        "([path, j, value]) => void window.tinkerformer.set(path, 0, j, value)", [W_Q, j, value]
    )


def edits(page: Page) -> dict[str, float]:
    """Return the edits of the matrix by column, once all actions are answered."""
    page.evaluate("window.tinkerformer.select(null)")
    scenario = page.evaluate("window.tinkerformer.scenario()")
    cells = scenario.get("edits", {}).get("encoder.0.self_attn.W_q", [])
    return {cell[2]: cell[3] for cell in cells}


def test_a_call_ends_when_the_page_shows_its_change_or_fails_with_the_reason(stages):
    found = stages.evaluate(
        """async ([path]) => {
          const t = window.tinkerformer, found = [];
          for (let k = 1; k <= 20; k++) {
            const frames = t.frames;
            await t.set(path, 0, 1, k / 10);
            const isPainted = t.frames > frames;
            found.push(isPainted && t.value(path, 0, 1) === Math.fround(k / 10));
          }
          const together = [0.25, 0.5, 0.75].map((x) => t.set(path, 0, 2, x));
          await Promise.all(together);
          found.push(t.value(path, 0, 2) === 0.75);
          await t.select(path, 1, 2);
          found.push(t.selection().i === 1);
          await t.restore(path, 0, 1);
          found.push(t.value(path, 0, 1) !== 2);
          await t.oscillate(true);
          found.push(t.oscillating());
          await t.oscillate(false);
          found.push(!t.oscillating());
          return found;
        }""",
        [W_Q],
    )
    assert all(found), found
    said = stages.evaluate(
        """async ([path]) => {
          const t = window.tinkerformer;
          const refused = (call) => call.then(() => "", (error) => error.message);
          return [
            await refused(t.set("no.such", 0, 0, 1)),
            await refused(t.set(path, 99, 0, 1)),
            await refused(t.set(path, 0, 0, 1e6)),
            await refused(t.set(path, 0, 0, NaN)),
            await refused(t.set(path, 0, 0, 1)),
          ];
        }""",
        [W_Q],
    )
    assert said == [
        "There is no matrix no.such on the page.",
        f"{W_Q} has no cell 99, 0.",
        "Type a number from −1000 to 1000.",
        "A cell is set to a finite number.",
        "",
    ]
    # The page shows why Python refused an action.
    expect(stages.get_by_text(said[2])).to_be_visible()


def test_a_word_that_is_too_long_is_refused_at_its_chip_and_the_next_one_is_accepted(stages):
    stages.get_by_role("button", name="edit black,").first.click()
    stages.keyboard.press("Control+A")
    stages.keyboard.insert_text("a" * 1001)
    stages.keyboard.press("Enter")
    problem = stages.locator("#error-source")
    expect(problem).to_have_text("A text has at most 1,000 letters here, and this one has 1,001.")
    stages.keyboard.press("Control+A")
    stages.keyboard.insert_text("b" * 30)
    stages.keyboard.press("Enter")
    expect(problem).to_contain_text("at most 24 characters")
    stages.keyboard.press("Escape")
    type_token(stages, "black", "white")
    expect(problem).to_have_text("")
    stages.wait_for_function("window.tinkerformer.scenario().source?.[1] === 'white'")


def test_actions_without_a_connection_are_done_after_it_returns(stages, proxy):
    """The page starts again after a dead connection, and keeps a word and an undo."""
    stages.evaluate(f"window.tinkerformer.set('{W_Q}', 0, 1, 2.5)")
    proxy.strand()
    type_token(stages, "black", "white")
    put(stages, 2, 3.5)
    put(stages, 3, 4.5)
    stages.locator("body").click(position={"x": 2, "y": 2})
    stages.keyboard.press("Control+z")
    stages.wait_for_function(
        "performance.getEntriesByType('navigation')[0].type === 'reload'", timeout=AFTER_RELOAD
    )
    stages.wait_for_function(READY, timeout=AFTER_RELOAD)
    stages.wait_for_function("window.tinkerformer.scenario().source?.[1] === 'white'")
    assert edits(stages) == {1: 2.5, 2: 3.5}
    assert stages.evaluate("sessionStorage['tinkerformer-visit last'] ?? null") is None
    expect(stages.get_by_text("do it again")).to_have_count(0)
    stages.reload()
    stages.wait_for_function(READY)
    assert edits(stages) == {1: 2.5, 2: 3.5}
