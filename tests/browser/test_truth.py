"""What the page states is, in every display frame, what the numbers that it paints say.

A visitor's deeds follow each other at random, while ``truth.js`` reads the page in each frame. Many
more frames than in an ordinary run: ``TINKERFORMER_TRUTH_FRAMES=20000 pytest test_truth.py``.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import open_first_page
from tests.browser.student import open_view

FRAMES = int(os.environ.get("TINKERFORMER_TRUTH_FRAMES", "1500"))
SCRIPT = (Path(__file__).parent / "truth.js").read_text(encoding="utf-8")
CELLS = ("source.sum", "encoder.0.self_attn.norm", "decoder.0.cross_attn.norm", "encoder.0.ffn.out")
WORDS = ("black", "white", "cat", "dog", "small", "house", "sleeps", "the")

Deed = Callable[["Visitor"], None]


class Visitor:
    """Does things on a page, and lets frames pass."""

    def __init__(self, page: Page, seed: int) -> None:
        self.page, self.random = page, random.Random(seed)
        page.evaluate(SCRIPT)

    @property
    def frames(self) -> int:
        return int(self.page.evaluate("truth.frames"))

    def rest(self, frames: int) -> None:
        self.page.wait_for_function(f"truth.frames >= {self.frames + frames}", timeout=60_000)

    def cell(self) -> tuple[str, int, int]:
        path = self.random.choice(CELLS)
        size = self.page.evaluate("(p) => tinkerformer.matrix(p) ?? {rows: 0, cols: 0}", path)
        if not size["rows"]:
            return self.cell()
        return path, self.random.randrange(size["rows"]), self.random.randrange(size["cols"])

    def press(self, name: str) -> None:
        button = self.page.get_by_role("button", name=name, exact=True).first
        if button.is_visible() and button.is_enabled():
            button.click()

    def ask(self, call: str) -> None:
        """Ask the page to do something, which it may refuse."""
        self.page.evaluate(f"tinkerformer.{call}.catch(() => {{}})")

    def does(self, name: str, deed: Deed) -> None:
        self.page.evaluate("(name) => { truth.deed = name; }", name)
        deed(self)
        self.rest(30)


def select(visitor: Visitor) -> None:
    visitor.ask("select('{}', {}, {})".format(*visitor.cell()))


def drag(visitor: Visitor) -> None:
    page, (path, i, j) = visitor.page, visitor.cell()
    box = page.evaluate("(cell) => tinkerformer.rect(...cell)", [path, i, j])
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(30):
        page.mouse.move(x, y - 5 * step * visitor.random.choice((1, 1, -1)))
        visitor.rest(1)
    page.mouse.up()


def swing(visitor: Visitor) -> None:
    select(visitor)
    amplitude = visitor.random.choice((1, 4))
    visitor.ask(f"oscillate(true, {{amplitude: {amplitude}, period: 2}})")
    visitor.rest(150)
    visitor.ask("oscillate(false)")


def slide(visitor: Visitor) -> None:
    path, i, j = visitor.cell()
    for step in range(30):
        visitor.page.evaluate(
            "(cell) => void tinkerformer.set(...cell).catch(() => {})", [path, i, j, step / 5 - 3]
        )
        visitor.rest(1)


def read_another(visitor: Visitor) -> None:
    visitor.press("Another sentence")


def replace_word(visitor: Visitor) -> None:
    chips = visitor.page.locator("[data-part=reads] .chip:visible")
    if not chips.count():
        return
    chips.nth(visitor.random.randrange(chips.count())).dblclick()
    visitor.page.keyboard.press("Control+A")
    visitor.page.keyboard.type(visitor.random.choice(WORDS))
    visitor.page.keyboard.press("Enter")


def add_word(visitor: Visitor) -> None:
    add = visitor.page.locator("[data-part=reads] .add:visible")
    if visitor.page.locator("[data-part=reads] .chip:visible").count() < 8 and add.count():
        add.first.click()
        visitor.page.keyboard.type(visitor.random.choice(WORDS))
        visitor.page.keyboard.press("Enter")


def remove_word(visitor: Visitor) -> None:
    chips = visitor.page.locator("[data-part=reads] .chip:visible")
    if chips.count() > 3:
        chips.nth(1).focus()
        visitor.page.keyboard.press("Delete")


def follow(visitor: Visitor) -> None:
    chips = visitor.page.locator("[data-part=written] .chip:not(:disabled):visible")
    if chips.count():
        chips.nth(visitor.random.randrange(chips.count())).click()


def let_go(visitor: Visitor) -> None:
    visitor.page.keyboard.press("Escape")


def undo(visitor: Visitor) -> None:
    visitor.page.keyboard.press("Control+Z")


def redo(visitor: Visitor) -> None:
    visitor.page.keyboard.press("Control+Shift+Z")


def drop_out(visitor: Visitor) -> None:
    for _ in range(2):
        visitor.page.get_by_role("switch", name="Dropout").first.click()
        visitor.rest(30)


def pull(visitor: Visitor) -> None:
    tracks = visitor.page.locator(".next-word .track")
    box = tracks.nth(1).bounding_box() if tracks.count() > 1 else None
    if box is None:
        return
    mouse = visitor.page.mouse
    mouse.move(box["x"] + 5, box["y"] + 3)
    mouse.down()
    for step in range(20):
        mouse.move(box["x"] + 5 + 3 * step, box["y"] + 3)
        visitor.rest(1)
    mouse.up()


def learn(visitor: Visitor) -> None:
    open_view(visitor.page, "Train")
    visitor.press("Train")
    visitor.rest(60)
    visitor.press("Pause")
    visitor.rest(10)
    open_view(visitor.page, "Explore")


def change_form(visitor: Visitor) -> None:
    for name in (visitor.random.choice(("Formulas", "Attention")), "Picture"):
        tab = visitor.page.get_by_role("tab", name=name)
        if tab.count():
            tab.first.click()
            visitor.rest(20)


DEEDS: tuple[Deed, ...] = (
    *(select, drag, drag, swing, swing, slide, read_another, replace_word, add_word, remove_word),
    *(follow, let_go, undo, undo, redo, drop_out, pull, learn, change_form),
)


@pytest.fixture
def visitor(new_context, server: str) -> Visitor:
    return Visitor(open_first_page(new_context(), server), seed=7)


def test_every_frame_states_what_its_numbers_say(visitor: Visitor) -> None:
    deeds: list[Deed] = []
    while visitor.frames < FRAMES:
        if not deeds:
            deeds = visitor.random.sample(DEEDS, len(DEEDS))
        deed = deeds.pop()
        visitor.does(deed.__name__, deed)
    wrong = visitor.page.evaluate("truth.wrong")
    assert not wrong, "\n".join(map(str, wrong))
