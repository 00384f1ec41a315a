"""The user's location on the page, with limits on what a link or a browser may send."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from ..matrices.extent import STACKS
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
from ..scenario.limits import MAX_TOKENS

# Views by their names in links, in the order of their tabs, with the labels of the tabs.
VIEWS = {
    "whole": "Whole",
    "stages": "Stages",
    "attention": "Attention",
    "decode": "Decode",
    "learn": "Learn",
    "lessons": "Lessons",
    "experiments": "Experiments",
    "positions": "Positions",
    "cost": "Cost",
}
FIRST_VIEW = next(iter(VIEWS))

MAX_DISTANCE = 1e6
MIN_ZOOM, MAX_ZOOM = 1e-3, 1e3
MAX_UNFOLDED = 200
MAX_PART_LENGTH = 100
MAX_WORD_LENGTH = 100  # a vocabulary from a file may have words that are longer than can be typed


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
    """The visible part of the whole picture.

    Attributes:
        x: horizontal center, in pixels of the picture from its left edge.
        y: vertical center, in pixels of the picture from its upper edge.
        zoom: screen pixels per pixel of the picture.
    """

    x: _Distance
    y: _Distance
    zoom: _Zoom


class Followed(NamedTuple):
    """A token that is followed through the model, by its stack and position."""

    stack: Annotated[str, OneOf(STACKS)]
    position: _Position


_Camera = Annotated[Camera, InOrder(), Sentence("it is not two coordinates and a zoom")]
_Followed = Annotated[Followed, InOrder(), Sentence("it is not a stack and a position")]
_Unfolded = Annotated[
    tuple[_Part, ...],
    Length(0, MAX_UNFOLDED),
    Then(_without_repeats),
    Sentence(f"it is not a list of at most {MAX_UNFOLDED} parts"),
]


class PageLocation(NamedTuple):
    """The open view, and what it shows.

    Attributes:
        view: the open view, one of ``VIEWS``.
        camera: the visible part of the whole picture; None for all of it.
        followed: the token whose path stays visible while the others fade; None for none.
        unfolded: names of the expanded parts of the whole picture.
        asked: the position whose next-word prediction is examined, where the user chose one.
        word: the candidate next word that experiments watch, where the user chose one.
        lens: whether the whole picture shows the logit lens at each depth.
        only: the one stage, or ``matrix:`` and a path, that the Stages view shows; empty for all.
    """

    view: Annotated[str, OneOf(tuple(VIEWS)), Sentence("there is no view called {}")] = FIRST_VIEW
    camera: _Camera | None = None
    followed: _Followed | None = None
    unfolded: _Unfolded = ()
    only: Annotated[WholeText, Length(0, MAX_PART_LENGTH), Sentence("{} is no stage")] = ""
    asked: _Position | None = None
    word: Annotated[str, Length(0, MAX_WORD_LENGTH), Sentence("{} is no word")] = ""
    lens: bool = False

    def changed(self, name: str, raw: object) -> PageLocation:
        """A copy with one field set from plain data.

        Raises:
            ValueError: the value is invalid; the message names the field.
        """
        if name not in self._fields:
            raise ValueError(f"There is no part of a place called {brief(name)}.")
        return self._replace(**{name: read_field(name, reader(fields(PageLocation)[name]), raw)})

    def to_dict(self) -> dict[str, Any]:
        """The fields that differ from when the page opens, as JSON."""
        found: dict[str, Any] = {}
        for name, value in self._asdict().items():
            if value != self._field_defaults[name]:
                found[name] = value if isinstance(value, str | int) else list(value)
        return found


def location_from(raw: object) -> PageLocation:
    """Parse a location from plain data.

    Raises:
        ValueError: the data is invalid; the message is one sentence.
    """
    return read(PageLocation, raw)
