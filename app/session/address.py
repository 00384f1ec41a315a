"""The query parameters of a page's URL: the view, the parts around it, and the lock.

The same parameters work on a served page, on a static site and in a notebook. Teachers write them
by hand or copy them from Share, so an invalid query must still open a page.
"""

import re
from typing import Annotated, Any, NamedTuple
from urllib.parse import parse_qsl, quote

import param

from ..model.scenario.lock import ALL, SETTINGS
from ..model.scenario.settings import Settings
from ..plain_data import (
    From,
    Length,
    Matching,
    OneOf,
    PlainDataError,
    Sentence,
    Then,
    WholeText,
    reader,
    whole,
)
from ..view_model.page_location import (
    FIRST_VIEW,
    MAX_PART_LENGTH,
    VIEWS,
    PageLocation,
    view_name,
    view_named,
)
from .lesson_progress import DARE_STEP, MAX_STEP, LessonProgress, is_lesson_name

LESSON = "lesson:"
DARE = "dare:"
FILM = "film"
# Examples of other valid names of views.
OTHER_VIEWS = {
    "encoder.0.self_attn": "one stage: a sublayer, by its path, also "
    "`decoder.0.cross_attn` or `encoder.0.feed_forward`",
    "source": "one stage that is not in a layer; also `unprojected`, `target` or `output`",
    "encoder.final": "one stage: the norm after a stack, if the model has one",
    "matrix:encoder.0.self_attn.head.0.scores": "one matrix, by its path, which names one "
    "head if there are several",
    "film": "the picture with the film, which starts when the reader presses Play",
    "lesson:film": "a lesson, by its name; `step` chooses one of its steps",
    "dare:white-cat": "a dare, by the name of its lesson",
}
LESSONS = "lessons"  # the room that lists the lessons
MAX_LENGTH = 4_000  # characters of a query; the rest is ignored

# The parts around a view in an embedded page, by their names in `show`.
PARTS = ("tokens", "answer", "views", "settings", "tools", "inspector")
FIRST_PARTS = ("tokens", "answer")
LOCKS = ("", SETTINGS, ALL)


class EmbedSettings(Settings):
    """Options for embedding the page in another page."""

    tokens = param.Boolean(default=True, label="sentence", doc="The sentences.")
    answer = param.Boolean(default=True, label="next word", doc="The output of the model.")
    views = param.Boolean(
        default=False, label="views", doc="The rooms, and the forms and drawers of Explore."
    )
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
        doc="Use a plain frame for pages that do not allow scripts.",
    )

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts that are shown around the view."""
        return tuple(name for name in PARTS if getattr(self, name))

    def query(self, view: str, step: int = 0) -> str:
        """Return the URL query that opens a view with these options; ``step`` counts from 0."""
        found = {"view": view}
        if view.startswith(LESSON) and step:
            found["step"] = str(step + 1)
        found["embed"] = ""
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
    """The parsed query of a URL."""

    view: str = ""  # empty if the URL names none
    only: str = ""  # the single stage, or ``matrix:PATH``, to show; empty for the whole view
    parts: tuple[str, ...] | None = None  # those of ``PARTS`` to show; None on a standalone page
    lock: str = ""  # ``settings``, ``all``, or empty for nothing
    problems: tuple[str, ...] = ()  # a sentence for each invalid parameter
    lesson: str = ""  # empty if the URL names none
    step: int = 0  # counted from 0; ``DARE_STEP`` for the step with the lesson's dare
    film: bool = False

    def shows(self, part: str) -> bool:
        """Return whether a part around the view is shown."""
        return self.parts is None or part in self.parts

    @property
    def is_one_view(self) -> bool:
        """Whether the page offers no way to leave the view that it opens."""
        return bool(self.only) and self.parts is not None and "views" not in self.parts

    def location(self, location: PageLocation) -> PageLocation:
        """Return the location, moved to the view that the URL names, if any.

        An embedded page shows only the requested stage; a standalone page shows all stages and
        scrolls to the requested one.
        """
        only = self.only if self.parts is not None else ""
        return location.at(self.view)._replace(only=only) if self.view else location

    def lesson_progress(self, progress: LessonProgress) -> LessonProgress:
        """Return the progress, moved to the lesson and step that the URL names, if any."""
        return progress.went(self.lesson, self.step) if self.lesson else progress


def page_address(query: str) -> PageAddress:
    """Parse the query of a URL; invalid parameters are dropped and reported in ``problems``.

    The parameters for theme and height are ignored here: only the browser uses them.
    """
    asked = dict(parse_qsl(query.removeprefix("?")[:MAX_LENGTH], keep_blank_values=True))
    problems: list[str] = []

    def parameter(declared: Any, text: str, otherwise: Any) -> Any:
        try:
            return reader(declared)(text)
        except PlainDataError as error:
            problems.append(error.what)
            return otherwise

    lesson, step, view, only, lock = "", 0, "", "", ""
    parts = None
    named = asked.get("view", "")
    kind = next((each for each in (LESSON, DARE) if named.startswith(each)), "")
    if kind:
        name = named.removeprefix(kind)
        if is_lesson_name(name) and kind == DARE:
            lesson, step = name, DARE_STEP
        elif is_lesson_name(name):
            lesson, step = name, parameter(_Step, asked.get("step", "1"), 0)
        else:  # no lesson file can have this name; the list of lessons shows the valid ones
            lesson = name[:MAX_PART_LENGTH] or "?"
    else:
        view, only = parameter(_View, named, (FIRST_VIEW, ""))
    if _is_on(asked.get("embed")):
        shown = asked["show"].split(",") if "show" in asked else FIRST_PARTS
        chosen = {parameter(_Part, part.strip(), "") for part in shown if part.strip()}
        parts = tuple(part for part in PARTS if part in chosen)
    if _is_on(asked.get("lock")):
        lock = parameter(_Lock, asked["lock"], ALL)
    film = named == FILM
    return PageAddress(view, only, parts, lock, tuple(problems), lesson, step, film)


def _is_on(text: str | None) -> bool:
    return text is not None and text.lower() not in ("0", "false", "no")


def view_and_part(text: str) -> tuple[str, str]:
    """Return the view that a name refers to, and the single stage or matrix in it."""
    if text == FILM:
        return FIRST_VIEW, ""
    only = view_named(text).only if text else ""
    return ("formulas", only) if only else (view_name(text) if text else "", "")


# The parameters as declarations of plain data, each with its error message.
_View = Annotated[
    WholeText,
    Length(0, MAX_PART_LENGTH),
    Then(view_and_part),
    Sentence(f"There is no view called {{}}; this is {VIEWS[FIRST_VIEW]}."),
]
_Step = Annotated[
    int,
    From(Annotated[str, Matching(re.compile(r"\d{1,6}", re.ASCII))], int),
    Then(whole(1, MAX_STEP + 1)),
    Then(lambda step: step - 1),
    Sentence("There is no step {}; this is the first one."),
]
_Part = Annotated[
    str,
    OneOf(PARTS),
    Sentence(f"There is no part called {{}} to show; there are {', '.join(PARTS)}."),
]
_Lock = Annotated[
    str,
    OneOf((*LOCKS, "1", "true")),
    Then(lambda text: SETTINGS if text == SETTINGS else ALL),
    Sentence("There is no lock of {}; all is locked."),
]
