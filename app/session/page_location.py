"""Where on the page the reader is, declared with the limits of what a link or a browser may say."""

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

# The views by their names in links, in the order of their tabs, with what the tabs say.
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
MAX_WORD_LENGTH = 100  # a vocabulary of a file may have longer ones than can be typed


def _short(exact: float) -> float:
    """As exact as can be seen, so that links stay short."""
    return float(f"{exact:.5g}")


def _without_repeats(parts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(parts))


_Distance = Annotated[float, Within(-MAX_DISTANCE, MAX_DISTANCE), Then(_short)]
_Zoom = Annotated[float, Within(MIN_ZOOM, MAX_ZOOM), Then(_short)]
_Position = Annotated[int, Within(0, MAX_TOKENS - 1)]
_Part = Annotated[WholeText, Length(0, MAX_PART_LENGTH), Sentence("{} is no part")]


class Camera(NamedTuple):
    """What of the whole picture is in sight.

    Attributes:
        x: what stands in the middle, in the picture's own pixels from its left edge.
        y: the same from its upper edge.
        zoom: pixels on screen for one of the picture's.
    """

    x: _Distance
    y: _Distance
    zoom: _Zoom


class Followed(NamedTuple):
    """A word that is followed through the model: the token of a stack at a position."""

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


class Place(NamedTuple):
    """Where the reader is.

    Attributes:
        view: which view is open, of ``VIEWS``.
        camera: over the whole picture; None where all of it is in sight.
        followed: the word whose way stays while the others fade; None for none.
        unfolded: the parts of the whole picture that were opened, by their names.
        asked: the position whose next word is looked at, where the reader chose one.
        word: the word that experiments look at there, where the reader chose one.
        lens: whether the whole picture says what would be written at each depth.
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

    def changed(self, name: str, raw: object) -> Place:
        """The same with one of the fields as plain data says.

        Raises:
            ValueError: it is wrong; one sentence that names the field.
        """
        if name not in self._fields:
            raise ValueError(f"There is no part of a place called {brief(name)}.")
        return self._replace(**{name: read_field(name, reader(fields(Place)[name]), raw)})

    def to_dict(self) -> dict[str, Any]:
        """What is other than when the page opens, as JSON has it."""
        found: dict[str, Any] = {}
        for name, value in self._asdict().items():
            if value != self._field_defaults[name]:
                found[name] = value if isinstance(value, str | int) else list(value)
        return found


def place_from(raw: object) -> Place:
    """The place that plain data stands for.

    Raises:
        ValueError: one sentence on what is wrong with it.
    """
    return read(Place, raw)
