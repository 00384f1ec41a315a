from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from tinkerformer.view_model.page_location import VIEWS

from tests import by_day
from tests.browser.conftest import open_first_page
from tests.browser.student import (
    COLORS,
    NOT_SHOWN,
    at_rest,
    compare_from_here,
    open_view,
    switch_dropout,
    violations,
)

WIDTHS = (2560, 1920, 1440, 1280, 1024, 768, 390)
LAYOUTS = (1440, 1024, 768, 390)  # one width of each layout

# Texts that do not fit into their boxes, if these do not scroll. A formula outside the view is not
# typeset yet. Widths are compared first, which is fast and true of few elements.
CUT = """() => {
  const found = [];
  for (const node of allOf()) {
    if (![...node.childNodes].some((c) => c.nodeType === 3 && c.data.trim())) continue;
    if (node.clientWidth <= 1 || node.scrollWidth <= node.clientWidth + 1) continue;
    const style = getComputedStyle(node);
    if (!["hidden", "clip"].includes(style.overflowX) || style.clipPath !== "none") continue;
    if (!node.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const {top, bottom} = node.getBoundingClientRect();
    if (node.matches(".far") && (bottom < 0 || top > innerHeight)) continue;
    found.push(`${node.tagName}.${node.className}: ${node.textContent.trim().slice(0, 60)}`);
  }
  return found;
}"""

# Labels of the picture that overlap, are cut by its edges, or are smaller than 11 px.
OVER = """() => {
  const view = allOf(".whole")[0].getBoundingClientRect(), labels = [], found = [];
  const kinds = ".labels .label, .labels .word, .labels .written, .drag-hint, .picture-caption, "
    + ".zooming, .lens-word, .silence-badge";
  for (const node of allOf(kinds)) {
    const {left, right, top, bottom, width, height} = node.getBoundingClientRect();
    const isSeen = node.checkVisibility({opacityProperty: true, visibilityProperty: true});
    const text = node.textContent.trim(), isLine = node.matches(".labels *, .lens-word");
    const isIn = right > view.left && left < view.right && bottom > view.top && top < view.bottom;
    if (!text || !isSeen || !width || !isIn) continue;
    // A line of text is higher than its letters, and a button has 5 px beside its own.
    const trim = isLine ? 0.2 * height : 0;
    const pad = isLine && node.matches("button") ? 5 * width / node.offsetWidth : 0;
    const box = {left: left + pad, right: right - pad, top: top + trim, bottom: bottom - trim};
    const size = parseFloat(getComputedStyle(node).fontSize) * height / node.offsetHeight;
    if (isLine && size < 10.95) found.push(`${text}: ${size} px`);
    if (box.left < view.left - 3 || box.right > view.right + 3 || box.top < view.top - 3
      || box.bottom > view.bottom + 3) found.push(`${text} is cut`);
    labels.push([text, box]);
  }
  labels.forEach(([text, a], k) => {
    for (const [other, b] of labels.slice(k + 1)) {
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (wide > 2 && high > 2) found.push(`${text} | ${other}`);
    }
  });
  return found;
}"""


def as_it_opens(_page: Page) -> None:
    """Leave the page in its initial state."""


def with_dropout(page: Page) -> None:
    """Turn dropout on, which changes the rows but not the sentence."""
    switch_dropout(page)
    page.wait_for_function("window.tinkerformer.paths().includes('source.dropout')")


def comparing(page: Page) -> None:
    """Set a baseline, an edit after it, and a selected number."""
    compare_from_here(page)
    page.evaluate("window.tinkerformer.set('source.W_e', 4, 3, 2)")
    page.evaluate("window.tinkerformer.select('source.W_e', 4, 3)")
    expect(page.get_by_role("slider").first).to_be_attached()


# Each view is tested in one state at each turn, and in all states in fifteen turns.
STATES = [(as_it_opens, width) for width in WIDTHS] + [
    (state, width) for state in (with_dropout, comparing) for width in LAYOUTS
]
AT_THIS_TURN = list(zip(VIEWS.items(), by_day.pairs(STATES, VIEWS, by_day.TURN), strict=True))


@pytest.mark.parametrize("state", [as_it_opens, with_dropout, comparing])
def test_no_label_is_cut_or_covered(
    new_context, server: str, state: Callable[[Page], None]
) -> None:
    page = open_first_page(new_context(viewport={"width": 1440, "height": 900}), server)
    state(page)
    for (name, view), (_, width) in (each for each in AT_THIS_TURN if each[1][0] is state):
        page.set_viewport_size({"width": width, "height": 900})
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


LOOKS = [(width, scheme) for width in (1440, 390) for scheme in ("light", "dark")]


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_no_label_is_faint(new_context, server: str, width: int, scheme: str) -> None:
    page = open_first_page(new_context(viewport={"width": width, "height": 900}), server)
    page.emulate_media(color_scheme=scheme)
    page.wait_for_function("s => document.documentElement.dataset.theme === s", arg=scheme)
    for view, look in zip(VIEWS.values(), by_day.pairs(LOOKS, VIEWS, by_day.TURN), strict=True):
        if look == (width, scheme):
            open_view(page, view)
            found = violations(page, rules=COLORS, without=NOT_SHOWN)
            assert not found, view
