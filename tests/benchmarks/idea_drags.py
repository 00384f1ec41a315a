"""The pictures of ideas: how long they take to open, and how often they move when dragged.

And what processors do for that, which a busy machine changes less than the rate. And how long the
landscape itself takes to compute.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright
from tinkerformer.files import catalog
from tinkerformer.ideas import landscape
from tinkerformer.inference.forward_pass import ForwardPassRunner
from tinkerformer.matrices.resolved_cell import resolve

from tests.benchmarks.serving import blank, launched, served
from tests.benchmarks.table import counted, figure, heading, line, median_ms
from tests.benchmarks.usage import browser_cpu, cpu
from transformer_math import Recipe, Trainer, Transformer

SECONDS, STRETCHES = 1.5, 3  # of a drag
OPENINGS = 3
PLACES = 41
STEPS = 24  # of the run whose landscape is computed
OPENED = (
    "From the command that opens its address, by the clock of the process that drives the browser, "
    "until what can be dragged is in the document; median."
)
UPDATES = (
    "A pointer moves in each display frame: frames before which the picture has changed by an "
    f"answer of the server, divided by the seconds of the stretch; median of {STRETCHES} stretches "
    f"of {SECONDS} s. The press and the letting go are not in it."
)
SPENT = (
    "Processor time of all processes of the browser in these stretches, divided by their display "
    "frames, and of the server, divided by the updates."
)
SURVEY = "From the call until all losses are there; median of 3 calls."


class Dragged(NamedTuple):
    """What is dragged in a picture."""

    what: str  # in words
    node: str  # the selector of what is under the pointer
    begin: Callable[[Page], object] = lambda _: None  # what is chosen before
    shown: str = ""  # the selector of what Python draws, where what is dragged moves by itself
    reach: float = 1.0  # in 70 pixels; where the dragged thing stops short, nothing is drawn


def _take_along(page: Page) -> None:
    """A word of the sentence moves with the position, far from both ends."""
    page.get_by_label("take along a word").select_option(index=2)
    field = page.get_by_label("position p, as a number")
    field.fill("5000")
    field.press("Enter")


PICTURES = {
    "words": Dragged("a word", ".word.chosen .hit", shown=".idea-said"),
    "arrows": Dragged("a query", ".arrow.query .hit", shown=".idea-said"),
    "landscape": Dragged("two numbers", ".bk-Figure", shown=".landscape"),
    "softmax": Dragged("a logit", ".bars .grip"),
    "mask": Dragged("a weight", "tbody tr:nth-child(6) .handle >> nth=5"),
    "positions": Dragged(
        "the hand of a word's position", ".dials svg >> nth=2", _take_along, ".idea-said"
    ),
    "layer_norm": Dragged("a number of the row", ".dot .hit"),
    "stream": Dragged("a part of a step", ".part .grip:visible", reach=0.3),
    "chain": Dragged("the number", ".moved .grip"),
}


# The pointer moves at each animation frame, and those are counted in which Python's answer has
# changed what is drawn. From outside the browser a pointer would move less often.
# What pressing and letting go take is not counted: a busy machine spreads it over fewer updates.
PRESS = """([node, root, reach]) => {
  const taker = node.closest("g") ?? node;
  taker.setPointerCapture = () => {}; // there is no such pointer
  const box = node.getBoundingClientRect();
  const middle = [box.x + box.width / 2, box.y + box.height / 2];
  const say = (type, x, y) => node.dispatchEvent(new PointerEvent(type, {
    bubbles: true, composed: true, cancelable: true, pointerId: 1, pointerType: "mouse",
    clientX: x, clientY: y, button: 0, buttons: 1,
  }));
  let isAnother = false;
  const observer = new MutationObserver(() => { isAnother = true; });
  observer.observe(root, {
    subtree: true, childList: true, characterData: true, attributes: true,
  });
  say("pointerdown", ...middle);
  return {
    async move(seconds) {
      let drawn = 0, frames = 0;
      const end = performance.now() + 1000 * seconds;
      for (let step = 0; performance.now() < end; step += 1) {
        const x = middle[0] + 70 * reach * Math.sin(step / 20);
        say("pointermove", x, middle[1] + 60 * reach * Math.cos(step / 17));
        await new Promise(requestAnimationFrame);
        drawn += isAnother;
        frames += 1;
        isAnother = false;
      }
      return [drawn, frames];
    },
    release() {
      say("pointermove", ...middle); // the next stretch begins with the same numbers
      say("pointerup", ...middle);
      observer.disconnect();
    },
  };
}"""


def run() -> None:
    """Print all measurements."""
    with served() as (url, pid), sync_playwright() as playwright:
        browser = launched(playwright)
        heading("Dragged pictures of ideas, of the phrases, in a browser on the server's machine")
        for name, dragged in PICTURES.items():
            times, pages = zip(*(opening(browser, url, name) for _ in range(OPENINGS)), strict=True)
            for page in pages[1:]:
                page.context.close()
            seconds = figure(times, 0.5, "s", 2)
            line(f"{name}: from its address until it is drawn", seconds, OPENED, "2.0 s")
            rate, of_browser, of_server = moving(pages[0], dragged, pid)
            what = f"{dragged.what} {'are' if dragged.what == 'two numbers' else 'is'} dragged"
            line(f"{name}: updates a second while {what}", counted(rate), UPDATES, "30")
            what = f"{name}: processors for a frame in the browser + an update of the server"
            line(what, f"{of_browser:.0f} + {of_server:.0f} ms", SPENT)
            pages[0].context.close()
        browser.close()
    heading(f"The landscape of the phrases at {PLACES} × {PLACES} places")
    for what, ground in grounds().items():
        spent = median_ms(lambda ground=ground: landscape.survey(ground, PLACES), 3, 1)
        line(f"the loss over {what}", f"{spent / 1000:.2f} s", SURVEY, "2.0 s")


def opening(browser: Browser, url: str, name: str) -> tuple[float, Page]:
    """Seconds from the address of a picture until what can be dragged is there, and the page."""
    page = blank(browser)
    start = time.perf_counter()
    page.goto(f"{url}?view=idea:{name}", wait_until="commit")
    page.locator(PICTURES[name].node).first.wait_for()
    return time.perf_counter() - start, page


def moving(page: Page, dragged: Dragged, pid: int) -> tuple[float, float, float]:
    """Drag in a picture.

    Returns:
        How often in a second it was updated, and the milliseconds of processors that all processes
        of the browser took for a frame, and the server with this process id for an update.
    """
    dragged.begin(page)
    node = page.locator(dragged.node).first
    node.wait_for()
    node.scroll_into_view_if_needed()
    page.wait_for_timeout(500)
    of = page.locator(dragged.shown).first if dragged.shown else node
    root = of.evaluate_handle("(node) => node.getRootNode()")
    browser = page.context.browser
    assert browser is not None
    rates, spent = [], np.zeros(2)
    updates = frames = 0
    for _ in range(STRETCHES):
        drag = page.evaluate_handle(PRESS, [node.element_handle(), root, dragged.reach])
        drag.evaluate("(drag) => drag.move(0.3)")  # what its beginning takes
        before = np.array([browser_cpu(browser), cpu(pid)])
        drawn, painted = drag.evaluate("(drag, seconds) => drag.move(seconds)", SECONDS)
        spent += np.array([browser_cpu(browser), cpu(pid)]) - before
        drag.evaluate("(drag) => drag.release()")
        rates.append(drawn / SECONDS)
        updates, frames = updates + drawn, frames + painted
    of_browser, of_server = 1000 * spent / np.maximum(1, [frames, updates])
    return statistics.median(rates), of_browser, of_server


def grounds() -> dict[str, landscape.Ground]:
    """What the landscape is computed from, as the picture has it."""
    scenario = landscape.asked_for(catalog.first("phrases"))
    runner = ForwardPassRunner()
    trace = runner.with_gradients(scenario)
    cells = [resolve(trace, each) for each in landscape.steepest(scenario, trace, 2)]
    assert scenario.data is not None
    pairs = scenario.data.pairs()
    trainer = Trainer(
        Transformer.create(scenario.learned_config, 3), pairs, Recipe.preset("phrases")
    )
    kept = {0: trainer.parameters()}
    for step in range(1, STEPS + 1):
        next(trainer)
        kept[step] = trainer.parameters()
    of_run, _ = landscape.of_run(trainer.model, pairs, 0.1, kept, STEPS)
    assert np.isfinite(landscape.survey(of_run, 3).losses).all()
    return {
        "two numbers": landscape.of_numbers(scenario, trace, cells),
        f"the main directions of a run, of {landscape.EXAMPLES} phrases": of_run,
    }
