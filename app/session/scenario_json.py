"""Writes a scenario as plain data and reads it back; see `session_json`.

Only differences from the model's opening scenario are written.
"""

import dataclasses
import functools
from functools import partial
from typing import Annotated, Any, Literal, NotRequired, TypedDict

import numpy as np

from transformer_math.checks import MAX_SEED

from ..files import catalog, opened_file, packed_weights
from ..model.scenario import model_names
from ..model.scenario.choices import TrainingChoices
from ..model.scenario.edited_choices import checked_value
from ..model.scenario.edits import NO_EDITS, TOKEN_AXIS, Edit, Edits, frozen
from ..model.scenario.limits import MAX_EDITS, MAX_KEPT_NUMBERS, MAX_TOKEN_LENGTH, MAX_TOKENS
from ..model.scenario.scenario import Scenario
from ..model.scenario.silences import MAX_SILENCES, Silence, Silences, checked
from ..model.scenario.tokens import checked_tokens
from ..model.scenario.training_data import TrainingData
from ..plain_data import (
    Length,
    Long,
    PlainDataError,
    Sentence,
    Then,
    WholeText,
    Within,
    brief,
    read,
    read_field,
    reader,
    whole,
)
from ..typed_text import isolated

MAX_STEPS = 5_000


def _tokens(tokens: tuple[str, ...]) -> tuple[str, ...]:
    return checked_tokens(tokens, "list")


def _word(token: str) -> str:
    return _tokens((token,))[0]


def _few_enough(cells: dict[str, list[object]]) -> dict[str, list[object]]:
    if sum(map(len, cells.values())) > MAX_EDITS:
        raise ValueError(f"there can be at most {MAX_EDITS:,} edits")
    return cells


Index = Annotated[int, Within(0, 1 << 20)]
_Tokens = Annotated[tuple[str, ...], Sentence("it is not a list of tokens"), Then(_tokens)]
_Word = Annotated[str, Sentence("{} is no word"), Then(_word)]
_TokenOfCell = Annotated[WholeText, Length(0, MAX_TOKEN_LENGTH), Sentence("{} is no word")]
_CellsOfOne = Annotated[
    list[object],
    Length(0, MAX_EDITS),
    Sentence(f"it is not a list of at most {MAX_EDITS:,} edits"),
]
# Matrix -> list of cells; each cell is one index per axis of the matrix, followed by its value.
_Cells = Annotated[
    dict[str, _CellsOfOne],
    Sentence("it is not a list of cells for each matrix"),
    Then(_few_enough),
]


class _Pairs(TypedDict):
    """The user's own training pairs or texts, and whether tokens are characters or words."""

    text: Long
    unit: Literal["character", "word"]
    learned: NotRequired[Literal["own-next-word", "own-blanks"]]
    given: NotRequired[bool]


class _Silence(TypedDict):
    """A silenced part; without a row (or column) every row (or column) is silenced."""

    path: WholeText
    row: NotRequired[Index | None]
    column: NotRequired[Index | None]
    to: str


class _TrainedWith(TypedDict):
    """The choices that the weights were trained with; see `_trained_with`."""

    settings: object
    recipe: object
    training: bool


_SETTINGS = ("settings", "recipe", "view", "descent")
# The fields of a scenario that are saved by their values, with their types; settings have a reader
# of their own.
_SAVED: dict[str, Any] = {
    **dict.fromkeys(("source", "target", "answers"), _Tokens),
    **dict.fromkeys(_SETTINGS),
    "expected": _Word,
    "training": bool,
    "mask_seed": Annotated[int, Within(0, MAX_SEED)],
    "keep_masks": bool,
    "writes_itself": bool,
    "descents": Annotated[int, Within(0, MAX_STEPS)],
}
# All fields of a saved scenario.
FIELDS = (
    *("model", "file", "opened", "pairs", "trained", "trained_with", "weights"),
    *(*_SAVED, "edits", "silenced"),
)

# -- writing ------------------------------------------------------------------------------------


def scenario_to_dict(
    scenario: Scenario,
    *,
    with_weights: bool,
    with_file: bool = False,
    most: int = MAX_KEPT_NUMBERS,
) -> dict[str, Any]:
    """Return the differences between a scenario and the model's opening scenario; see `to_dict`."""
    is_file = scenario.model == model_names.FILE
    file = opened_file.written(scenario) if is_file and with_file else None
    default = _default(scenario) if file is None else file.scenario
    data: dict[str, Any] = {} if file is None else {"file": file.data}
    training = _training(scenario, default, most if with_weights else 0)
    if "trained" in training and "weights" not in training:
        scenario = scenario.as_trained  # only that training reproduces the weights
    if scenario.model != model_names.SANDBOX:
        data["model"] = scenario.model
    if is_file and file is None and scenario.weights is not None:
        data["opened"] = scenario.weights.name  # to name the file that must be opened again
    for name in _SAVED:
        value, usual = getattr(scenario, name), getattr(default, name)
        # A target that the model generates follows from everything else.
        if value != usual and not (name == "target" and scenario.writes_itself):
            is_tuple = isinstance(value, tuple)
            data[name] = (
                value.to_dict(usual) if name in _SETTINGS else [*value] if is_tuple else value
            )
    return data | training | _set_in_the_pass(scenario)


