"""Declares the fields of a lesson's front matter and directives, with their limits."""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from ..model.matrices.address import CellAddress
from ..plain_data import (
    From,
    Length,
    Matching,
    OneOf,
    Sentence,
    Then,
    Within,
    brief,
    fields,
    read,
)
from ..view_model.page_location import VIEWS, view_name
from .expressions import Check
from .format import MEASURES, Changes, Text

MAX_ITEMS = 60  # items of a step, or of a list in a directive
MAX_TITLE = 100
MAX_WORDS = 400  # characters
MAX_TRAINED = 1_000  # training steps; the reader waits for them
SHOWN = ("inspector",)
MAX_SCENES = 40  # of a film
MAX_SCENE_NAME = 30  # characters beside the time of a film
MAX_CHANGED = 10_000  # numbers or heads that a dare may allow
_MEASURED = tuple(dict.fromkeys(x for each in MEASURES.values() for x in each))
# The names of two words in a film: the word that the opening row reads most, and the word at the
# opening row itself, which writes another word.
ROLES = ("read", "writes")
STACKS = {"source": "encoder", "target": "decoder"}

_CELL = re.compile(r"([\w.]{1,100})\[(\d{1,6}),\s*(\d{1,6})\]")
_CELLS = re.compile(r"([\w.]{1,100})\[(\d{1,6})(?::(\d{1,6}))?,\s*(\d{1,6})(?::(\d{1,6}))?\]")
_FOLLOW = re.compile(r"(source|target) (\d{1,3})")


def cell(written: str) -> CellAddress:
    """Parse a cell address of the form ``path[row, column]``."""
    found = _CELL.fullmatch(written.strip())
    if not found:
        raise ValueError(f"{brief(written)} is no cell: write path[row, column]")
    return CellAddress(found[1], int(found[2]), int(found[3]))


def _rectangle(written: str) -> tuple[str, int, int, int, int]:
    found = _CELLS.fullmatch(written.strip())
    if not found:
        raise ValueError(f"{brief(written)} is no cell: write path[row, column]")
    path, i, i2, j, j2 = found.groups()
    return path, int(i), int(j), int(i2 or i), int(j2 or j)


def _followed(written: str) -> tuple[str, int]:
    found = _FOLLOW.fullmatch(written)
    if not found:
        raise ValueError("it is a side and a position, as in “source 2”")
    return STACKS[found[1]], int(found[2])


def _followed_or_role(written: str) -> tuple[str, int] | str:
    return written if written in ROLES else _followed(written)


def _cell_or_role(written: str) -> CellAddress | str:
    return written if written == ROLES[0] else cell(written)


def _expression(raw: object) -> Check:
    return Check(str(raw))  # YAML parses a plain number as a number, not as text


def _choices(raw: object) -> tuple[Text, ...] | Check:
    if isinstance(raw, str):
        return Check(raw)
    if not isinstance(raw, list) or not 2 <= len(raw) <= 12:
        raise ValueError("there are 2 to 12 of them, or a check that gives tokens")
    return tuple((str(each),) for each in raw)


def _covered(raw: object) -> tuple[tuple[str, int, int, int, int], ...]:
    if raw is False:
        return ()
    if not isinstance(raw, list):
        raise ValueError("it is a list of cells, or false where the number may be read")
    read_cells: Any = Rectangles
    return tuple(read(read_cells, raw))


def _above_zero(number: float) -> float:
    if not 0 < number <= 1e6:
        raise ValueError(f"{brief(number)} is not greater than 0 and at most 1,000,000")
    return number


def _set(numbers: dict[str, float]) -> tuple[tuple[CellAddress, float], ...]:
    return tuple((cell(written), number) for written, number in numbers.items())


LEVELS = ("beginner", "intermediate", "advanced")
MAX_GOALS = 6

