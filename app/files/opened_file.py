"""Stores the file of an opened model as text in a saved session."""

import base64
import functools
from typing import Annotated, Any, NamedTuple, TypedDict

from transformer_math import Config

from ..model.scenario.scenario import Scenario
from ..model.scenario.vocabulary import Vocabulary
from ..model.scenario.weights import Weights
from ..plain_data import From, Length, Sentence, WholeText, reader
from . import model_file

MAX_NUMBERS = 2_000_000  # parameters stored in a session's file; larger models must be exported
_MAX_CHARACTERS = 4 * MAX_NUMBERS * 4 // 3 + 4_000_000  # of base64, with a large vocabulary


class OpenedFile(NamedTuple):
    """A model from a file."""

    data: dict[str, Any]  # the file as plain data
    scenario: Scenario  # the opening scenario of the file


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
    """Return the scenario's model as a file; None if a file would restore it only in part."""
    weights, own = scenario.weights, scenario.own_vocabulary
    if weights is None or own is None or own.pieces is not None:
        return None
    if sum(array.size for array in weights.arrays.values()) > MAX_NUMBERS:
        return None
    seed = scenario.settings.seed
    found = _written(weights, weights.name, own, scenario.learned_config, seed)
    is_same = found is not None and found.scenario.locked == scenario.locked
    return found if is_same else None


@functools.lru_cache(maxsize=4)  # a tab saves its session after every edit
def _written(
    weights: Weights, name: str, own: Vocabulary, config: Config, seed: int
) -> OpenedFile | None:
    content = model_file.save_model(config, weights.arrays, own, seed=seed)
    found = {"name": name, "content": base64.b64encode(content).decode()}
    try:
        back = read(found)
    except ValueError:
        return None
    is_same = (back.weights, back.own_vocabulary) == (weights, own)
    return OpenedFile(found, back) if is_same else None


def read(raw: Any) -> Scenario:
    """Return the opening scenario of a file; ``ValueError`` if it is damaged or unsupported."""
    file: _File = reader(_File)(raw)
    return model_file.load(file["content"], Scenario(), file["name"])
