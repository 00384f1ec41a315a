import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.student import click_cell
from tests.browser.test_decode import open_decode

FROM_ONE = r"\b\d+(st|nd|rd|th) (word|position|column)\b|\b(word|number) \d+ of \d+"
ALL_TEXTS = """() => {
  const found = [];
  for (const el of allOf()) {
    for (const name of ["aria-label", "title"]) found.push(el.getAttribute(name) ?? "");
    for (const node of el.childNodes) if (node.nodeType === 3) found.push(node.data);
  }
  return found.filter(Boolean);
}"""


@pytest.mark.parametrize("drawer", ["", "Greedy"])
def test_no_view_counts_positions_in_two_ways(whole: Page, drawer: str) -> None:
    """Positions and columns count from 0; a written word is named by the words before it."""
    whole.evaluate("window.tinkerformer.set('source.embedding', 1, 2, 0.72)")
    click_cell(whole, "source.embedding", 1, 2)
    if drawer:
        open_decode(whole, drawer)
        expect(whole.locator(".decode .way > .verdict")).to_contain_text("it writes")
    expect(whole.get_by_title("counted from 0")).to_be_visible()
    if not drawer:
        expect(whole.locator(".last-change .cause")).to_contain_text("column d2 in E")
    texts = whole.evaluate(ALL_TEXTS)
    assert len(texts) > 200
    assert not [text for text in texts if re.search(FROM_ONE, text, re.IGNORECASE)]
