"""Declares the parts of a lesson as immutable objects."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from types import MappingProxyType
from typing import Annotated, Any, TypedDict, TypeVar

from ..model.matrices.address import CellAddress
from ..model.scenario.scenario import Scenario
from ..plain_data import UNREAD, From, Length, OneOf, Sentence, Within
from ..plain_data import fields as fields_of
from .expressions import Check
from .field_types import (
    Area,
    Cell,
    CellOrRole,
    Choices,
    Covered,
    Expression,
    Followed,
    FollowedOrRole,
    Marked,
    MaybeExpression,
    MaybeMarked,
    Parts,
    Path,
    Plane,
    Positive,
    View,
    Words,
    cell,
)
from .field_types import Text as Text

T = TypeVar("T")
MAX_TRAINED = 1_000  # training steps; the reader waits for them
MAX_SCENES = 40  # of a film
MAX_SCENE_NAME = 30  # characters beside the time of a film
MAX_CHANGED = 10_000  # numbers or heads that a dare may allow
DRAWINGS = ("rows", "ribbons", "bars", "points")


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
        target: the text that the decoder has generated so far, as typed; empty for no change.
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


def _set(numbers: dict[str, float]) -> tuple[tuple[CellAddress, float], ...]:
    return tuple((cell(written), number) for written, number in numbers.items())


class ChangesOfStep(TypedDict, total=False):
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


class _ChangesLater(ChangesOfStep, total=False):
    """Changes made after an answer, or by a comparison."""

    swings: bool


class _ChangesShown(_ChangesLater, total=False):
    """Changes that demonstrate a task."""

    train: Annotated[int, Within(1, MAX_TRAINED)]


def changes_of(data: Mapping[str, Any]) -> Changes:
    """Return the changes in a directive; its other fields are ignored."""
    found = {name: data[name] for name in fields_of(_ChangesShown) if name in data}
    cells = found.pop("set", ())
    settings = tuple(found.pop("settings", {}).items())
    return Changes(**found, cells=cells, settings=settings)


def _group_of_changes(data: Mapping[str, Any]) -> Changes:
    if not data:
        raise ValueError("it is a group of changes")
    return changes_of(data)


_AfterStep = Annotated[Changes, From(ChangesOfStep, _group_of_changes)]
_Later = Annotated[Changes, From(_ChangesLater, _group_of_changes)]
_Shown = Annotated[Changes, From(_ChangesShown, _group_of_changes)]


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
    cells: tuple[Area, ...] = ()
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

    draw: Annotated[str, OneOf(DRAWINGS), Sentence(f"{{}} is none of {', '.join(DRAWINGS)}")]
    of: Parts
    step: Annotated[int, Within(0, 59)] = 0
    row: Annotated[int | None, From(Annotated[int, Within(0, 10_000)], int)] = None


@dataclass(frozen=True, slots=True)
class Play:
    """A number that oscillates, or a word that is followed through parts of the picture."""

    label: MaybeMarked = ()
    cell: Cell = None
    amplitude: Positive = 2.0
    follow: Followed = None
    parts: Parts = ()


@dataclass(frozen=True, slots=True)
class Hint:
    """A hint after a wrong answer, shown if its condition is true; None for always."""

    when: MaybeExpression
    say: Marked


@dataclass(frozen=True, slots=True)
class Do:
    """A task, which is done when a check is true.

    Attributes:
        do: the task in words.
        until: the check.
        show: changes that do the task, for readers who give up.
        hints: the hints with a condition, in order; after parsing, the default ``hint`` is last.
    """

    do: Marked
    until: Expression
    show: _Shown
    hint: MaybeMarked = ()
    hints: tuple[Hint, ...] = ()
    because: MaybeMarked = ()


@dataclass(frozen=True, slots=True)
class Predict:
    """A question whose answer the reader predicts before it is shown.

    Attributes:
        ask: the question.
        answer: the correct answer: a number, the index of a choice, or the column of a cell.
        tolerance: the accepted deviation of a number.
        choices: the choices, as texts or as a check that returns tokens; empty for a number.
        matrix: the matrix in which the reader clicks a cell, in the row ``row``.
        then: changes made after the answer; the correct answer is computed after them.
        because: the explanation shown after the answer.
        hints: see `Do`.
        cover: rectangles to hide until the question is answered; None for the cell from which the
            answer is read, if it is a single cell.
    """

    ask: Marked
    answer: Expression
    tolerance: Positive = 0.0
    choices: Choices = ()
    matrix: Path = ""
    row: MaybeExpression = None
    then: _Later = Changes()
    because: MaybeMarked = ()
    hint: MaybeMarked = ()
    hints: tuple[Hint, ...] = ()
    cover: Covered = None

    @property
    def kind(self) -> str:
        """The kind of the answer: ``cell``, ``choice`` or ``number``."""
        return "cell" if self.matrix else "choice" if self.choices else "number"


@dataclass(frozen=True, slots=True)
class Compare:
    """Two states of the page, before and after, to switch between."""

    before: MaybeMarked = field(default=(), kw_only=True)
    after: MaybeMarked = field(default=(), kw_only=True)
    change: _Later


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
        writes: whether the likeliest words are compared, and the written word is typed.
        swing: the number that oscillates; ``read`` for the number of the read word that changes
            the written word most easily.
        amplitude: the amplitude of the oscillation; 0 for an amplitude that the page chooses.
        do: changes for this scene and all later ones.
        when: the condition for showing the scene; None for always.
        name: the label of the scene's tick on the time line; empty for the scene's number.
    """

    say: Marked
    seconds: Annotated[float, Within(1, 60), Sentence("a scene lasts 1 to 60 seconds, not {}")]
    parts: Parts = ()
    follow: FollowedOrRole = None
    camera: Annotated[str, OneOf(("all", "parts", "row"))] = ""
    lifts: bool = False
    carries: bool = False
    writes: bool = False
    swing: CellOrRole = None
    amplitude: Annotated[float, Within(0.01, 10)] = 0.0
    do: _AfterStep = Changes()
    when: MaybeExpression = None
    name: Annotated[
        str,
        Length(1, MAX_SCENE_NAME),
        Sentence(f"the name of a scene has 1 to {MAX_SCENE_NAME} characters"),
    ] = ""


