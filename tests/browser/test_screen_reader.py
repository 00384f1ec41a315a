"""What a screen reader finds on Whole and Stages, as text: roles, names, and what is said.

The texts are in ``snapshots``. Where a change is meant, ``TINKERFORMER_SNAPSHOTS=write`` with this
file's tests rewrites them; read the difference before you keep it. Numbers are left
out: they are held against the mathematics elsewhere.
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
# Stages that are made like the encoder's.
REPEATED = re.compile(r"^  - '?region \"(Input Target|Decoder )")
VIEWS = ("whole", "stages", "attention", "decode", "learn", "lessons", "experiments", "positions")

# What the live regions say, in the order in which it is said.
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

# What has the focus, and what it is called.
FOCUS = """() => {
  let a = document.activeElement;
  while (a.shadowRoot?.activeElement) a = a.shadowRoot.activeElement;
  return a.type === "range" ? a.getAttribute("aria-label") ?? a.labels[0]?.textContent : null;
}"""


def agrees(name: str, text: str) -> None:
    """Hold a text against the one that is kept."""
    file = SNAPSHOTS / f"{name}.txt"
    if os.environ.get("TINKERFORMER_SNAPSHOTS") == "write":
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")


def structure(page: Page) -> str:
    """Roles and names of the view, one a line, in the order in which they are read."""
    lines = page.get_by_role("main").aria_snapshot().splitlines()
    found, is_repeated = [], False
    for line in filter(STRUCTURE.match, lines):
        if not line.startswith("   "):
            is_repeated = bool(REPEATED.match(line))
        if not is_repeated:
            found.append(NUMBER.sub("#", line))
    return "\n".join(found) + "\n"


@pytest.mark.parametrize("view", KEYS)
def test_the_view_is_read_as_it_is_kept(new_context, server: str, view: str) -> None:
    page = open_first_page(new_context(), f"{server}?view={view}")
    agrees(view, structure(page))


@pytest.mark.parametrize("view", KEYS)
def test_announcements_during_use(new_context, server: str, view: str) -> None:
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
def test_axe_finds_nothing(new_context, server: str, view: str) -> None:
    """In the light theme; its colors in the dark one are looked at in test_widths.py."""
    page = open_first_page(new_context(), f"{server}?view={view}")
    assert not violations(page)


def test_nothing_moves_for_those_who_asked_for_less(new_context, server: str) -> None:
    page = open_first_page(new_context(reduced_motion="reduce"), f"{server}?view=picture")
    page.get_by_role("button", name="Nearer (+)").click()
    page.evaluate("window.tinkerformer.set('encoder.0.self_attn.head.0.W_q', 0, 0, 3)")
    moving = """() => document.getAnimations()
        .filter((each) => each.playState === 'running' && each.effect.getTiming().duration > 1)
        .map((each) => each.animationName ?? each.transitionProperty ?? String(each))"""
    assert page.evaluate(moving) == []
