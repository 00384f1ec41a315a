"""The page as a screen reader finds it in each view, as text: roles, names, announcements.

The texts are in ``snapshots``. After an intended change, ``TINKERFORMER_SNAPSHOTS=write`` with this
file's tests rewrites them; read the differences before you keep them. Numbers are
omitted, because other tests compare them with transformer_math.
"""

import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import open_first_page
from tests.browser.student import violations

SNAPSHOTS = Path(__file__).parent / "snapshots"
NUMBER = re.compile(r"[−-]?\d*\.\d+(e[−-]?\d+)?|(?<=: )[−-]?\d+(?=[\"'])")
STRUCTURE = re.compile(r"^ *- '?(main|region|heading|group|grid|figure|button|navigation|img)\b")
# Stages with the same structure as the encoder's.
REPEATED = re.compile(r"^  - '?region \"(Input Target|Decoder )")
VIEWS = ("whole", "stages", "attention", "decode", "learn", "lessons", "experiments", "positions")

# Records the announcements of the live regions, in order.
LISTEN = """() => {
  window.said = [];
  for (const e of allOf("[aria-live=polite]"))
    new MutationObserver(() => {
      const text = e.textContent.trim();
      if (text && text !== window.said.at(-1)) window.said.push(text);
    }).observe(e, {childList: true, characterData: true, subtree: true});
}"""

KEYS = {
    "whole": ("ArrowDown", "ArrowRight", "PageDown"),
    "stages": ("ArrowDown", "ArrowRight", "ArrowRight"),
}

# Returns the element that has the focus, and its name.
FOCUS = """() => {
  let a = document.activeElement;
  while (a.shadowRoot?.activeElement) a = a.shadowRoot.activeElement;
  return a.type === "range" ? a.getAttribute("aria-label") ?? a.labels[0]?.textContent : null;
}"""


def agrees(name: str, text: str) -> None:
    """Compare a text with the stored one."""
    file = SNAPSHOTS / f"{name}.txt"
    if os.environ.get("TINKERFORMER_SNAPSHOTS") == "write":
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")


def structure(page: Page) -> str:
    """Return roles and names of the view, one a line, in reading order."""
    lines = page.get_by_role("main").aria_snapshot().splitlines()
    found, is_repeated = [], False
    for line in filter(STRUCTURE.match, lines):
        if not line.startswith("   "):
            is_repeated = bool(REPEATED.match(line))
        if not is_repeated:
            found.append(NUMBER.sub("#", line))
    return "\n".join(found) + "\n"


@pytest.mark.parametrize("view", KEYS)
def test_the_structure_of_a_view_equals_the_stored_one(new_context, server: str, view: str) -> None:
    page = open_first_page(new_context(), f"{server}?view={view}")
    agrees(view, structure(page))


@pytest.mark.parametrize("view", KEYS)
def test_announcements_during_use_are_the_stored_ones(new_context, server: str, view: str) -> None:
    page = open_first_page(new_context(), f"{server}?view={view}")
    page.get_by_role("main").get_by_role("grid").first.focus()
    page.evaluate(LISTEN)
    for count, key in enumerate(KEYS[view], 1):
        page.keyboard.press(key)
        page.wait_for_function("(n) => window.said.length >= n", arg=count)
    page.keyboard.press("Enter")
    slider = page.wait_for_function(FOCUS).json_value()
    said = [*page.evaluate("window.said"), f"Enter leads to: {slider}"]
    agrees(f"{view}_way", "".join(NUMBER.sub("#", text) + "\n" for text in said))


@pytest.mark.parametrize("view", [*VIEWS, "cost"])
def test_axe_finds_no_violation(new_context, server: str, view: str) -> None:
    """In the light theme; test_widths.py checks its colors in the dark theme."""
    page = open_first_page(new_context(), f"{server}?view={view}")
    assert not violations(page)


def test_nothing_is_animated_with_reduced_motion(new_context, server: str) -> None:
    page = open_first_page(new_context(reduced_motion="reduce"), f"{server}?view=picture")
    page.get_by_role("button", name="Nearer (+)").click()
    page.evaluate("window.tinkerformer.set('encoder.0.self_attn.head.0.W_q', 0, 0, 3)")
    moving = """() => document.getAnimations()
        .filter((each) => each.playState === 'running' && each.effect.getTiming().duration > 1)
        .map((each) => each.animationName ?? each.transitionProperty ?? String(each))"""
    assert page.evaluate(moving) == []
