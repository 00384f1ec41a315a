"""The file of a model that was opened, as text in a saved session."""

from __future__ import annotations

import base64
from typing import Annotated, Any, NamedTuple, TypedDict

from ..plain_data import From, Length, Sentence, WholeText, reader
from ..scenario.scenario import Scenario
from . import model_file

MAX_NUMBERS = 2_000_000  # parameters of a model that a session's file holds; more is exported
_MAX_CHARACTERS = 4 * MAX_NUMBERS * 4 // 3 + 4_000_000  # of base64, with a large vocabulary


class OpenedFile(NamedTuple):
    """A model of a file.

    Attributes:
        data: the file as plain data.
        scenario: the scenario that it opens with.
    """

    data: dict[str, Any]
    scenario: Scenario


class _File(TypedDict):
    """A model file in base64, and the name to show."""

    name: WholeText
    content: Annotated[
        bytes,
        From(
            Annotated[str, Length(0, _MAX_CHARACTERS)],
            lambda text: base64.b64decode(text, validate=True),
        ),
        Sentence("it is no base64"),
    ]


def written(scenario: Scenario) -> OpenedFile | None:
    """The file of a scenario's model; None if a file would not bring back all of the model."""
    weights, own = scenario.weights, scenario.own_vocabulary
    if weights is None or own is None or own.pieces is not None:
        return None
    if sum(array.size for array in weights.arrays.values()) > MAX_NUMBERS:
        return None
    content = model_file.save_model(
        scenario.learned_config, weights.arrays, own, seed=scenario.settings.seed
    )
    found = {"name": weights.name, "content": base64.b64encode(content).decode()}
    try:
        back = read(found)
    except ValueError:
        return None
    same = (back.weights, back.own_vocabulary, back.locked) == (weights, own, scenario.locked)
    return OpenedFile(found, back) if same else None


def read(raw: Any) -> Scenario:
    """The scenario that a file opens with.

    Raises:
        ValueError: the file is damaged or of another kind; the message is one sentence.
    """
    file: _File = reader(_File)(raw)
    return model_file.load(file["content"], Scenario(), file["name"])
