"""The parts of a lesson as immutable objects."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from types import MappingProxyType
from typing import Any, TypeVar

from ..model.matrices.address import CellAddress
from ..model.scenario.scenario import Scenario
from .expressions import Check

T = TypeVar("T")
# Text as nested tuples: each item is a string, or a mark followed by its content.
Text = tuple[Any, ...]


def as_json(text: Any) -> Any:
    """Convert tuples to lists, as JSON does."""
    return [as_json(each) for each in text] if isinstance(text, tuple) else text


def parts_of(part: Any, kind: type[T]) -> Iterator[T]:
    """Yield everything of a kind in a text or a directive, in order."""
    if isinstance(part, kind):
        yield part
    if is_dataclass(part):
        part = tuple(getattr(part, each.name) for each in fields(part))
    for each in part if isinstance(part, tuple) else ():
        yield from parts_of(each, kind)


@dataclass(frozen=True, slots=True)
class Changes:
    """Changes to the page.

    Attributes:
        text: the source, as typed.
        target: what the decoder has generated so far, as typed; empty for no change.
        settings: model settings by name.
        cells: cell -> its new number.
        dropout: whether dropout is on; None for no change.
        plane: ``value``, ``gradient`` or ``change``; empty for no change.
        select: the number to select.
        follow: the token to follow, by its stack and position.
        view: the view to open.
        swings: whether the selected number oscillates.
        train: the number of steps to train the model from scratch; 0 for none.
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
    """The part of the picture to show at a step, and the numbers to highlight.

    Attributes:
        part: the part of the picture to zoom to; ``all`` for the whole; empty for no change.
        cells: highlighted rectangles: path, first row and column, last row and column.
        unfold: parts of the whole picture to expand.
        changes: the changes that set up the step.
        keep: whether to keep the reader's own changes of the model.
    """

    part: str = ""
    cells: tuple[tuple[str, int, int, int, int], ...] = ()
    unfold: tuple[str, ...] = ()
    changes: Changes = Changes()
    keep: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """A small picture of the lesson's numbers, for the list of lessons.

    Attributes:
        draw: ``rows`` of matrices, ``ribbons`` of an attention, ``bars`` of a row, or the rows of
            a matrix as ``points`` in the plane in which they differ most.
        of: the matrices, or the attention.
        step: the step whose scenario is drawn.
        row: the row of the bars, or the row whose ribbons are in focus; None for all.
    """

    draw: str
    of: tuple[str, ...]
    step: int = 0
    row: int | None = None


@dataclass(frozen=True, slots=True)
class Play:
    """A number that oscillates, or a word that is followed through parts of the picture."""

    label: Text
    cell: CellAddress | None = None
    amplitude: float = 2.0
    follow: tuple[str, int] | None = None
    parts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Hint:
    """A hint after a wrong answer, shown if its condition is true."""

    say: Text
    when: Check | None = None


@dataclass(frozen=True, slots=True)
class Do:
    """A task, which is done when a check is true.

    Attributes:
        do: the task in words.
        until: the check.
        show: changes that do the task, for readers who give up.
    """

    do: Text
    until: Check
    show: Changes
    hints: tuple[Hint, ...] = ()
    because: Text = ()


