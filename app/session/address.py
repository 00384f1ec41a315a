"""What the address of a page asks for: which view, what stands beside it, what may be changed.

The same parameters in a served page, on a site without a server, and in a notebook. A teacher
writes them, or copies them from Share; whatever stands there, a page opens.
"""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import parse_qsl, quote

import param

from ..plain_data import brief
from ..scenario.lock import ALL, SETTINGS
from ..scenario.settings import Settings
from ..scenario.tokens import has_whole_characters
from .lesson_progress import MAX_STEP, LessonPlace, is_lesson_name
from .page_location import MAX_PART_LENGTH, VIEWS, Place

MATRIX = "matrix:"
LESSON = "lesson:"
LESSONS = "lessons"  # the view with the list of them
MAX_LENGTH = 4_000  # of a query; the rest of a longer one is not read

# What can stand beside a view in an embedded page, by the names in `show`.
PARTS = ("tokens", "answer", "views", "settings", "tools", "inspector")
# Stages whose names are no paths.
STAGES_OF_ALL = ("source", "unprojected", "target", "output")
FIRST_PARTS = ("tokens", "answer")
LOCKS = ("", SETTINGS, ALL)


class EmbedSettings(Settings):
    """How a page is embedded in another one."""

    tokens = param.Boolean(default=True, label="sentence", doc="The tokens, to be edited.")
    answer = param.Boolean(default=True, label="next word", doc="What the model answers.")
    views = param.Boolean(default=False, label="views", doc="The tabs from view to view.")
    settings = param.Boolean(default=False, label="settings", doc="The model and its settings.")
    tools = param.Boolean(default=False, label="tools", doc="Undo, compare, dropout, the menu.")
    inspector = param.Boolean(
        default=False, label="inspector", doc="The selected number: slider, oscillation, formula."
    )
    lock = param.Selector(
        default="",
        objects={
            "everything": "",
            "all but the model and its settings": SETTINGS,
            "nothing: look, point and oscillate": ALL,
        },
        label="what readers may change",
    )
    theme = param.Selector(
        default="auto",
        objects={"as the reader's system": "auto", "light": "light", "dark": "dark"},
        label="theme",
    )
    height = param.Selector(
        default="auto",
        objects={"follows what is in it (a script)": "auto", "fixed (a plain frame)": "frame"},
        label="height",
        doc="Where a page lets no script in, as many learning platforms do, take a plain frame.",
    )

    @property
    def parts(self) -> tuple[str, ...]:
        """What stands beside the view."""
        return tuple(name for name in PARTS if getattr(self, name))

    def query(self, view: str) -> str:
        """The parameters of an address that opens a view so."""
        found = {"view": view, "embed": ""}
        if self.parts != FIRST_PARTS:
            found["show"] = ",".join(self.parts)
        if self.lock:
            found["lock"] = "" if self.lock == ALL else self.lock
        if self.theme != "auto":
            found["theme"] = self.theme
        if self.height == "auto":
            found["height"] = "auto"
        pairs = (f"{name}={quote(x, safe=':,.')}" if x else name for name, x in found.items())
        return "&".join(pairs)


class PageAddress(NamedTuple):
    """What an address asks for.

    Attributes:
        view: the view to open; empty where the address names none.
        only: the one stage, or ``matrix:PATH``, that is asked for; empty for all of the view.
        parts: what stands beside the view, of ``PARTS``; None on a page of its own, with all.
        lock: what may not be changed: ``settings``, ``all`` or nothing.
        problems: what of the address cannot be, a sentence each.
        lesson: the lesson to open; empty where the address names none.
        step: which of its steps, from 0 on.
    """

    view: str = ""
    only: str = ""
    parts: tuple[str, ...] | None = None
    lock: str = ""
    problems: tuple[str, ...] = ()
    lesson: str = ""
    step: int = 0

    def shows(self, part: str) -> bool:
        """Whether a part of the page is wanted beside the view."""
        return self.parts is None or part in self.parts

    @property
    def is_one_view(self) -> bool:
        """Whether there is no way from the view that it opens to another one."""
        return bool(self.only) and self.parts is not None and "views" not in self.parts

    def place(self, place: Place) -> Place:
        """A place in the view that the address names, if it names one.

        In another page the one stage that is asked for stands alone; a page of its own has all of
        them, and goes there.
        """
        only = self.only if self.parts is not None else ""
        return place._replace(view=self.view, only=only) if self.view else place

    def lesson_place(self, place: LessonPlace) -> LessonPlace:
        """The step of the lesson that the address names, if it names one."""
        return place.went(self.lesson, self.step) if self.lesson else place


def page_address(query: str) -> PageAddress:
    """What the query of an address asks for; what is wrong in it is left out, and said.

    How light or dark and how high the page is concerns the browser alone.
    """
    asked = dict(parse_qsl(query.removeprefix("?")[:MAX_LENGTH], keep_blank_values=True))
    problems: list[str] = []
    lesson, step = _lesson(asked, problems)
    view, only = ("", "") if lesson else _view(asked.get("view", ""), problems)
    parts = _parts(asked.get("show"), problems) if _is_on(asked.get("embed")) else None
    lock = _lock(asked.get("lock"), problems)
    return PageAddress(view, only, parts, lock, tuple(problems), lesson, step)


def _is_on(raw: str | None) -> bool:
    return raw is not None and raw.lower() not in ("0", "false", "no")


def _lesson(asked: dict[str, str], problems: list[str]) -> tuple[str, int]:
    """The lesson that is meant, and its step, which addresses count from 1 on."""
    view = asked.get("view", "")
    if not view.startswith(LESSON):
        return "", 0
    name, step = view.removeprefix(LESSON), asked.get("step", "1")
    if not is_lesson_name(name):
        # No file of a lesson can be called so; the list of them says what there is.
        return name[:MAX_PART_LENGTH] or "?", 0
    if not (step.isascii() and step.isdigit() and 1 <= int(step[:6]) <= MAX_STEP + 1):
        problems.append(f"There is no step {brief(step)}; this is the first one.")
        step = "1"
    return name, int(step) - 1


def _view(raw: str, problems: list[str]) -> tuple[str, str]:
    """The view that is meant, and what of it alone."""
    if not raw or raw in VIEWS:
        return raw, ""
    path = raw.removeprefix(MATRIX)
    is_meant = path != raw or "." in path or path in STAGES_OF_ALL
    if has_whole_characters(path) and len(raw) <= MAX_PART_LENGTH and is_meant:
        return "stages", raw
    first = next(iter(VIEWS))
    problems.append(f"There is no view called {brief(raw)}; this is {VIEWS[first]}.")
    return first, ""


def _parts(raw: str | None, problems: list[str]) -> tuple[str, ...]:
    if raw is None:
        return FIRST_PARTS
    named = [part.strip() for part in raw.split(",") if part.strip()]
    for part in named:
        if part not in PARTS:
            known = ", ".join(PARTS)
            problems.append(f"There is no part called {brief(part)} to show; there are {known}.")
    return tuple(part for part in PARTS if part in named)


def _lock(raw: str | None, problems: list[str]) -> str:
    if not _is_on(raw):
        return ""
    if raw not in LOCKS and raw not in ("1", "true"):
        problems.append(f"There is no lock of {brief(raw)}; all is locked.")
    return SETTINGS if raw == SETTINGS else ALL
