"""Writes sessions as plain data and reads them back, for links, files and scripts.

Only differences from the default are written. Reading checks every field and reports the first
invalid field, so a link cannot set values that are out of range.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, NamedTuple, TypedDict

from ..decoding.settings import DecodingSettings
from ..files import packed_weights
from ..ideas.settings import IdeaSettings
from ..model.matrices.attention import AttentionFocus
from ..model.matrices.extent import ALL_HEADS, LayerChoice
from ..model.scenario import model_names
from ..model.scenario.limits import MAX_KEPT_NUMBERS
from ..model.scenario.moments import Moments
from ..model.scenario.run_curves import RunCurves
from ..model.scenario.scenario import Scenario
from ..model.scenario.training_checksum import SUMS, TrainingChecksum
from ..plain_data import (
    Length,
    Sentence,
    Then,
    WholeText,
    Within,
    brief,
    different_fields,
    read,
    read_field,
    reader,
)
from ..view_model.page_location import PageLocation, location_from
from .lesson_progress import LessonProgress, lesson_progress_from
from .scenario_json import FIELDS, MAX_STEPS, Index, check_names, scenario_from, scenario_to_dict

VERSION = 1
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


_Layer = Annotated[int, Within(ALL_HEADS, 1 << 20)]
_Selection = Annotated[
    tuple[WholeText, Index, Index], Sentence("it is not a path, a row and a column")
]
_Attention = Annotated[
    tuple[WholeText, Index, Index, Index],
    Sentence("it is not an attention, a head and two positions"),
    Then(lambda parts: AttentionFocus(*parts)),
]


_Steps = Annotated[tuple[Annotated[int, Within(0, MAX_STEPS)], ...], Length(0, MAX_POINTS)]
_Numbers = Annotated[tuple[Annotated[float, Within(0, 1e9)], ...], Length(0, MAX_POINTS)]
_Percent = tuple[Annotated[int, Within(0, MAX_STEPS)], Annotated[float, Within(0, 100)]]


class _Curves(TypedDict):
    """The curves of a training run; see `RunCurves`."""

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
        "place": different_fields(saved.place),
        "layers": different_fields(saved.layers),
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


def to_json(
    saved: SavedSession, *, with_weights: bool = False, most: int = MAX_KEPT_NUMBERS
) -> str:
    """Serialize a session to JSON; see `to_dict`."""
    return json_text(to_dict(saved, with_weights=with_weights, most=most))


def json_text(data: Any) -> str:
    """Write plain data as JSON, as short as possible."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


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
    check_names(data, {"version", *PARTS, *FIELDS})
    scenario = scenario_from({k: v for k, v in data.items() if k in FIELDS})
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
    """Parse JSON into plain data for ``from_dict``; ``ValueError`` if the text is malformed."""
    try:
        return json.loads(written, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise ValueError("It is damaged: the text inside is not complete.") from None


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


def _no_constant(name: str) -> None:
    raise ValueError(name)


# Parts of a session other than its scenario; the scenario can be shown without them.
PARTS = SavedSession._fields[1:]
