"""The static site in another browser: the way of a student, in Firefox."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

from tests.browser.firefox import NAMES, Firefox
from tests.browser.static_site import ALIVE, StaticSite

W_Q = "encoder.0.self_attn.head.0.W_q"
# The first element that `wanted` is true of, in every shadow root.
FIND = """(function find(root, wanted) {
  for (const e of root.querySelectorAll("*")) {
    if (wanted(e)) return e;
    const inside = e.shadowRoot && find(e.shadowRoot, wanted);
    if (inside) return inside;
  }
})"""


@pytest.fixture
def firefox() -> Iterator[Firefox]:
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip("There is no Firefox (Debian: apt-get install firefox-esr).")
    driven = Firefox(found)
    yield driven
    driven.close()


def press(firefox: Firefox, pattern: str) -> None:
    """Press the first button or tab that says this."""
    button = (
        f"{FIND}(document, (e) => e.matches('button, [role=tab]') "
        f"&& /{pattern}/.test(e.textContent.trim()))"
    )
    firefox.wait_for(button)
    firefox.evaluate(f"{button}.click()")


def test_firefox_goes_a_student_s_way(site: StaticSite, firefox: Firefox) -> None:
    """An edit, an oscillation, a training, a reload, and a visit without a network."""
    value = f"window.tinkerformer.value('{W_Q}', 0, 0)"
    answer = "String(window.tinkerformer.value('output.probabilities', 2, 0))"
    firefox.open(site.url)
    firefox.wait_for(ALIVE)
    before = firefox.evaluate(answer)
    firefox.evaluate(f"window.tinkerformer.select('{W_Q}', 0, 0)")
    firefox.evaluate(f"window.tinkerformer.set('{W_Q}', 0, 0, 1.5)")
    firefox.wait_for(f"{value} === 1.5 && {answer} !== '{before}'")

    firefox.evaluate("window.tinkerformer.oscillate(true)")
    firefox.wait_for("window.tinkerformer.oscillating()")
    frames = firefox.evaluate("window.tinkerformer.frames")
    firefox.wait_for(f"window.tinkerformer.frames > {frames} + 20")
    firefox.evaluate("window.tinkerformer.oscillate(false)")
    firefox.wait_for(f"!window.tinkerformer.oscillating() && {value} === 1.5")

    firefox.wait_for("sessionStorage['tinkerformer-visit'].includes('W_q')")
    firefox.reload()
    firefox.wait_for(f"{ALIVE} && {value} === 1.5")

    press(firefox, "^Learn$")
    press(firefox, "^Train")
    right = "/\\b(19[89]|200) of 200 unseen/.test(e.textContent)"
    firefox.wait_for(f"{FIND}(document, (e) => e.children.length === 0 && {right})", 240)
    assert firefox.evaluate("[...window.Bokeh.index].length") >= 4

    firefox.wait_for("navigator.serviceWorker.controller")
    firefox.evaluate("sessionStorage.clear()")
    site.stop()
    try:
        firefox.open(f"{site.url}?view=formulas")
        firefox.wait_for(f"location.search === '?view=formulas' && {ALIVE}")
        firefox.wait_for("window.tinkerformer.paths().includes('source.embedding')")
    finally:
        site.start()
