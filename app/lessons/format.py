"""What a lesson is made of, read and frozen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..matrices.address import CellAddress
from ..scenario.scenario import Scenario
from .expressions import Check

# Text as lists of what stands in it, as JSON has it: a string, or a mark and what is in it.
Text = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Changes:
    """What becomes other on the page.

    Attributes:
        text: the source, as one types it.
        target: what the decoder has written, as one types it; empty: as it is.
        settings: of the model, by their names.
        cells: cell -> the number that it is set to.
        dropout: whether it is on; None: as it is.
        plane: ``value``, ``gradient`` or ``change``; empty: as it is.
        select: the number that is selected.
        follow: the word that is followed, by its stack and its position.
        view: the view that is opened.
        swings: whether the selected number swings.
        train: for how many steps the model is trained anew; 0: it is not.
    """

    text: str = ""
    target: str = ""
    settings: tuple[tuple[str, Any], ...] = ()
    cells: tuple[tuple[CellAddress, float], ...] = ()
    dropout: bool | None = None
    plane: str = ""
    select: CellAddress | None = None
    follow: tuple[str, int] | None = None
    view: str = ""
    swings: bool = False
    train: int = 0


@dataclass(frozen=True, slots=True)
class Look:
    """Where the reader is taken, and what is ringed there.

    Attributes:
        part: of the whole picture, to fly to; ``all`` for all of it; empty: as it is.
        cells: rectangles that are ringed: path, first row and column, last row and column.
        unfold: parts of the whole picture of which every step is drawn.
        changes: what the step begins with.
        keep: whether what the reader has made of the model so far stays.
    """

    part: str = ""
    cells: tuple[tuple[str, int, int, int, int], ...] = ()
    unfold: tuple[str, ...] = ()
    changes: Changes = Changes()
    keep: bool = False


@dataclass(frozen=True, slots=True)
class Play:
    """A number that swings, or a word that goes its way through parts of the picture."""

    label: Text
    cell: CellAddress | None = None
    amplitude: float = 2.0
    follow: tuple[str, int] | None = None
    parts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Hint:
    """What is said after a wrong answer, if its condition is true."""

    say: Text
    when: Check | None = None


@dataclass(frozen=True, slots=True)
class Do:
    """Something to do: done when a check is true.

    Attributes:
        do: what.
        until: the check.
        show: what does it, for those who give up.
    """

    do: Text
    until: Check
    show: Changes
    hints: tuple[Hint, ...] = ()
    because: Text = ()


@dataclass(frozen=True, slots=True)
class Predict:
    """A question that is answered before it is revealed.

    Attributes:
        ask: the question.
        answer: the right one: a number, the place of the choice, or the column of the cell.
        tolerance: how far a number may be from it.
        choices: to choose from; empty for a number. A check that gives tokens, or texts.
        matrix: where a cell is to be clicked, with its ``row``.
        then: what is changed when it is answered; the answer is that of the numbers after it.
        because: what is said when it is answered.
        cover: cells whose numbers are not told until it is answered: path, first row and column,
            last row and column; None: the cell that the answer is read from, if it is one.
    """

    ask: Text
    answer: Check
    tolerance: float = 0.0
    choices: tuple[Text, ...] | Check = ()
    matrix: str = ""
    row: Check | None = None
    then: Changes = Changes()
    because: Text = ()
    hints: tuple[Hint, ...] = ()
    cover: tuple[tuple[str, int, int, int, int], ...] | None = None

    @property
    def kind(self) -> str:
        """How it is answered."""
        return "cell" if self.matrix else "choice" if self.choices else "number"


@dataclass(frozen=True, slots=True)
class Compare:
    """Before and after, to go back and forth between."""

    before: Text
    after: Text
    change: Changes


Item = Text | Look | Play | Do | Predict | Compare
TASKS = (Do, Predict)


@dataclass(frozen=True, slots=True)
class Step:
    """A step: its text and its directives in their order.

    Attributes:
        live: the expressions that stand in its texts.
        lines: of the items in the file.
    """

    title: str
    items: tuple[Item, ...]
    live: tuple[Check, ...] = ()
    lines: tuple[int, ...] = ()
    line: int = 1

    @property
    def look(self) -> Look:
        """Where it takes the reader."""
        return next((item for item in self.items if isinstance(item, Look)), Look())

    @property
    def tasks(self) -> tuple[int, ...]:
        """Which of its items are to be done or answered."""
        return tuple(k for k, item in enumerate(self.items) if isinstance(item, TASKS))


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson.

    Attributes:
        name: in addresses.
        minutes: how long it takes.
        scenario: what it is about.
        view: the view that it opens.
        show: what of the page it wants beside it: ``inspector``.
    """

    name: str
    file: str
    title: str
    minutes: int
    scenario: Scenario
    view: str
    steps: tuple[Step, ...]
    show: tuple[str, ...] = ()
    about: str = ""
    lines: Mapping[str, int] = field(default_factory=dict)
