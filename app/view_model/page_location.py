"""The user's location on the page, with limits on the values that a link or a browser may send."""

from __future__ import annotations

import re
from typing import Annotated, NamedTuple

from ..ideas.catalog import FORMS_OF_IDEAS
from ..model.scenario.limits import MAX_TOKENS
from ..plain_data import (
    InOrder,
    Length,
    OneOf,
    Sentence,
    Then,
    WholeText,
    Within,
    brief,
    fields,
    read,
    read_field,
    reader,
)
from .focus import Followed

# The rooms of the page by their names in links, in the order of their tabs.
ROOMS = {"explore": "Explore", "lessons": "Lessons", "train": "Train"}
FIRST_ROOM = EXPLORE = next(iter(ROOMS))

# The forms in which Explore shows the model.
FORMS = {
    "picture": "Picture",
    "formulas": "Formulas",
    "attention": "Attention",
    **FORMS_OF_IDEAS,
}
FIRST_FORM = next(iter(FORMS))

# The contents of the drawer of Explore.
DRAWERS = {"writing": "How it writes", "measure": "Measure"}
DRAWERS_OF_ENCODER = DRAWERS | {"writing": "How it fills in"}  # for a model that writes nothing


class View(NamedTuple):
    """The destination of a view's name."""

    room: str
    form: str | None = None  # None for the present form
    drawer: str = ""  # empty for none
    only: str = ""  # the single stage or matrix that the formulas show; empty for all


# All names that an address, a lesson or a program can use, with their labels.
VIEWS = FORMS | DRAWERS | {name: ROOMS[name] for name in ROOMS if name != EXPLORE}
FIRST_VIEW = FIRST_FORM
# Former names, used by older links and lessons.
FORMER_VIEWS = {
    EXPLORE: FIRST_FORM,
    "whole": "picture",
    "stages": "formulas",
    "decode": "writing",
    "experiments": "measure",
    "learn": "train",
    "positions": "idea:positions",
    "cost": "idea:cost",
}

MATRIX = "matrix:"
# Stages that every model has; the others are the paths of sublayers and final norms.
STAGES_OF_ALL = ("source", "unprojected", "target", "output")
_STAGE = re.compile(
    rf"{'|'.join(STAGES_OF_ALL)}"
    r"|(encoder|decoder)\.(\d{1,4}\.(self_attn|cross_attn|feed_forward)|final)",
    re.ASCII,
)
_PATH = re.compile(r"(source|target|encoder|decoder|output)(\.\w+)+", re.ASCII)


def view_name(name: str) -> str:
    """Return the present name of a view, a stage or a matrix; ``ValueError`` if it is unknown.

    The name is accepted even if the model has no such stage or matrix.
    """
    found = FORMER_VIEWS.get(name, name)
    if found in VIEWS or _STAGE.fullmatch(found):
        return found
    path = found.removeprefix(MATRIX)
    if path != found or _PATH.fullmatch(path):
        return f"{MATRIX}{path}"
    raise ValueError(f"there is no view called {brief(name)}; there are {', '.join(VIEWS)}")


def view_named(name: str) -> View:
    """Return the destination of the name of a view, stage or matrix; ``ValueError`` if unknown."""
    found = view_name(name)
    if found in FORMS:
        return View(EXPLORE, found)
    if found in DRAWERS:
        return View(EXPLORE, drawer=found)
    if found in VIEWS:
        return View(found)
    return View(EXPLORE, "formulas", only=found)


def _form(name: str) -> str:
    """Return the present name of a form of Explore."""
    found = FORMER_VIEWS.get(name, name)
    if found not in FORMS:
        raise ValueError(f"Explore has no form {brief(name)}")
    return found


MAX_DISTANCE = 1e6
MIN_ZOOM, MAX_ZOOM = 1e-3, 1e3
MAX_UNFOLDED = 200
MAX_PART_LENGTH = 100
MAX_WORD_LENGTH = 100  # a file's vocabulary may have words longer than can be typed


def _short(exact: float) -> float:
    """Round to visible precision, so that links stay short."""
    return float(f"{exact:.5g}")


def _without_repeats(parts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(parts))


_Distance = Annotated[float, Within(-MAX_DISTANCE, MAX_DISTANCE), Then(_short)]
_Zoom = Annotated[float, Within(MIN_ZOOM, MAX_ZOOM), Then(_short)]
_Position = Annotated[int, Within(0, MAX_TOKENS - 1)]
_Part = Annotated[WholeText, Length(0, MAX_PART_LENGTH), Sentence("{} is no part")]


