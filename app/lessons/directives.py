"""Declares the fields of a lesson's front matter, and the directives by name."""

from collections.abc import Mapping
from typing import Annotated, Any, NotRequired, TypedDict

from ..plain_data import Length, OneOf, Sentence, Within
from .field_types import Parts, Path, Rectangles, Title, View, Words
from .format import ChangesOfStep, Compare, Dare, Do, Film, Picture, Play, Predict

LEVELS = ("beginner", "intermediate", "advanced")
MAX_GOALS = 6
SHOWN = ("inspector",)


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
    picture: NotRequired[Picture]
    scenario: object
    view: NotRequired[View]
    show: NotRequired[
        Annotated[
            tuple[Annotated[str, OneOf(SHOWN)], ...],
            Sentence(f"it is a list of {', '.join(SHOWN)}"),
        ]
    ]


class LookData(ChangesOfStep, total=False):
    """The fields of `Look`."""

    part: Path
    cells: Rectangles
    unfold: Parts
    keep: bool


# The directives by name, each with the type that declares its fields.
DIRECTIVES: Mapping[str, type[Any]] = {
    "look": LookData,
    "play": Play,
    "do": Do,
    "predict": Predict,
    "compare": Compare,
    "film": Film,
    "dare": Dare,
}
