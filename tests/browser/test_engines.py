"""A student's path in Firefox and WebKit, served and as a static site.

In Chromium, `test_student.py` and `test_static_site.py` test the same.

``TINKERFORMER_PICTURES`` names a folder for screenshots of each step, to be compared by eye.
"""

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.browser.engine import Engine, NotInstalled, Point
from tests.browser.firefox import Firefox
from tests.browser.static_site import ALIVE, StaticSite
from tests.browser.webkit import WebKit

W_Q = "encoder.0.self_attn.head.0.W_q"
VALUE = f"window.tinkerformer.value('{W_Q}', 0, 0)"
ANSWER = "String(window.tinkerformer.value('output.probabilities', 2, 0))"
SHOWN = "e.getClientRects().length > 0"
# Returns the first element in any shadow root for which `wanted` is true.
FIND = """(function find(root, wanted) {
  for (const e of root.querySelectorAll("*")) {
    if (wanted(e)) return e;
    const inside = e.shadowRoot && find(e.shadowRoot, wanted);
    if (inside) return inside;
  }
})"""


@pytest.fixture(params=[Firefox, WebKit])
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    try:
        driven = request.param()
    except NotInstalled as missing:
        pytest.skip(str(missing))
    yield driven
    driven.close()


@pytest.fixture
def look(engine: Engine, request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Save a screenshot of a step, if there is a folder for it."""
    folder = os.environ.get("TINKERFORMER_PICTURES")

    def keep(step: str) -> None:
        if folder:
            engine.picture(Path(folder) / f"{request.node.callspec.id}-{step}.png")

    return keep


def element(wanted: str) -> str:
    """Return a script that finds the first visible element with this property."""
    return f"{FIND}(document, (e) => {SHOWN} && ({wanted}))"


def middle(engine: Engine, script: str) -> Point:
    """Return the place of an element or a box."""
    engine.wait_for(script)
    box = f"(({script}).getBoundingClientRect?.() ?? {script})"
    x, y = engine.evaluate(f"((b) => [b.x + b.width / 2, b.y + b.height / 2])({box})")
    return x, y


def press(engine: Engine, pattern: str) -> None:
    """Press the first button, tab or card with this text."""
    says = f"/{pattern}/.test(e.getAttribute('aria-label') ?? e.textContent.trim())"
    button = element(f"e.matches('button, [role=tab]') && {says}")
    # One script does it, because the page may be redrawn between two scripts.
    engine.wait_for(f"((found) => found && (found.click(), true))({button})")


def swing(engine: Engine) -> None:
    """Let a number oscillate for some frames; check that it then returns to its value."""
    before = engine.evaluate(VALUE)
    engine.evaluate("void window.tinkerformer.oscillate(true)")
    engine.wait_for("window.tinkerformer.oscillating()")
    frames = engine.evaluate("window.tinkerformer.frames")
    engine.wait_for(f"window.tinkerformer.frames > {frames} + 20")
    engine.evaluate("void window.tinkerformer.oscillate(false)")
    engine.wait_for(f"!window.tinkerformer.oscillating() && {VALUE} === {before}")


def change_a_word(engine: Engine) -> None:
    """Click a word of the source and type another one."""
    engine.click(middle(engine, element("/^edit cat,/.test(e.getAttribute('aria-label'))")))
    engine.wait_for(element("e.matches('input.chip') && e.getRootNode().activeElement === e"))
    engine.type("dog\n")
    engine.wait_for("window.tinkerformer.matrix('source.embedding').row_labels.includes('dog')")


def drag_a_number(engine: Engine) -> None:
    """Increase a number of the picture by dragging it to the right."""
    before = engine.evaluate(VALUE)
    x, y = middle(engine, f"window.tinkerformer.rect('{W_Q}', 0, 0)")
    engine.drag((x, y), (x + 60, y))
    engine.wait_for(f"{VALUE} > {before} && window.tinkerformer.selection()?.path === '{W_Q}'")
    rests(engine)


def rests(engine: Engine) -> None:
    """Wait until the last move of a drag has been applied, so that the number no longer changes."""
    now, before = engine.evaluate(VALUE), None
    while now != before:
        time.sleep(1)
        now, before = engine.evaluate(VALUE), now


def train(engine: Engine) -> None:
    """Train at full speed."""
    press(engine, "^Train$")
    pace = element("e.matches('select[aria-label=pace]')")
    choose = "e.value = 'full', e.dispatchEvent(new Event('change')), true"
    engine.wait_for(f"((e) => e && ({choose}))({pace})")
    press(engine, "^Train .*|^Train from")
    right = "/\\b(19[89]|200) of 200 unseen/.test(e.textContent)"
    # About 25 s, but many times that on a busy machine.
    engine.wait_for(f"{FIND}(document, (e) => e.children.length === 0 && {right})", 480)


def read_a_lesson(engine: Engine, url: str) -> None:
    engine.open(f"{url}?view=lesson:film")
    engine.wait_for(f"{ALIVE} && {element('e.matches(`.lesson h2`)')}?.textContent")


def follow_a_link(engine: Engine, url: str) -> None:
    """Check that the address from Share opens the same state in a new visit."""
    engine.evaluate(
        "void document.addEventListener('tinkerformer:link',"
        " ({ detail }) => { window.linked = detail.code; })"
    )
    engine.evaluate("void document.dispatchEvent(new CustomEvent('tinkerformer:ask-link'))")
    engine.wait_for("window.linked")
    code, number = engine.evaluate(f"[window.linked, {VALUE}]")
    engine.evaluate("void sessionStorage.clear()")
    engine.open("about:blank")
    engine.open(f"{url}#s={code}")
    engine.wait_for(f"{ALIVE} && Math.abs({VALUE} - {number}) < 1e-6")
    engine.wait_for("window.tinkerformer.matrix('source.embedding').row_labels.includes('dog')")


def walk(engine: Engine, url: str, look: Callable[[str], None]) -> None:
    """Change a word, drag a number, let it swing, open it from a link, read a lesson, train."""
    engine.open(url)
    engine.wait_for(ALIVE)
    look("begin")
    change_a_word(engine)
    before = engine.evaluate(ANSWER)
    drag_a_number(engine)
    engine.wait_for(f"{ANSWER} !== '{before}'")
    look("dragged")
    for name in ("Share", "Explore", "Train"):  # no part of the header is outside the window
        x, y = middle(engine, element(f"e.textContent.trim() === '{name}'"))
        assert 0 < x < engine.evaluate("innerWidth"), name
        assert 0 < y < engine.evaluate("innerHeight"), name
    swing(engine)
    follow_a_link(engine, url)
    look("linked")
    read_a_lesson(engine, url)
    look("lesson")
    engine.evaluate("void sessionStorage.clear()")
    engine.open(url)
    engine.wait_for(ALIVE)
    train(engine)
    look("trained")


@pytest.mark.served
def test_a_student_s_path_works_with_a_server(
    server: str, engine: Engine, look: Callable[[str], None]
) -> None:
    walk(engine, server, look)


def test_a_student_s_path_works_without_a_server(
    site: StaticSite, engine: Engine, look: Callable[[str], None]
) -> None:
    """Take the path, then reload, and open the page without a network."""
    walk(engine, site.url, look)
    engine.wait_for("navigator.serviceWorker.controller")
    engine.evaluate("void sessionStorage.clear()")
    site.stop()
    try:
        engine.open(f"{site.url}?view=formulas")
        engine.wait_for(f"location.search === '?view=formulas' && {ALIVE}")
        engine.wait_for("window.tinkerformer.paths().includes('source.embedding')")
    finally:
        site.start()
