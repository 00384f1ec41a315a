"""Writes sessions and scenarios as plain data and reads them back, for links, files and scripts.

Only differences from the default are written. Reading checks every field and reports the first
wrong one, so a link cannot contain values that are out of range.
"""

from __future__ import annotations

import dataclasses
import functools
import json
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, TypedDict

import numpy as np

from transformer_math.checks import MAX_SEED

from ..decoding.settings import DecodingSettings
from ..files import catalog, opened_file, packed_weights
from ..ideas.settings import IdeaSettings
from ..model.matrices.attention import AttentionFocus
from ..model.matrices.extent import ALL_HEADS, LayerChoice
from ..model.scenario import model_names
from ..model.scenario.choices import TrainingChoices
from ..model.scenario.descent_settings import DescentSettings
from ..model.scenario.edited_choices import checked_value
from ..model.scenario.edits import NO_EDITS, TOKEN_AXIS, Edit, Edits, frozen
from ..model.scenario.limits import MAX_EDITS, MAX_KEPT_NUMBERS, MAX_TOKEN_LENGTH, MAX_TOKENS
from ..model.scenario.moments import Moments
from ..model.scenario.run_curves import RunCurves
from ..model.scenario.scenario import Scenario
from ..model.scenario.silences import MAX_SILENCES, Silence, Silences, checked
from ..model.scenario.tokens import checked_tokens
from ..model.scenario.training_checksum import SUMS, TrainingChecksum
from ..model.scenario.training_data import TrainingData
from ..model.scenario.view_settings import ViewSettings
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
from ..view_model.page_location import PageLocation, location_from
from .lesson_progress import LessonProgress, lesson_progress_from

VERSION = 1
MAX_STEPS = 5_000
MAX_POINTS = 2_000  # of a curve

Selected = tuple[str, int, int]


class SavedSession(NamedTuple):
    """All parts of a session that are saved; the fields have the names that they have in JSON."""

    scenario: Scenario
    selection: Selected | None = None
    baseline: Scenario | None = None
    attention: AttentionFocus | None = None
    place: PageLocation = PageLocation()
    layers: LayerChoice = LayerChoice()
    decode: DecodingSettings = DecodingSettings()
    ideas: IdeaSettings = IdeaSettings()
    lesson: LessonProgress = LessonProgress()
    before: SavedSession | None = None  # the session before the open lesson began
    moments: Moments | None = None  # optimizer moments of the training that produced the weights
    curves: RunCurves | None = None  # of that training
    checksum: TrainingChecksum | None = None  # of the weights that the training should produce

    def for_others(self) -> SavedSession:
        """Return the session without the lesson tasks that the user completed."""
        open_step = LessonProgress(self.lesson.name, self.lesson.step)
        return self._replace(lesson=open_step, before=None)


# -- declarations of the parts ------------------------------------------------------------------


def _tokens(tokens: tuple[str, ...]) -> tuple[str, ...]:
    return checked_tokens(tokens, "list")


def _word(token: str) -> str:
    return _tokens((token,))[0]


def _few_enough(cells: dict[str, list[object]]) -> dict[str, list[object]]:
    if sum(map(len, cells.values())) > MAX_EDITS:
        raise ValueError(f"there can be at most {MAX_EDITS:,} edits")
    return cells