class Camera(NamedTuple):
    """The visible part of the whole picture."""

    x: _Distance  # horizontal center, in pixels of the picture from its left edge
    y: _Distance  # vertical center, from its upper edge
    zoom: _Zoom  # screen pixels per pixel of the picture


_VIEW = reader(Annotated[WholeText, Then(view_name), Sentence("there is no view called {}")])

_Camera = Annotated[Camera, InOrder(), Sentence("it is not two coordinates and a zoom")]
_Followed = Annotated[Followed, InOrder(), Sentence("it is not a stack and a position")]
_Unfolded = Annotated[
    tuple[_Part, ...],
    Length(0, MAX_UNFOLDED),
    Then(_without_repeats),
    Sentence(f"it is not a list of at most {MAX_UNFOLDED} parts"),
]


class PageLocation(NamedTuple):
    """The open room, and its contents.

    Attributes:
        room: the open room, one of ``ROOMS``.
        form: the form in which Explore shows the model, one of ``FORMS``.
        drawer: the content of the drawer of Explore, one of ``DRAWERS``; empty while it is closed.
        camera: the visible part of the whole picture; None for all of it.
        followed: the token whose path stays visible while the others fade; None for none.
        unfolded: names of the expanded parts of the whole picture.
        asked: the position whose next-word prediction is examined, if the user chose one.
        word: the candidate next word that experiments watch, if the user chose one.
        lens: whether the whole picture shows the logit lens at each depth.
        only: the single stage, or ``matrix:`` and a path, that the formulas show; empty for all.
    """

    room: Annotated[str, OneOf(tuple(ROOMS)), Sentence("there is no room called {}")] = FIRST_ROOM
    form: Annotated[WholeText, Then(_form)] = FIRST_FORM
    drawer: Annotated[str, OneOf(("", *DRAWERS)), Sentence("there is no drawer called {}")] = ""
    camera: _Camera | None = None
    followed: _Followed | None = None
    unfolded: _Unfolded = ()
    only: Annotated[WholeText, Length(0, MAX_PART_LENGTH), Sentence("{} is no stage")] = ""
    asked: _Position | None = None
    word: Annotated[str, Length(0, MAX_WORD_LENGTH), Sentence("{} is no word")] = ""
    lens: bool = False

    @property
    def view(self) -> str:
        """The name of the central view: a form of Explore, or another room."""
        return self.form if self.room == EXPLORE else self.room

    @property
    def called(self) -> str:
        """The name of this location: of the open drawer, the stage or matrix, or the view."""
        is_alone = self.only and self.view == "formulas"
        return self.open_drawer or (self.only if is_alone else self.view)

    @property
    def open_drawer(self) -> str:
        """The content of the drawer; empty in rooms without one."""
        return self.drawer if self.room == EXPLORE else ""

    def at(self, name: str) -> PageLocation:
        """Return the location moved to a view, stage or matrix by its present or a former name."""
        room, form, drawer, only = view_named(name)
        if room != EXPLORE:
            return self._replace(room=room)
        if form is None:
            return self._replace(room=room, drawer=drawer)
        return self._replace(room=room, form=form, drawer=drawer, only=only)

    def changed(self, name: str, raw: object) -> PageLocation:
        """Return a copy with one field set from plain data, or moved to a named ``view``.

        Raise ``ValueError`` if the value is invalid; the message names the field.
        """
        if name == "view":
            return self.at(read_field(name, _VIEW, raw))
        if name not in self._fields:
            raise ValueError(f"There is no part of a place called {brief(name)}.")
        new = self._replace(**{name: read_field(name, reader(fields(PageLocation)[name]), raw)})
        # Once the user has left the formulas, they show all stages again.
        return new if new.form == self.form else new._replace(only="")


def location_from(raw: object) -> PageLocation:
    """Parse a location from plain data; older links have a ``view`` in it.

    Raise ``ValueError`` with one sentence if the data is invalid.
    """
    if not isinstance(raw, dict) or "view" not in raw:
        return read(PageLocation, raw)
    rest = {name: value for name, value in raw.items() if name != "view"}
    return read(PageLocation, rest).changed("view", raw["view"])