Words = Annotated[
    str, Length(0, MAX_WORDS), Sentence(f"{{}} is no text of at most {MAX_WORDS} characters")
]
Title = Annotated[str, Length(1, MAX_TITLE), Sentence(f"a title has 1 to {MAX_TITLE} characters")]
View = Annotated[
    str,
    Then(view_name),
    Sentence(f"there is no view called {{}}; there are {', '.join(VIEWS)}"),
]
Plane = Annotated[
    Literal["", "value", "gradient", "change"], Sentence("it is value, gradient or change")
]
DRAWINGS = ("rows", "ribbons", "bars", "points")
Path = Annotated[str, Matching(re.compile(r"[\w.]{1,100}")), Sentence("{} is no path of a matrix")]
Parts = Annotated[tuple[Path, ...], Length(1, MAX_ITEMS), Sentence("it is a list of parts")]
Cell = Annotated[CellAddress, From(str, cell)]
Rectangles = Annotated[
    tuple[Annotated[tuple[str, int, int, int, int], From(str, _rectangle)], ...],
    Length(1, MAX_ITEMS),
    Sentence("it is a list of cells, path[row, column] or path[0:2, 1:3]"),
]
Followed = Annotated[tuple[str, int], From(str, _followed)]
Positive = Annotated[float, Then(_above_zero)]
Expression = Annotated[Check, From(object, _expression)]
# Text with its formulas, links and live numbers, as `markdown.parsing` returns it.
Marked = Annotated[list[object], Length(1, 10_000), Sentence("it is a text")]


class PictureData(TypedDict):
    """The fields of `Picture`."""

    draw: Annotated[str, OneOf(DRAWINGS), Sentence(f"{{}} is none of {', '.join(DRAWINGS)}")]
    of: Parts
    step: NotRequired[Annotated[int, Within(0, 59)]]
    row: NotRequired[Annotated[int, Within(0, 10_000)]]


class Front(TypedDict):
    """The front matter; the scenario is a model's name, or the saved form of a scenario."""

    title: Title
    minutes: Annotated[int, Within(1, 600), Sentence("{} are no minutes")]
    about: NotRequired[Words]
    goals: NotRequired[
        Annotated[
            tuple[Words, ...],
            Length(1, MAX_GOALS),
            Sentence(f"it is a list of 1 to {MAX_GOALS} sentences"),
        ]
    ]
    level: NotRequired[
        Annotated[str, OneOf(LEVELS), Sentence(f"{{}} is no level; there are {', '.join(LEVELS)}")]
    ]
    author: NotRequired[Title]
    license: NotRequired[Title]
    unknown: NotRequired[Annotated[tuple[Words, ...], Sentence("it is a list of words")]]
    picture: NotRequired[PictureData]
    scenario: object
    view: NotRequired[View]
    show: NotRequired[
        Annotated[
            tuple[Annotated[str, OneOf(SHOWN)], ...],
            Sentence(f"it is a list of {', '.join(SHOWN)}"),
        ]
    ]


class _ChangesOfStep(TypedDict, total=False):
    """Changes that set up a step; see `Changes`."""

    text: Words
    target: Words
    settings: dict[str, object]
    set: Annotated[tuple[tuple[CellAddress, float], ...], From(dict[str, float], _set)]
    dropout: bool
    plane: Plane
    select: Cell
    follow: Followed
    view: View


class _ChangesLater(_ChangesOfStep, total=False):
    """Changes made after an answer, or by a comparison."""

    swings: bool


class _ChangesShown(_ChangesLater, total=False):
    """Changes that demonstrate a task."""

    train: Annotated[int, Within(1, MAX_TRAINED)]


def changes_of(data: Mapping[str, Any]) -> Changes:
    """Return the changes in a directive; its other fields are ignored."""
    found = {name: data[name] for name in fields(_ChangesShown) if name in data}
    cells = found.pop("set", ())
    settings = tuple(found.pop("settings", {}).items())
    return Changes(**found, cells=cells, settings=settings)


def _group_of_changes(data: Mapping[str, Any]) -> Changes:
    if not data:
        raise ValueError("it is a group of changes")
    return changes_of(data)