_Index = Annotated[int, Within(0, 1 << 20)]
_Layer = Annotated[int, Within(ALL_HEADS, 1 << 20)]
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
_Selection = Annotated[
    tuple[WholeText, _Index, _Index], Sentence("it is not a path, a row and a column")
]
_Attention = Annotated[
    tuple[WholeText, _Index, _Index, _Index],
    Sentence("it is not an attention, a head and two positions"),
    Then(lambda parts: AttentionFocus(*parts)),
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
    row: NotRequired[_Index | None]
    column: NotRequired[_Index | None]
    to: str


_Steps = Annotated[tuple[Annotated[int, Within(0, MAX_STEPS)], ...], Length(0, MAX_POINTS)]
_Numbers = Annotated[tuple[Annotated[float, Within(0, 1e9)], ...], Length(0, MAX_POINTS)]
_Percent = tuple[Annotated[int, Within(0, MAX_STEPS)], Annotated[float, Within(0, 100)]]


class _Curves(TypedDict):
    """The curves of a training; see `RunCurves`."""

    step: _Steps
    loss: _Numbers
    rate: _Numbers
    norm: _Numbers
    right: Annotated[tuple[_Percent, ...], Length(0, MAX_POINTS)]


def _curves_from(parts: _Curves) -> RunCurves:
    found = RunCurves(**parts)
    if len({len(each) for each in (found.step, found.loss, found.rate, found.norm)}) > 1:
        raise ValueError("its curves are not equally long")
    if list(found.step) != sorted(set(found.step)):
        raise ValueError("its steps are not in order")
    return found


class _TrainedWith(TypedDict):
    """The choices that the weights were trained with; see `_trained_with`."""

    settings: object
    recipe: object
    training: bool


class _Checksum(TypedDict):
    """The checksum of trained weights; see `TrainingChecksum`."""

    step: Annotated[int, Within(1, MAX_STEPS)]
    sums: Annotated[tuple[float, ...], Length(SUMS, SUMS)]


class _Layers(TypedDict, total=False):
    """The drawn layers, head and tokens; see `LayerChoice`."""

    encoder: _Layer
    decoder: _Layer
    head: _Layer
    encoder_token: _Layer
    decoder_token: _Layer


# Created once, because settings are immutable and slow to create.
_DECODING, _IDEAS = DecodingSettings(), IdeaSettings()

# -- writing ------------------------------------------------------------------------------------


def to_dict(
    saved: SavedSession,
    *,
    with_weights: bool = False,
    with_file: bool = False,
    most: int = MAX_KEPT_NUMBERS,
) -> dict[str, Any]:
    """Convert a session to dicts, lists, numbers and text.

    A model is written as its name and its differences from its opening scenario. A model that was
    trained here is written as the training that reproduces it, without later choices; a model that
    has taken gradient steps is written with its weights. A baseline with the same file as the
    scenario is written without the file.

    Args:
        with_weights: whether to include trained weights as well, if there are at most ``most``.
        with_file: whether to include the file of a model that was opened from a file.
    """
    write = partial(scenario_to_dict, with_weights=with_weights, with_file=with_file, most=most)
    data = {"version": VERSION, **write(saved.scenario)}
    if "weights" in data and saved.moments is not None:
        data["moments"] = packed_weights.packed_moments(saved.moments)
    if "weights" in data and saved.curves is not None:
        lists = {name: list(each) for name, each in saved.curves._asdict().items()}
        data["curves"] = lists | {"right": [list(point) for point in saved.curves.right]}
    if saved.selection:
        data["selection"] = list(saved.selection)
    if saved.baseline is not None:
        baseline = write(saved.baseline)
        needs = saved.baseline.model == model_names.FILE or baseline.get("trained")
        if "weights" in baseline or "file" in baseline or not needs:
            if baseline.get("file") == data.get("file"):
                baseline.pop("file", None)
            data["baseline"] = baseline
    if saved.attention is not None:
        data["attention"] = list(saved.attention)
    others = {
        "place": saved.place.to_dict(),
        "layers": _other_layers(saved.layers),
        "decode": saved.decode.to_dict(_DECODING),
        "ideas": saved.ideas.to_dict(_IDEAS),
        "lesson": saved.lesson.to_dict(),
        "checksum": _checksum(saved, data),
    }
    found = data | {name: value for name, value in others.items() if value}
    before = saved.before
    if with_weights and before is not None and before.scenario.model != model_names.FILE:
        found["before"] = to_dict(before, with_weights=True, most=most)
    return found


def _checksum(saved: SavedSession, data: dict[str, Any]) -> dict[str, Any]:
    """Return the checksum of the trained weights that are omitted or still to be trained."""
    scenario, found = saved.scenario, saved.checksum
    if not data.get("trained"):
        return {}
    if scenario.weights is not None and "weights" not in data:
        found = TrainingChecksum.of(scenario.weights, scenario.steps_taken)
    return {} if found is None else {"step": found.step, "sums": list(found.sums)}


def _other_layers(layers: LayerChoice) -> dict[str, int]:
    first = LayerChoice()._asdict()
    return {name: k for name, k in layers._asdict().items() if k != first[name]}


def to_json(
    saved: SavedSession, *, with_weights: bool = False, most: int = MAX_KEPT_NUMBERS
) -> str:
    """Serialize a session to JSON; see `to_dict`."""
    return json_text(to_dict(saved, with_weights=with_weights, most=most))


def json_text(data: Any) -> str:
    """Write plain data as JSON, as short as possible."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


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
    # A target that the model generates follows from everything else.
    texts = ("source", "answers") if scenario.writes_itself else ("source", "target", "answers")
    for name in texts:
        if getattr(scenario, name) != getattr(default, name):
            data[name] = list(getattr(scenario, name))
    for name in ("settings", "recipe", "view", "descent"):
        changed = getattr(scenario, name).to_dict(getattr(default, name))
        if changed:
            data[name] = changed
    plain = ("expected", "training", "mask_seed", "keep_masks", "writes_itself", "descents")
    for name in plain:
        if getattr(scenario, name) != getattr(default, name):
            data[name] = getattr(scenario, name)
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
    if short != value:  # six digits survive float32, and are faster to find than the shortest
        short = float(str(np.float32(value)))
    return int(short) if short.is_integer() else short


# -- reading ------------------------------------------------------------------------------------


def from_dict(data: Any) -> SavedSession:
    """Parse a session from plain data; ``ValueError`` names an invalid field in one sentence."""
    saved, problems = read_parts(data)
    for problem in problems.values():
        raise problem
    return saved


def read_parts(data: Any) -> tuple[SavedSession, dict[str, Exception]]:
    """Parse as much of a session from plain data as possible; each part is read once.

    Return the session, and by name the exception for each invalid part, which is left out. Raise
    ``ValueError`` if the scenario itself is invalid.
    """
    if not isinstance(data, dict):
        raise ValueError("It holds no scenario.")
    version = data.get("version")
    if version != VERSION:
        raise ValueError(f"Its version is {brief(version)}, and this page reads version {VERSION}.")
    _check_names(data, {"version", *PARTS, *_FIELDS})
    scenario = scenario_from({k: v for k, v in data.items() if k in _FIELDS})
    readers: dict[str, Callable[[Any], Any]] = {
        "selection": reader(_Selection | None),
        "baseline": partial(_read_baseline, scenario, data.get("file")),
        "attention": reader(_Attention | None),
        "place": location_from,
        "layers": reader(Annotated[_Layers, Then(lambda layers: LayerChoice(**layers))]),
        "decode": DecodingSettings().from_dict,
        "ideas": IdeaSettings().from_dict,
        "lesson": lesson_progress_from,
        "before": _read_before,
        "moments": partial(_read_moments, scenario),
        "curves": reader(Annotated[_Curves, Then(_curves_from)] | None),
        "checksum": partial(_read_checksum, scenario),
    }
    found: dict[str, Any] = {}
    problems: dict[str, Exception] = {}
    for name in PARTS:
        if name in data:
            try:
                found[name] = read_field(name, readers[name], data[name])
            except Exception as problem:  # callers that need the whole session raise it again
                problems[name] = problem
    return SavedSession(scenario, **found), problems


def from_json(written: str) -> SavedSession:
    """Parse a session from JSON; ``ValueError`` as for ``from_dict``, or if it is not JSON."""
    return from_dict(parsed(written))


def parsed(written: str) -> Any:
    """Parse JSON into plain data, which ``from_dict`` then validates; else ``ValueError``."""
    try:
        return json.loads(written, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise ValueError("It is damaged: the text inside is not complete.") from None


def scenario_from(data: Any) -> Scenario:
    """Parse what `scenario_to_dict` wrote; ``ValueError`` names an invalid field."""
    if not isinstance(data, dict):
        raise PlainDataError("it is not a group of fields")
    _check_names(data, set(_FIELDS))
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


def _check_names(data: dict[str, Any], known: set[str]) -> None:
    for name in data:
        if name not in known:
            raise PlainDataError(f"it has a field {brief(name)} that this page does not know")


def _changes(default: Scenario, data: dict[str, Any]) -> dict[str, Any]:
    """Return fields that differ from the model's opening scenario, each parsed separately."""
    changes: dict[str, Any] = {}
    for name, raw in data.items():
        if name in _READERS:
            changes[name] = read_field(name, _READERS[name], raw)
    for name in ("settings", "recipe"):
        if name in data:
            changes[name] = read_field(name, getattr(default, name).from_dict, data[name])
    # Sessions saved before models could generate do not record who wrote the target; it is kept.
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
    """Return the choices of a training, provided that its weights fit the scenario."""
    parts: _TrainedWith = read(_TrainedWith, raw)
    settings = read_field("settings", scenario.settings.from_dict, parts["settings"])
    recipe = read_field("recipe", scenario.recipe.from_dict, parts["recipe"])
    was = TrainingChoices(settings, recipe, parts["training"])
    trained = dataclasses.replace(scenario, **was._asdict())
    if trained.config.parameter_shapes() != scenario.config.parameter_shapes():
        raise ValueError("the weights have other sizes")
    return None if was == scenario.choices else was


def _read_baseline(scenario: Scenario, file: Any, raw: Any) -> Scenario | None:
    if raw is None:
        return None
    if file is not None and isinstance(raw, dict):
        raw = {"file": file, **raw}  # the baseline's own file takes precedence
    baseline = scenario_from(raw)
    if baseline.model != scenario.model:
        raise ValueError("it is of another model")
    return baseline


def _read_before(raw: Any) -> SavedSession | None:
    if raw is None:
        return None
    if not isinstance(raw, dict) or {"before", "lesson"} & set(raw):
        raise ValueError("it is not a page without a lesson")
    return from_dict(raw)


def _read_moments(scenario: Scenario, raw: Any) -> Moments | None:
    return None if raw is None else packed_weights.unpacked_moments(scenario, raw)


def _read_checksum(scenario: Scenario, raw: Any) -> TrainingChecksum:
    if not scenario.steps_taken:
        raise ValueError("there is no training that it belongs to")
    return TrainingChecksum(**read(_Checksum, raw))


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


def _no_constant(name: str) -> None:
    raise ValueError(name)


_READERS: dict[str, Callable[[Any], Any]] = {
    "source": reader(_Tokens),
    "target": reader(_Tokens),
    "answers": reader(_Tokens),
    "expected": reader(_Word),
    "view": ViewSettings().from_dict,
    "training": reader(bool),
    "mask_seed": whole(0, MAX_SEED),
    "keep_masks": reader(bool),
    "writes_itself": reader(bool),
    "descent": DescentSettings().from_dict,
    "descents": whole(0, MAX_STEPS),
}
# Parts of a session other than its scenario; the scenario can be shown without them.
PARTS = SavedSession._fields[1:]
_FIELDS = (
    "model",
    "file",
    "opened",
    "pairs",
    "settings",
    "recipe",
    "trained",
    "trained_with",
    "weights",
    *_READERS,
    "edits",
    "silenced",
)
