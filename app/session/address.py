"""The query parameters of a page's URL: the view, the parts around it, and what is locked.

The same parameters work on a served page, on a static site and in a notebook. Teachers write them
by hand or copy them from Share, so an invalid query must still open a page.
"""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import parse_qsl, quote

import param

from ..plain_data import brief
from ..scenario.lock import ALL, SETTINGS
from ..scenario.settings import Settings
from ..scenario.tokens import has_whole_characters
from .lesson_progress import MAX_STEP, LessonProgress, is_lesson_name
from .page_location import MAX_PART_LENGTH, VIEWS, PageLocation

MATRIX = "matrix:"
LESSON = "lesson:"
LESSONS = "lessons"  # the view that lists them
MAX_LENGTH = 4_000  # characters of a query; the rest is ignored

# The parts around a view in an embedded page, by their names in `show`.
PARTS = ("tokens", "answer", "views", "settings", "tools", "inspector")
# Stages whose names are not matrix paths.
STAGES_OF_ALL = ("source", "unprojected", "target", "output")
FIRST_PARTS = ("tokens", "answer")
LOCKS = ("", SETTINGS, ALL)


class EmbedSettings(Settings):
    """Options for embedding the page in another one."""

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
        """The parts that are shown around the view."""
        return tuple(name for name in PARTS if getattr(self, name))

    def query(self, view: str) -> str:
        """The URL query that opens the page with these options."""
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
    """The parsed query of a URL.

    Attributes:
        view: the view to open; empty if the URL names none.
        only: the one stage, or ``matrix:PATH``, to show; empty for the whole view.
        parts: the parts around the view, of ``PARTS``; None on a standalone page, which has all.
        lock: what may not be changed: ``settings``, ``all``, or empty for nothing.
        problems: a sentence for each invalid parameter.
        lesson: the lesson to open; empty if the URL names none.
        step: the step of that lesson, counted from 0.
    """

    view: str = ""
    only: str = ""
    parts: tuple[str, ...] | None = None
    lock: str = ""
    problems: tuple[str, ...] = ()
    lesson: str = ""
    step: int = 0

    def shows(self, part: str) -> bool:
        """Whether a part around the view is shown."""
        return self.parts is None or part in self.parts

    @property
    def is_one_view(self) -> bool:
        """Whether the page offers no way to leave the view that it opens."""
        return bool(self.only) and self.parts is not None and "views" not in self.parts

    def location(self, location: PageLocation) -> PageLocation:
        """The given location, moved to the view that the URL names, if any.

        An embedded page shows a requested stage alone; a standalone page shows all stages and
        scrolls to it.
        """
        only = self.only if self.parts is not None else ""
        return location._replace(view=self.view, only=only) if self.view else location

    def lesson_progress(self, progress: LessonProgress) -> LessonProgress:
        """The given progress, moved to the lesson and step that the URL names, if any."""
        return progress.went(self.lesson, self.step) if self.lesson else progress


def page_address(query: str) -> PageAddress:
    """Parse the query of a URL; invalid parameters are dropped and reported in ``problems``.

    The parameters for theme and height are ignored here: only the browser uses them.
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
    """The lesson and its step; URLs count steps from 1."""
    view = asked.get("view", "")
    if not view.startswith(LESSON):
        return "", 0
    name, step = view.removeprefix(LESSON), asked.get("step", "1")
    if not is_lesson_name(name):
        # No lesson file can have this name; the list of lessons shows the valid ones.
        return name[:MAX_PART_LENGTH] or "?", 0
    if not (step.isascii() and step.isdigit() and 1 <= int(step[:6]) <= MAX_STEP + 1):
        problems.append(f"There is no step {brief(step)}; this is the first one.")
        step = "1"
    return name, int(step) - 1


def _view(raw: str, problems: list[str]) -> tuple[str, str]:
    """The view, and the single stage or matrix in it."""
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
