"""Random actions of a visitor on the page, with pauses of some display frames."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, TimeoutError
from tinkerformer.view_model.page_location import FORMS

from tests.browser.conftest import ALIVE
from tests.browser.student import close_menu, open_models, open_settings, open_view

SCRIPT = (Path(__file__).parent / "truth.js").read_text(encoding="utf-8")
WORDS = ("black", "white", "cat", "dog", "small", "house", "sleeps", "the")
MODELS = ("phrases", "phrases", "dates", "next-word", "blanks", "sandbox")
NUMBERS = """tinkerformer.paths().filter((path) => {
  const { rows, cols, fixed } = tinkerformer.matrix(path);
  return rows && cols && !fixed;
})"""

LEAST_FRAMES = int(os.environ.get("TINKERFORMER_TRUTH_LEAST", "2"))  # of a counted contradiction

Deed = Callable[["Visitor"], None]


class Visitor:
    """Acts on a page, lets frames pass, and collects the contradictions in them.

    Attributes:
        wrong: the contradictions that ``truth.js`` found on earlier pages.
    """

    def __init__(self, page: Page, seed: int) -> None:
        self.page, self.random = page, random.Random(seed)
        self.wrong: list[dict[str, Any]] = []
        self._left = 0  # frames of earlier pages
        self._deed = ""
        page.evaluate(SCRIPT)

    @property
    def frames(self) -> int:
        return self._left + int(self.page.evaluate("truth.frames"))

    def all_wrong(self) -> list[dict[str, Any]]:
        """Return the contradictions that lasted; on a busy machine one frame may be read late."""
        found = [*self.wrong, *self.page.evaluate("truth.wrong")]
        return [each for each in found if each["frames"] >= LEAST_FRAMES]

    def rest(self, frames: int) -> None:
        now = self.page.evaluate("truth.frames")
        self.page.wait_for_function(f"truth.frames >= {now + frames}", timeout=60_000)

    def does(self, deed: Deed) -> None:
        self._deed = deed.__name__
        self._name()
        self.press("Close", within=".saying")
        deed(self)
        self.rest(30)

    def leaves(self, go: Callable[[], object]) -> None:
        """Open a page in place of this one, and continue there."""
        found = self.page.evaluate("truth")
        self.wrong += found["wrong"]
        self._left += found["frames"]
        self.page.evaluate("delete window.truth")
        go()
        self.page.wait_for_function(f"!window.truth && {ALIVE}", timeout=60_000)
        self.page.evaluate(SCRIPT)
        self._name()

    def _name(self) -> None:
        self.page.evaluate("(name) => { truth.deed = name; }", self._deed)

    # -- parts of many actions -----------------------------------------------------------------

    def cell(self) -> tuple[str, int, int]:
        """Draw a number that can be changed."""
        path = self.random.choice(self.page.evaluate(NUMBERS))
        size = self.page.evaluate("(path) => tinkerformer.matrix(path)", path)
        return path, self.random.randrange(size["rows"]), self.random.randrange(size["cols"])

    def point(self, path: str, i: int, j: int) -> tuple[float, float]:
        """Move the pointer to a number, and return its place on the screen."""
        box = self.page.evaluate("(cell) => tinkerformer.rect(...cell)", [path, i, j])
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.page.mouse.move(x, y)
        self.page.evaluate("(of) => truth.point(...of)", [path, i, j, box])
        return x, y

    def one_of(self, found: Locator) -> Locator | None:
        """Draw one of the visible, enabled elements; return None if there is none."""
        seen = [each for each in found.all() if _is_offered(each)]
        return self.random.choice(seen) if seen else None

    def click(self, found: Locator, frames: int = 0) -> None:
        """Click one of the visible elements, if there is one, and let frames pass."""
        chosen = self.one_of(found)
        if chosen is not None:
            chosen.click()
        self.rest(frames)

    def press(
        self, name: str | re.Pattern[str], role: Any = "button", within: str = "body"
    ) -> None:
        """Press one of the controls of this name, if there is one."""
        part = self.page.locator(within)
        self.click(part.get_by_role(role, name=name, exact=isinstance(name, str)))

    def ask(self, call: str) -> None:
        """Ask the page to do something, which it may refuse."""
        self.page.evaluate(f"tinkerformer.{call}.catch(() => {{}})")


def _is_offered(element: Locator) -> bool:
    """Return whether an element can be pressed; the page may remove it meanwhile."""
    try:
        return element.is_visible() and element.is_enabled(timeout=1_000)
    except TimeoutError:
        return False


# -- numbers ---------------------------------------------------------------------------------------


def select(visitor: Visitor) -> None:
    visitor.ask("select('{}', {}, {})".format(*visitor.cell()))


def drag(visitor: Visitor) -> None:
    page = visitor.page
    x, y = visitor.point(*visitor.cell())
    visitor.rest(5)
    page.mouse.down()
    for step in range(30):
        page.mouse.move(x, y - 5 * step * visitor.random.choice((1, 1, -1)))
        visitor.rest(1)
    page.mouse.up()


def swing(visitor: Visitor) -> None:
    cell = visitor.cell()
    visitor.ask("select('{}', {}, {})".format(*cell))
    if visitor.random.random() < 0.5:
        visitor.point(*cell)
    amplitude = visitor.random.choice((1, 4))
    visitor.ask(f"oscillate(true, {{amplitude: {amplitude}, period: 2}})")
    visitor.rest(150)
    visitor.ask("oscillate(false)")


def slide(visitor: Visitor) -> None:
    path, i, j = visitor.cell()
    if visitor.random.random() < 0.5:
        visitor.point(path, i, j)
    for step in range(30):
        visitor.page.evaluate(
            "(cell) => void tinkerformer.set(...cell).catch(() => {})", [path, i, j, step / 5 - 3]
        )
        visitor.rest(1)


def silence(visitor: Visitor) -> None:
    """Silence a head, a unit or a link, and restore it."""
    select(visitor)
    visitor.rest(20)
    for _ in range(2):
        visitor.press(re.compile("^Silence "), within="[data-part=panel]")
        visitor.rest(30)


def undo(visitor: Visitor) -> None:
    visitor.page.keyboard.press("Control+Z")


def redo(visitor: Visitor) -> None:
    visitor.page.keyboard.press("Control+Shift+Z")


def drop_out(visitor: Visitor) -> None:
    """Turn dropout on, first while nothing moves and then while a number does."""
    visitor.page.keyboard.press("d")
    visitor.rest(30)
    open_settings(visitor.page)
    visitor.press(re.compile("^freeze masks"), role="switch")
    visitor.random.choice((slide, swing))(visitor)
    visitor.rest(30)
    close_menu(visitor.page)
    visitor.page.keyboard.press("d")


def pull(visitor: Visitor) -> None:
    """Pull a bar, and keep the change or press back."""
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
    visitor.rest(30)
    visitor.press(visitor.random.choice(("Keep", "Spring back")))


def wish(visitor: Visitor) -> None:
    """Choose another word, and apply a change of one number that makes the model write it."""
    wished = visitor.page.get_by_label("Make it write another word here")
    if not wished.is_visible():
        return
    wished.select_option(index=1)
    visitor.rest(90)
    visitor.click(visitor.page.locator(".pull-list button"), frames=30)
    visitor.press("Close")


# -- words -----------------------------------------------------------------------------------------


def read_another(visitor: Visitor) -> None:
    visitor.press("Another sentence")


def replace_word(visitor: Visitor) -> None:
    chip = visitor.one_of(visitor.page.locator("[data-part=reads] .chip"))
    if chip is not None:
        chip.dblclick()
        visitor.page.keyboard.press("Control+A")
        visitor.page.keyboard.type(visitor.random.choice(WORDS))
        visitor.page.keyboard.press("Enter")


def add_word(visitor: Visitor) -> None:
    add = visitor.one_of(visitor.page.locator("[data-part=reads] .add"))
    if add is not None and visitor.page.locator("[data-part=reads] .chip:visible").count() < 8:
        add.click()
        visitor.page.keyboard.type(visitor.random.choice(WORDS))
        visitor.page.keyboard.press("Enter")


def remove_word(visitor: Visitor) -> None:
    chips = visitor.page.locator("[data-part=reads] .chip:visible")
    if chips.count() > 3:
        chips.nth(1).focus()
        visitor.page.keyboard.press("Delete")


def follow(visitor: Visitor) -> None:
    visitor.click(visitor.page.locator("[data-part=written] .chip"))


def let_go(visitor: Visitor) -> None:
    visitor.page.keyboard.press("Escape")


# -- drawers, forms and rooms ----------------------------------------------------------------------


def open_drawer(visitor: Visitor, name: str) -> None:
    open_view(visitor.page, "Explore")
    button = visitor.page.locator(f"[data-name={name}][aria-expanded=false]")
    if button.count():
        button.click()
    visitor.rest(20)


def decode(visitor: Visitor) -> None:
    """Go through the steps of one way to decode; the drawer stays open."""
    open_drawer(visitor, "writing")
    visitor.press(re.compile("^(Greedy|Beam search|Sampling|Training and inference)$"), "tab")
    visitor.rest(20)
    for name in ("First", "Next", "Next", "Sample again"):
        visitor.press(name, within="#drawer")
        visitor.rest(10)


def patch(visitor: Visitor) -> None:
    """Patch a row of the baseline into the present pass; the drawer stays open."""
    open_drawer(visitor, "measure")
    visitor.press(re.compile("^Example: "))
    visitor.rest(60)
    visitor.click(visitor.page.locator(".token-table-box td[role=gridcell]"), frames=20)
    visitor.press("Patch this row")


def close_drawer(visitor: Visitor) -> None:
    visitor.press("Close the drawer")


def compare(visitor: Visitor) -> None:
    """Pin the present state, or stop comparing with it."""
    open_settings(visitor.page)
    visitor.press(re.compile("^(Compare from here|Stop comparing)$"))
    close_menu(visitor.page)


def learn(visitor: Visitor) -> None:
    """Train, look at the model meanwhile, and show earlier steps of the run."""
    page = visitor.page
    open_view(page, "Train")
    page.locator("[data-part=learning]").wait_for()
    pace = page.get_by_label("pace", exact=True)
    if pace.is_visible():
        pace.select_option(visitor.random.choice(("slow", "full")))
    visitor.press(re.compile("^Train (it|again|on)"))
    visitor.rest(60)
    open_view(page, "Explore")
    visitor.rest(30)
    open_view(page, "Train")
    page.locator("[data-part=learning]").wait_for()
    visitor.rest(30)
    visitor.press("Pause")
    visitor.rest(10)
    scrub(visitor)
    open_view(page, "Explore")


def scrub(visitor: Visitor) -> None:
    timeline = visitor.page.get_by_label("Timeline", exact=True)
    if timeline.is_visible() and timeline.is_enabled():
        for key in ("Home", "ArrowRight", "ArrowRight", "PageUp", "ArrowLeft", "End"):
            timeline.press(key)
            visitor.rest(8)


def change_form(visitor: Visitor) -> None:
    open_view(visitor.page, visitor.random.choice([*FORMS.values(), "Formulas", "Attention"]))
    visitor.rest(30)
    open_view(visitor.page, "Picture")


def take_lesson(visitor: Visitor) -> None:
    open_view(visitor.page, "Lessons")
    visitor.rest(10)
    visitor.press(re.compile("^Start: "))
    for _ in range(3):
        visitor.rest(30)
        visitor.press("Close", within=".saying")
        visitor.press("Next", within=".lesson")
    visitor.rest(20)
    visitor.press("Close the lesson")
    visitor.rest(20)
    open_view(visitor.page, "Explore")


def open_model(visitor: Visitor) -> None:
    open_models(visitor.page)
    visitor.page.locator(f".entries .model:has(#model-{visitor.random.choice(MODELS)})").click()
    visitor.page.get_by_role("dialog", name="Model").wait_for(state="hidden", timeout=60_000)


# -- links -----------------------------------------------------------------------------------------


def open_link(visitor: Visitor) -> None:
    """Open the link that the page shares."""
    visitor.press("Share")
    link = visitor.page.get_by_role("textbox", name="Link", exact=True)
    visitor.rest(60)
    if link.is_visible() and (shared := link.input_value()):
        visitor.leaves(lambda: visitor.page.goto(shared))
    else:  # the link would be too long, or is not ready yet
        visitor.page.keyboard.press("Escape")


def reload(visitor: Visitor) -> None:
    visitor.leaves(visitor.page.reload)


DEEDS: tuple[Deed, ...] = (
    *(select, drag, drag, swing, swing, slide, silence, undo, undo, redo, drop_out, pull, wish),
    *(read_another, replace_word, add_word, remove_word, follow, let_go),
    *(decode, patch, close_drawer, compare, learn, change_form, take_lesson, open_model),
    *(open_link, reload),
)