class LookData(_ChangesOfStep, total=False):
    """The fields of `Look`."""

    part: Path
    cells: Rectangles
    unfold: Parts
    keep: bool


class PlayData(TypedDict, total=False):
    """The fields of `Play`."""

    label: Marked | None
    cell: Cell
    amplitude: Positive
    follow: Followed
    parts: Parts


class HintData(TypedDict):
    """The fields of `Hint`."""

    when: Expression
    say: Marked


class DoData(TypedDict):
    """The fields of `Do`."""

    do: Marked
    until: Expression
    show: Annotated[Changes, From(_ChangesShown, _group_of_changes)]
    hint: NotRequired[Marked | None]
    hints: NotRequired[list[HintData]]
    because: NotRequired[Marked | None]


class PredictData(TypedDict):
    """The fields of `Predict`."""

    ask: Marked
    answer: Expression
    tolerance: NotRequired[Positive]
    choices: NotRequired[Annotated[tuple[Text, ...] | Check, From(object, _choices)]]
    matrix: NotRequired[Path]
    row: NotRequired[Expression]
    then: NotRequired[Annotated[Changes, From(_ChangesLater, _group_of_changes)]]
    because: NotRequired[Marked | None]
    hint: NotRequired[Marked | None]
    hints: NotRequired[list[HintData]]
    cover: NotRequired[
        Annotated[tuple[tuple[str, int, int, int, int], ...], From(object, _covered)]
    ]


class CompareData(TypedDict):
    """The fields of `Compare`."""

    before: NotRequired[Marked | None]
    after: NotRequired[Marked | None]
    change: Annotated[Changes, From(_ChangesLater, _group_of_changes)]


class SceneData(TypedDict):
    """The fields of `Scene`."""

    say: Marked
    seconds: Annotated[float, Within(1, 60), Sentence("a scene lasts 1 to 60 seconds, not {}")]
    parts: NotRequired[Parts]
    follow: NotRequired[Annotated[tuple[str, int] | str, From(str, _followed_or_role)]]
    camera: NotRequired[Literal["all", "parts", "row"]]
    lifts: NotRequired[bool]
    carries: NotRequired[bool]
    writes: NotRequired[bool]
    swing: NotRequired[Annotated[CellAddress | str, From(str, _cell_or_role)]]
    amplitude: NotRequired[Annotated[float, Within(0.01, 10)]]
    do: NotRequired[Annotated[Changes, From(_ChangesOfStep, _group_of_changes)]]
    when: NotRequired[Expression]
    name: NotRequired[
        Annotated[
            str,
            Length(1, MAX_SCENE_NAME),
            Sentence(f"the name of a scene has 1 to {MAX_SCENE_NAME} characters"),
        ]
    ]


class FilmData(TypedDict):
    """The fields of `Film`."""

    label: NotRequired[Marked | None]
    scenes: Annotated[
        list[SceneData],
        Length(1, MAX_SCENES),
        Sentence(f"it is a list of 1 to {MAX_SCENES} scenes"),
    ]


class DareData(TypedDict):
    """The fields of `Dare`."""

    dare: Marked
    goal: Expression
    may: Annotated[str, OneOf(tuple(MEASURES)), Sentence(f"it is one of {', '.join(MEASURES)}")]
    most: NotRequired[Annotated[int, Within(1, MAX_CHANGED)]]
    measure: Annotated[str, OneOf(_MEASURED), Sentence(f"it is one of {', '.join(_MEASURED)}")]
    best: Positive
    by: NotRequired[Words]
    shows: NotRequired[Marked | None]
    attempt: NotRequired[dict[str, object]]


# The directives by name.
DIRECTIVES: Mapping[str, type[Any]] = {
    "look": LookData,
    "play": PlayData,
    "do": DoData,
    "predict": PredictData,
    "compare": CompareData,
    "film": FilmData,
    "dare": DareData,
}
