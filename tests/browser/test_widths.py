"""No label is cut, covered or faint: each view at each width, in each of its states."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from tinkerformer.session.page_location import VIEWS

from tests.browser.conftest import open_first_page
from tests.browser.student import at_rest, close_menu, compare_from_here, open_view, violations

WIDTHS = (2560, 1920, 1440, 1280, 1024, 768, 390)

# What is written and does not fit into its own box, which does not scroll. A formula out of sight
# is not typeset yet.
CUT = """() => {
  const found = [];
  const walk = (root) => {
    for (const node of root.children ?? []) {
      const style = getComputedStyle(node);
      const isHidden = style.visibility === "hidden" || style.opacity === "0";
      if (style.display === "none" || isHidden) continue;
      const hasText = [...node.childNodes].some((c) => c.nodeType === 3 && c.data.trim());
      const clips = ["hidden", "clip"].includes(style.overflowX);
      const {top, bottom} = node.getBoundingClientRect();
      const isAway = node.matches(".far") && (bottom < 0 || top > innerHeight);
      const isUnseen = node.clientWidth <= 1 || style.clipPath !== "none" || isAway;
      if (hasText && clips && !isUnseen && node.scrollWidth > node.clientWidth + 1)
        found.push(`${node.tagName}.${node.className}: ${node.textContent.trim().slice(0, 60)}`);
      walk(node);
      if (node.shadowRoot) walk(node.shadowRoot);
    }
  };
  walk(document.body);
  return found;
}"""

# Pairs of labels of the picture that lie over each other.
OVER = """() => {
  const labels = [];
  const walk = (root) => {
    for (const node of root.querySelectorAll("*")) {
      if (node.matches(".labels .label, .labels .word") && node.textContent.trim()) {
        const style = getComputedStyle(node), box = node.getBoundingClientRect();
        if (style.visibility !== "hidden" && style.opacity > 0.05 && box.width && box.height)
          labels.push([node.textContent.trim(), box]);
      }
      if (node.shadowRoot) walk(node.shadowRoot);
    }
  };
  walk(document);
  const found = [];
  labels.forEach(([text, a], k) => {
    for (const [other, b] of labels.slice(k + 1)) {
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      // A line of text is higher than its letters.
      if (wide > 2 && high > 0.3 * Math.min(a.height, b.height)) found.push(`${text} | ${other}`);
    }
  });
  return found;
}"""


def as_it_opens(_page: Page) -> None:
    """The page as it opens."""


def with_dropout(page: Page) -> None:
    """Training mode, with the words as the sentence has them."""
    page.get_by_role("switch", name="Dropout (training mode)").click()
    page.wait_for_function("window.tinkerformer.paths().includes('source.dropout')")
    close_menu(page)


def comparing(page: Page) -> None:
    """A baseline, an edit since, and a selected number."""
    compare_from_here(page)
    page.evaluate("window.tinkerformer.set('source.W_e', 4, 3, 2)")
    page.evaluate("window.tinkerformer.select('source.W_e', 4, 3)")
    expect(page.get_by_role("slider").first).to_be_attached()


@pytest.mark.parametrize("state", [as_it_opens, with_dropout, comparing])
def test_no_label_is_cut_or_covered(
    new_context, server: str, state: Callable[[Page], None]
) -> None:
    page = open_first_page(new_context(viewport={"width": 1440, "height": 900}), server)
    state(page)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        for name, view in VIEWS.items():
            open_view(page, view)
            page.wait_for_function(
                "n => Object.values(document.documentElement.dataset).includes(n)", arg=name
            )
            assert at_rest(page, f"({CUT})()") == [], (width, view)
            if name == "picture":
                assert at_rest(page, f"({OVER})()") == [], (width, view)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, view
            close = page.get_by_role("button", name="Close the drawer")
            if close.is_visible():
                close.click()


@pytest.mark.parametrize("width", [1440, 390])
def test_no_label_is_faint(new_context, server: str, width: int) -> None:
    page = open_first_page(new_context(viewport={"width": width, "height": 900}), server)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.wait_for_function("s => document.documentElement.dataset.theme === s", arg=scheme)
        for view in VIEWS.values():
            open_view(page, view)
            assert not violations(page, rules=["color-contrast"]), (scheme, view)