def _set_in_the_pass(scenario: Scenario) -> dict[str, Any]:
    """Return the edited cells and silenced parts, if there are any."""
    edits: dict[str, list[Any]] = {}
    for edit, value in scenario.edits.items():
        edits.setdefault(edit.path, []).append([*edit.place, _shortest(value)])
    found = {"edits": edits, "silenced": [_silence(each) for each in scenario.silences]}
    return {name: value for name, value in found.items() if value}


def _silence(silence: Silence) -> dict[str, Any]:
    return {name: value for name, value in silence._asdict().items() if value is not None}


def _training(scenario: Scenario, default: Scenario, most: int) -> dict[str, Any]:
    """Return the user's own data, the number of training steps, and the weights, if included."""
    found: dict[str, Any] = {}
    if scenario.model == model_names.OWN and scenario.data is not None:
        data = scenario.data
        found["pairs"] = {"text": data.text, "unit": data.unit}
        if data.name != "own":
            found["pairs"]["learned"] = data.name
        if data.given is not None:
            found["pairs"]["given"] = True
    came = scenario.weights, scenario.steps_taken
    is_trained = scenario.data is not None and came != (default.weights, default.steps_taken)
    if is_trained:
        found["trained"] = scenario.steps_taken
    # Weights after gradient steps are not reproducible by training, so a link includes them.
    if scenario.descents or is_trained:
        numbers = packed_weights.packed(scenario, MAX_KEPT_NUMBERS if scenario.descents else most)
        if numbers is not None:
            found["weights"] = numbers
            found |= _trained_with(scenario)
    return found


def _trained_with(scenario: Scenario) -> dict[str, Any]:
    """Return the choices of the weights' training that differ from the present choices."""
    was = scenario.trained_with
    if was is None:
        return {}
    settings = was.settings.to_dict(scenario.settings)
    recipe = was.recipe.to_dict(scenario.recipe)
    return {"trained_with": {"settings": settings, "recipe": recipe, "training": was.training}}


def _default(scenario: Scenario) -> Scenario:
    """Return the model's opening scenario; only the differences from it are saved."""
    if scenario.model == model_names.OWN:
        return catalog.bare(scenario.data)
    return Scenario() if scenario.model == model_names.FILE else catalog.first(scenario.model)


@functools.lru_cache(maxsize=1 << 15)  # a session and its undo steps repeat the same edits
def _shortest(value: float) -> float | int:
    """Return the shortest decimal with the same float32, the precision of the forward pass."""
    short = float(f"{value:.6g}")
    if short != value:  # float32 keeps six digits, which are faster to find than the shortest text
        short = float(str(np.float32(value)))
    return int(short) if short.is_integer() else short


# -- reading ------------------------------------------------------------------------------------


def scenario_from(data: Any) -> Scenario:
    """Parse what `scenario_to_dict` wrote; ``ValueError`` names an invalid field."""
    if not isinstance(data, dict):
        raise PlainDataError("it is not a group of fields")
    check_names(data, set(FIELDS))
    cells = read_field("edits", reader(_Cells | None), data.get("edits"))  # before slow parts
    name = data.get("model", model_names.SANDBOX)
    if name == model_names.OWN:
        default = read_field("pairs", _read_pairs, data.get("pairs"))
    elif name == model_names.FILE and "file" in data:
        default = read_field("file", opened_file.read, data["file"])
    elif name == model_names.FILE:
        file = read_field("opened", reader(WholeText), data.get("opened", "")) or "it came from"
        raise ValueError(
            f"The numbers of its model are only in the file {isolated(file)}, which this tab "
            "could not keep. Open that file again."
        )
    else:
        default = read_field("model", _read_model, name)
    scenario = dataclasses.replace(default, **_changes(default, data)).after_choices_of(default)
    scenario = _trained(scenario, data)
    read_field("settings", lambda _: _check_sizes(scenario, default), None)
    for side in ("source", "target"):
        read_field(side, partial(scenario.with_tokens, side), getattr(scenario, side))
    read_field("writes_itself", scenario.with_writing, scenario.writes_itself)
    if "weights" in data:
        numbers = read_field("weights", partial(packed_weights.unpacked, scenario), data["weights"])
        scenario = dataclasses.replace(scenario, weights=numbers)
        if "trained_with" in data:
            was = read_field(
                "trained_with", partial(_read_trained_with, scenario), data["trained_with"]
            )
            scenario = dataclasses.replace(scenario, trained_with=was)
    elif scenario.descents:
        raise ValueError("the weights after its gradient steps are missing")
    edits = read_field("edits", partial(_edits, scenario), cells or {})
    silences = read_field("silenced", partial(_silences, scenario), data.get("silenced", []))
    return dataclasses.replace(scenario, edits=edits, silences=silences)