@dataclass(frozen=True, slots=True)
class Predict:
    """A question whose answer the reader predicts before it is shown.

    Attributes:
        ask: the question.
        answer: the correct answer: a number, the index of a choice, or the column of a cell.
        tolerance: the accepted deviation of a number.
        choices: the choices; empty for a number. Either texts, or a check that gives tokens.
        matrix: the matrix in which the reader clicks a cell, in the row ``row``.
        then: changes made after the answer; the correct answer is computed after them.
        because: the explanation shown after the answer.
        cover: rectangles to hide until the question is answered: path, first row and column, last
            row and column; None for the cell from which the answer is read, if there is only one.
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
        """The kind of the answer: ``cell``, ``choice`` or ``number``."""
        return "cell" if self.matrix else "choice" if self.choices else "number"


@dataclass(frozen=True, slots=True)
class Compare:
    """Two states of the page, before and after, to switch between."""

    before: Text
    after: Text
    change: Changes


@dataclass(frozen=True, slots=True)
class Scene:
    """A scene of a film: the camera's view, the highlighted parts, and one sentence.

    Attributes:
        say: the caption.
        seconds: the duration.
        parts: the parts that are highlighted in turn: ids, or kinds such as ``self_attn`` in the
            stack of the followed word; empty for the whole picture.
        follow: the word whose row is highlighted: stack and position, or ``read`` or ``writes``.
        camera: ``all``, ``parts`` or ``row``.
        lifts: whether the word rises and becomes its row of numbers.
        carries: whether the other word travels along the strongest link.
        writes: whether the likeliest words are compared, and the written one is typed.
        swing: the number that oscillates; ``read`` for the number of the read word that changes
            the written word most easily.
        amplitude: the amplitude of the oscillation; 0 for one that the page chooses.
        do: changes for this scene and all later ones.
        when: the condition for showing the scene; None for always.
        line: the line in the file.
        name: the label of the scene's tick on the time line; empty for the scene's number.
    """

    say: Text
    seconds: float
    parts: tuple[str, ...] = ()
    follow: tuple[str, int] | str | None = None
    camera: str = "parts"
    lifts: bool = False
    carries: bool = False
    writes: bool = False
    swing: CellAddress | str | None = None
    amplitude: float = 0.0
    do: Changes = Changes()
    when: Check | None = None
    line: int = 1
    name: str = ""


@dataclass(frozen=True, slots=True)
class Film:
    """Scenes that play by themselves.

    Attributes:
        label: the text of the button.
        live: the expressions in the captions.
    """

    label: Text
    scenes: tuple[Scene, ...]
    live: tuple[Check, ...] = ()


# What a dare allows to change -> the possible measures of the change.
MEASURES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "parameters": ("distance", "numbers"),
        "attention": ("distance", "numbers"),
        "silences": ("silenced",),
        "training": ("steps",),
    }
)
MORE_IS_BETTER = frozenset({"silenced"})


@dataclass(frozen=True, slots=True)
class Dare:
    """A goal to reach by changing the model as little as possible.

    Attributes:
        dare: the goal as a sentence.
        goal: the check that is true when the goal is reached.
        may: what may be changed: ``parameters``, ``attention``, ``silences`` or ``training``.
        most: the maximum count of changed numbers, or of heads with changed attention; 0 for any.
        measure: how attempts are compared: by the ``distance`` or the count of the changed
            ``numbers``, the parts that are ``silenced``, or the training ``steps``.
        best: the best known measure.
        by: how that measure was found.
        shows: a sentence with live numbers about an attempt.
        attempt: fields of a saved scenario that reaches the best known measure.
    """

    dare: Text
    goal: Check
    may: str
    measure: str
    best: float
    by: str = ""
    most: int = 0
    shows: Text = ()
    live: tuple[Check, ...] = ()
    attempt: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def is_better(self, one: float, other: float) -> bool:
        """Return whether one measure is better than another."""
        return one > other if self.measure in MORE_IS_BETTER else one < other


Item = Text | Look | Play | Do | Predict | Compare | Film | Dare
TASKS = (Do, Predict)


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a lesson: its text and its directives in order.

    Attributes:
        live: the expressions in its texts.
        lines: the line of each item in the file.
    """

    title: str
    items: tuple[Item, ...]
    live: tuple[Check, ...] = ()
    lines: tuple[int, ...] = ()
    line: int = 1

    @property
    def look(self) -> Look:
        """The step's ``look`` directive, or one without effect."""
        return next((item for item in self.items if isinstance(item, Look)), Look())

    @property
    def dare(self) -> Dare | None:
        """The step's dare; None if it has none."""
        return next((item for item in self.items if isinstance(item, Dare)), None)

    @property
    def tasks(self) -> tuple[int, ...]:
        """The indices of the items that the reader does or answers."""
        return tuple(k for k, item in enumerate(self.items) if isinstance(item, TASKS))


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson.

    Attributes:
        name: the name in addresses.
        minutes: the estimated duration.
        scenario: the initial scenario.
        view: the initial view.
        show: the parts of the page that the lesson needs: ``inspector``.
        about: a sentence for the list.
        goals: what readers can do after it, one sentence each.
        level: ``beginner``, ``intermediate`` or ``advanced``; empty if not given.
        author: the author; empty if not given.
        license: the terms of use; empty if not given.
        unknown: words in the lesson's texts that the model intentionally does not know.
        picture: the picture in the list; None for one of the part that the first look shows.
        lines: the line of each field of its front matter.
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
    goals: tuple[str, ...] = ()
    level: str = ""
    author: str = ""
    license: str = ""
    unknown: tuple[str, ...] = ()
    picture: Picture | None = None
    lines: Mapping[str, int] = field(default_factory=dict)

    @property
    def dare_step(self) -> int | None:
        """The step with the dare; None for a lesson without one."""
        steps = (k for k, step in enumerate(self.steps) if step.dare is not None)
        return next(steps, None)

    @property
    def is_dare(self) -> bool:
        """Whether the lesson consists only of a dare."""
        return len(self.steps) == 1 and self.dare_step == 0
