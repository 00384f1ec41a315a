"""Where on the page the reader is, and the checks of it, whoever says so: a link or a browser."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..matrices.extent import STACKS
from ..scenario.limits import MAX_TOKENS
from .plain_data import brief, field, group, is_path, number, whole

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


class Camera(NamedTuple):
    """What of the whole picture is in sight.

    Attributes:
        x: what stands in the middle, in the picture's own pixels from its left edge.
        y: the same from its upper edge.
        zoom: pixels on screen for one of the picture's.
    """

    x: float
    y: float
    zoom: float


class Followed(NamedTuple):
    """A word that is followed through the model: the token of a stack at a position."""

    stack: str
    position: int


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

    view: str = FIRST_VIEW
    camera: Camera | None = None
    followed: Followed | None = None
    unfolded: tuple[str, ...] = ()
    only: str = ""
    asked: int | None = None
    word: str = ""
    lens: bool = False

    def changed(self, name: str, raw: Any) -> Place:
        """The same with one of the fields as plain data says.

        Raises:
            ValueError: it is wrong; one sentence that names the field.
        """
        readers = {
            "view": _read_view,
            "camera": _read_camera,
            "followed": _read_followed,
            "unfolded": _read_unfolded,
            "only": _read_only,
            "asked": _read_asked,
            "word": _read_word,
            "lens": _read_lens,
        }
        if name not in readers:
            raise ValueError(f"There is no part of a place called {brief(name)}.")
        return self._replace(**{name: field(name, readers[name], raw)})

    def to_dict(self) -> dict[str, Any]:
        """What is other than when the page opens, as JSON has it."""
        found: dict[str, Any] = {}
        for name, value in self._asdict().items():
            if value != self._field_defaults[name]:
                found[name] = value if isinstance(value, str | int) else list(value)
        return found


def place_from(raw: Any) -> Place:
    """The place that plain data stands for.

    Raises:
        ValueError: one sentence on what is wrong with it.
    """
    place = Place()
    for name, value in group(raw, set(Place._fields)).items():
        place = place.changed(name, value)
    return place


def _read_view(raw: Any) -> str:
    if not isinstance(raw, str) or raw not in VIEWS:
        raise ValueError(f"there is no view called {brief(raw)}")
    return raw


def _read_camera(raw: Any) -> Camera | None:
    if raw is None:
        return None
    if not isinstance(raw, list) or len(raw) != 3:
        raise ValueError("it is not two coordinates and a zoom")
    x, y = (_short(number(at, -MAX_DISTANCE, MAX_DISTANCE)) for at in raw[:2])
    return Camera(x, y, _short(number(raw[2], MIN_ZOOM, MAX_ZOOM)))


def _short(exact: float) -> float:
    """As exact as can be seen, so that links stay short."""
    return float(f"{exact:.5g}")


def _read_followed(raw: Any) -> Followed | None:
    if raw is None:
        return None
    if not isinstance(raw, list) or len(raw) != 2 or raw[0] not in STACKS:
        raise ValueError("it is not a stack and a position")
    return Followed(raw[0], whole(raw[1], 0, MAX_TOKENS - 1))


def _read_unfolded(raw: Any) -> tuple[str, ...]:
    if not isinstance(raw, list) or len(raw) > MAX_UNFOLDED:
        raise ValueError(f"it is not a list of at most {MAX_UNFOLDED} parts")
    for part in raw:
        if not is_path(part) or len(part) > MAX_PART_LENGTH:
            raise ValueError(f"{brief(part)} is no part")
    return tuple(dict.fromkeys(raw))


def _read_only(raw: Any) -> str:
    if not is_path(raw) or len(raw) > MAX_PART_LENGTH:
        raise ValueError(f"{brief(raw)} is no stage")
    return str(raw)


def _read_asked(raw: Any) -> int | None:
    return None if raw is None else whole(raw, 0, MAX_TOKENS - 1)


def _read_word(raw: Any) -> str:
    if not isinstance(raw, str) or len(raw) > MAX_WORD_LENGTH:
        raise ValueError(f"{brief(raw)} is no word")
    return raw


def _read_lens(raw: Any) -> bool:
    if not isinstance(raw, bool):
        raise ValueError("it is either on or off")
    return raw