def check_names(data: dict[str, Any], known: set[str]) -> None:
    """Raise ``PlainDataError`` if the data have a field with another name."""
    for name in data:
        if name not in known:
            raise PlainDataError(f"it has a field {brief(name)} that this page does not know")


def _changes(default: Scenario, data: dict[str, Any]) -> dict[str, Any]:
    """Return fields that differ from the model's opening scenario, each parsed separately."""
    changes: dict[str, Any] = {}
    for name, raw in data.items():
        if name in _SETTINGS:
            changes[name] = read_field(name, getattr(default, name).from_dict, raw)
        elif name in _SAVED:
            changes[name] = read_field(name, reader(_SAVED[name]), raw)
    # Old sessions, from before models could generate, lack this field; their target is kept.
    if "target" in data and "writes_itself" not in data:
        changes["writes_itself"] = False
    return changes


def _trained(scenario: Scenario, data: dict[str, Any]) -> Scenario:
    """Restore the number of training steps, and discard weights that do not fit the settings."""
    if "trained" in data:
        steps = read_field("trained", partial(_read_steps, scenario), data["trained"])
        scenario = _without_weights(scenario, steps)
    weights = scenario.weights
    if weights and not scenario.locked.why and weights.mismatches(scenario.config):
        scenario = _without_weights(scenario, 0)
    return scenario


def _without_weights(scenario: Scenario, steps: int) -> Scenario:
    """Return the scenario without weights, and with this number of training steps."""
    return dataclasses.replace(scenario, weights=None, steps_taken=steps, trained_with=None)


def _read_trained_with(scenario: Scenario, raw: Any) -> TrainingChoices | None:
    """Return the choices of a training run, provided that its weights fit the scenario."""
    parts: _TrainedWith = read(_TrainedWith, raw)
    settings = read_field("settings", scenario.settings.from_dict, parts["settings"])
    recipe = read_field("recipe", scenario.recipe.from_dict, parts["recipe"])
    was = TrainingChoices(settings, recipe, parts["training"])
    trained = dataclasses.replace(scenario, **was._asdict())
    if trained.config.parameter_shapes() != scenario.config.parameter_shapes():
        raise ValueError("the weights have other sizes")
    return None if was == scenario.choices else was


def _read_model(raw: Any) -> Scenario:
    if raw == model_names.SERVED and catalog.served() is None:
        raise ValueError("it is the model of a different server")
    if raw not in (*model_names.NAMES, model_names.SERVED):
        raise ValueError(f"there is no model called {brief(raw)}")
    return catalog.first(raw)


def _read_pairs(raw: Any) -> Scenario:
    pairs: _Pairs = reader(Annotated[_Pairs, Sentence("they are not a text and its unit")])(raw)
    if pairs.get("given"):
        raise ValueError(
            "a program gave the data of this model, and a link or a tab does not keep them"
        )
    data = TrainingData(pairs.get("learned") or "own", pairs["text"], pairs["unit"])
    return catalog.of_pairs(data)


def _read_steps(scenario: Scenario, raw: Any) -> int:
    if scenario.data is None:
        raise ValueError("this model is not trained here")
    return whole(0, MAX_STEPS)(raw)


def _check_sizes(scenario: Scenario, default: Scenario) -> None:
    """Check that the settings are consistent and do not change sizes that are fixed."""
    config = scenario.config
    same_words = dataclasses.replace(
        default, source=scenario.source, target=scenario.target, answers=scenario.answers
    )
    if default.locked.why and config.parameter_shapes() != same_words.config.parameter_shapes():
        raise ValueError(default.locked.why)


def _edits(scenario: Scenario, cells_of: dict[str, list[object]]) -> Edits:
    if not cells_of:
        return NO_EDITS
    found = {}
    for path, cells in cells_of.items():
        shape = scenario.shape(path)
        if shape is None:
            raise ValueError(f"there is no matrix {brief(path)} to be edited")
        words = TOKEN_AXIS.get(path.rpartition(".")[2])
        # An edit at a position beyond the current text is kept; it applies once the text is long
        # enough.
        axes = [
            reader(_TokenOfCell) if axis == words else whole(0, max(size, MAX_TOKENS) - 1)
            for axis, size in enumerate(shape)
        ]
        for cell in cells:
            if not isinstance(cell, list) or len(cell) != len(shape) + 1:
                raise ValueError(f"{brief(cell)} is no cell of {path}")
            *place, value = cell
            at = tuple(read_axis(each) for read_axis, each in zip(axes, place, strict=True))
            found[Edit(path, at)] = checked_value(read(float, value))
    return frozen(found)


def _silences(scenario: Scenario, raw: Any) -> Silences:
    parts = read(list[_Silence], raw)
    if len(parts) > MAX_SILENCES:
        raise ValueError(f"there can be at most {MAX_SILENCES} parts")
    found: dict[object, Silence] = {}
    for part in parts:
        silence = Silence(**part)
        found[silence.part] = checked(silence, scenario.part_shape(silence.path))
    return tuple(found.values())
