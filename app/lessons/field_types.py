"""Declares the types of the fields in a lesson's front matter and directives, with their limits."""

import re
from typing import Annotated, Any, Literal

from ..model.matrices.address import CellAddress
from ..plain_data import From, Length, Matching, Sentence, Then, brief, read
from ..view_model.page_location import VIEWS, view_name
from .expressions import Check

MAX_ITEMS = 60  # items of a step, or of a list in a directive
MAX_TITLE = 100
MAX_WORDS = 400  # characters
# The roles of two words in a film: the word that the opening row reads most, and the word at the
# opening row.
ROLES = ("read", "writes")
STACKS = {"source": "encoder", "target": "decoder"}

# Text as nested tuples: each item is a string, or a mark followed by its content.
Text = tuple[Any, ...]
Area = tuple[str, int, int, int, int]  # path, first row and column, last row and column

_CELL = re.compile(r"([\w.]{1,100})\[(\d{1,6}),\s*(\d{1,6})\]")
_CELLS = re.compile(r"([\w.]{1,100})\[(\d{1,6})(?::(\d{1,6}))?,\s*(\d{1,6})(?::(\d{1,6}))?\]")
_FOLLOW = re.compile(r"(source|target) (\d{1,3})")


def cell(written: str) -> CellAddress:
    """Parse a cell address of the form ``path[row, column]``."""
    found = _CELL.fullmatch(written.strip())
    if not found:
        raise ValueError(f"{brief(written)} is no cell: write path[row, column]")
    return CellAddress(found[1], int(found[2]), int(found[3]))


def _rectangle(written: str) -> Area:
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


def _covered(raw: object) -> tuple[Area, ...]:
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
Path = Annotated[str, Matching(re.compile(r"[\w.]{1,100}")), Sentence("{} is no path of a matrix")]
Parts = Annotated[tuple[Path, ...], Length(1, MAX_ITEMS), Sentence("it is a list of parts")]
Cell = Annotated[CellAddress | None, From(str, cell)]
CellOrRole = Annotated[CellAddress | str | None, From(str, _cell_or_role)]
Rectangles = Annotated[
    tuple[Annotated[Area, From(str, _rectangle)], ...],
    Length(1, MAX_ITEMS),
    Sentence("it is a list of cells, path[row, column] or path[0:2, 1:3]"),
]
Covered = Annotated[tuple[Area, ...] | None, From(object, _covered)]
Followed = Annotated[tuple[str, int] | None, From(str, _followed)]
FollowedOrRole = Annotated[tuple[str, int] | str | None, From(str, _followed_or_role)]
Positive = Annotated[float, Then(_above_zero)]
Expression = Annotated[Check, From(object, _expression)]
MaybeExpression = Annotated[Check | None, From(object, _expression)]
Choices = Annotated[tuple[Text, ...] | Check, From(object, _choices)]
# Text with its formulas, links and live numbers, as `markdown.parsing` returns it.
_MARKED = Annotated[list[object], Length(1, 10_000), Sentence("it is a text")]
Marked = Annotated[Text, From(_MARKED, tuple)]
MaybeMarked = Annotated[Text, From(_MARKED | None, lambda parts: tuple(parts or ()))]
