"""Takes the pictures of the documentation: ``pictures.py ADDRESS [NAME …]``.

ADDRESS is the address of a served page, such as http://localhost:5006/.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Page, sync_playwright
from tinkerformer.decoding.settings import DecodingSettings
from tinkerformer.files import catalog
from tinkerformer.session.link import encode
from tinkerformer.session.session_json import SavedSession
from tinkerformer.view_model.page_location import PageLocation

FOLDER = Path(__file__).parents[1] / "screenshots"
SIZE = {"width": 1440, "height": 900}
REST = 1500  # ms, until all movement has ended
PATIENCE = 120_000


class Picture(NamedTuple):
    """A picture: the address to open, the actions on the page, and the theme."""

    address: str
    done: Callable[[Page], object] = lambda _: None
    theme: str = "light"


def link(model: str, view: str, **others: object) -> str:
    """Return the address of a model in a view."""
    place = PageLocation().at(view)
    return "#s=" + encode(SavedSession(catalog.first(model), place=place, **others))  # type: ignore[arg-type]


def select(path: str, i: int, j: int) -> Callable[[Page], object]:
    """Select a cell."""
    return lambda page: page.evaluate("cell => window.tinkerformer.show(...cell)", [path, i, j])


def train_twice(page: Page) -> None:
    """Train without positions, and with them; both at full speed."""
    page.get_by_label("pace", exact=True).select_option("full")
    for broken in ("No positions", "Nothing"):
        page.get_by_role("button", name=broken, exact=True).click()
        page.wait_for_timeout(REST)
        page.get_by_role("button", name=re.compile("^Train")).click()
        page.get_by_role("button", name="Pause").wait_for()
        page.get_by_role("button", name=re.compile("^Train again")).wait_for()
        page.wait_for_timeout(REST)


def patched(page: Page) -> None:
    """Compare two sentences, by the page's own example."""
    page.get_by_role("button", name=re.compile("^Example: pin this text")).click()


CROSS = "decoder.0.cross_attn.head.1.weights"
BEAM = DecodingSettings(method="beam")
PICTURES = {
    "wide": Picture("?view=picture", select(CROSS, 2, 1)),
    "stages": Picture("?view=encoder.0.self_attn"),
    "decode": Picture(link("dates", "decode", decode=BEAM)),
    "learn": Picture("?view=train", train_twice),
    "experiments": Picture("?view=measure", patched),
    "lessons": Picture("?view=lesson:attention&step=3"),
    "positions": Picture("?view=idea:positions"),
    "dark": Picture(link("dates", "attention"), theme="dark"),
}


def take(address: str, names: list[str]) -> None:
    """Take these pictures, or all if no name is given."""
    names_of = ("chromium", "google-chrome", "chromium-browser", "chromium-headless-shell")
    found = map(shutil.which, names_of)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=next(filter(None, found), None), args=["--no-sandbox"]
        )
        for name in names or PICTURES:
            picture = PICTURES[name]
            context = browser.new_context(
                bypass_csp=True,  # the page's policy forbids the scripts by which Playwright waits
                viewport=SIZE,
                color_scheme=picture.theme,  # type: ignore[arg-type]
            )
            page = context.new_page()
            page.set_default_timeout(PATIENCE)
            page.goto(address + picture.address)
            page.wait_for_function("window.tinkerformer?.ready && window.tinkerformer.frames > 0")
            page.wait_for_timeout(REST)
            picture.done(page)
            page.wait_for_timeout(REST)
            page.screenshot(path=FOLDER / f"{name}.png")
            context.close()
            print(name, flush=True)
        browser.close()


if __name__ == "__main__":
    take(sys.argv[1], sys.argv[2:])
