import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.student import ROOMS, open_view

TABLE = Path(__file__).parents[2] / "assets" / "docs" / "teachers" / "embedding.md"
NAMES = re.findall(r"^\|`(\w+)`\|", TABLE.read_text(encoding="utf-8"), re.MULTILINE)


def test_the_table_lists_every_part_of_the_code() -> None:
    app = Path(__file__).parents[2] / "app"
    files = [*app.rglob("*.js"), app / "shell" / "frame.html"]
    text = "".join(file.read_text(encoding="utf-8") for file in files)
    values = re.findall(r"""data-part"?[=:] ?("[a-z]+"|\$\{[^}]+\})""", text)
    assert {name for value in values for name in re.findall('"([a-z]+)"', value)} == {*NAMES}


def test_every_part_is_found_by_its_name(whole: Page) -> None:
    # This model writes its text itself, so that no word is only predicted.
    for name in sorted({*NAMES} - {"predicted"}, key=["panel", "learning"].__contains__):
        if name == "panel":
            whole.evaluate("window.tinkerformer.select('source.embedding', 0, 0)")
        if name == "learning":
            open_view(whole, ROOMS["train"])
        parts = whole.locator(f'[data-part="{name}"]')
        least = {"reads": 2, "written": 2, "verdict": 2, "bar": 4}.get(name, 1)
        expect(parts.nth(least - 1), name).to_be_attached()
        if name not in {"caption", "drawer"}:  # hidden without contents
            expect(parts.filter(visible=True), name).not_to_have_count(0)
