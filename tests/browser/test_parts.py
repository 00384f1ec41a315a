"""The permanent names of the page's parts, as the documentation lists them."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.student import ROOMS, open_view

TABLE = Path(__file__).parents[2] / "assets" / "docs" / "teachers" / "embedding.md"
NAMES = re.findall(r"^\|`(\w+)`\|", TABLE.read_text(encoding="utf-8"), re.MULTILINE)


def test_the_table_lists_every_part_of_the_code() -> None:
    app = Path(__file__).parents[2] / "app"
    files = [*app.rglob("*.js"), app / "page" / "frame.html"]
    text = "".join(file.read_text(encoding="utf-8") for file in files)
    assert set(re.findall(r"""data-part"?[=:] ?"([a-z]+)\"""", text)) == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_part_is_found_by_its_name(whole: Page, name: str) -> None:
    if name == "learning":
        open_view(whole, ROOMS["train"])
    if name == "panel":
        whole.evaluate("window.tinkerformer.select('source.embedding', 0, 0)")
    parts = whole.locator(f'[data-part="{name}"]')
    least = {"reads": 2, "written": 2, "verdict": 2, "bar": 4}.get(name, 1)
    expect(parts.nth(least - 1)).to_be_attached()
    if name not in {"caption", "drawer"}:  # hidden until there is something to say or to show
        expect(parts.filter(visible=True)).not_to_have_count(0)