@dataclass(frozen=True, slots=True)
class Film:
    """Scenes that play automatically.

    Attributes:
        label: the text of the button.
        live: the expressions in the captions.
    """

    label: MaybeMarked = field(default=(), kw_only=True)
    scenes: Annotated[
        tuple[Scene, ...],
        Length(1, MAX_SCENES),
        Sentence(f"it is a list of 1 to {MAX_SCENES} scenes"),
    ]
    live: tuple[Check, ...] = field(default=(), metadata=UNREAD)


# The kind of change that a dare allows -> the possible measures of the change.
MEASURES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "parameters": ("distance", "numbers"),
        "attention": ("distance", "numbers"),
        "silences": ("silenced",),
        "training": ("steps",),
    }
)
_MEASURED = tuple(dict.fromkeys(x for each in MEASURES.values() for x in each))
MORE_IS_BETTER = frozenset({"silenced"})


@dataclass(frozen=True, slots=True)
class Dare:
    """A goal to reach by changing the model as little as possible.

    Attributes:
        dare: the goal as a sentence.
        goal: the check that is true when the goal is reached.
        may: the kind of change: ``parameters``, ``attention``, ``silences`` or ``training``.
        most: the maximum count of changed numbers, or of heads with changed attention; 0 for any.
        measure: the measure of an attempt: the ``distance`` or the count of the changed
            ``numbers``, the parts that are ``silenced``, or the training ``steps``.
        best: the best known measure.
        by: the method that found this measure.
        shows: a sentence with live numbers about an attempt.
        attempt: fields of a saved scenario that reaches the best known measure.
    """

    dare: Marked
    goal: Expression
    may: Annotated[str, OneOf(tuple(MEASURES)), Sentence(f"it is one of {', '.join(MEASURES)}")]
    most: Annotated[int, Within(1, MAX_CHANGED)] = field(default=0, kw_only=True)
    measure: Annotated[str, OneOf(_MEASURED), Sentence(f"it is one of {', '.join(_MEASURED)}")]
    best: Positive
    by: Words = ""
    shows: MaybeMarked = ()
    live: tuple[Check, ...] = field(default=(), metadata=UNREAD)
    attempt: dict[str, object] = field(default_factory=dict, hash=False)

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
        """The step's ``look`` directive, or a directive without effect."""
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
        goals: the goals for the reader, one sentence each.
        level: ``beginner``, ``intermediate`` or ``advanced``; empty if not given.
        author: the author; empty if not given.
        license: the terms of use; empty if not given.
        unknown: words in the lesson's texts that the model intentionally does not know.
        picture: the picture in the list; None to draw the part that the first look shows.
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
        """The step with the dare; None for a lesson without a dare."""
        steps = (k for k, step in enumerate(self.steps) if step.dare is not None)
        return next(steps, None)

    @property
    def is_dare(self) -> bool:
        """Whether the lesson consists only of a dare."""
        return len(self.steps) == 1 and self.dare_step == 0
