"""Computes the small picture of each lesson for the list: numbers of its model, as plain data."""

import functools
from typing import Any

import numpy as np

from transformer_math import Trace
from transformer_math.explain.plane import widest_plane
from transformer_math.ops.tensor import Tensor

from ..explain import labels
from ..model.inference import cost
from ..model.inference.forward_pass import ForwardPassRunner
from ..model.matrices.scale import is_share
from ..model.scenario.scenario import Scenario
from .catalog import catalog
from .changes import begun
from .format import Lesson, Picture

MOST_MATRICES, MOST_ROWS, MOST_COLUMNS = 3, 12, 32  # the most that are drawn
MOST_BARS, MOST_POINTS = 6, 40
DECIMALS = 3

Drawn = dict[str, Any]


@functools.cache  # the pictures are the same for all visitors, and lessons are read once
def picture(name: str) -> Drawn:
    """Return the picture of a lesson; empty if there is none, for example for a large model."""
    lesson = catalog().lessons[name]
    try:
        return drawn(lesson, lesson.picture or of_look(lesson))
    except (LookupError, ValueError):  # a custom lesson may name something that does not exist
        return {}


def drawn(lesson: Lesson, what: Picture) -> Drawn:
    """Return the declared picture, drawn at the beginning of its step.

    Raise ``LookupError`` if the model has no such matrix or row, and ``ValueError`` if the step
    cannot be set up.
    """
    runner = ForwardPassRunner()
    scenario = begun(lesson, what.step, runner)
    if cost.is_large(scenario):
        return {}
    return {"draw": what.draw, **_DRAWS[what.draw](scenario, runner.trace(scenario), what)}


def of_look(lesson: Lesson) -> Picture:
    """Return a picture of the part or the cells to which a lesson first directs the reader."""
    looks = [(k, step.look) for k, step in enumerate(lesson.steps)]
    step, look = next(((k, look) for k, look in looks if look.part or look.cells), looks[0])
    followed = look.changes.follow
    row = followed[1] if followed else None
    if look.part.endswith("_attn"):
        return Picture("ribbons", (look.part,), step, row)
    if look.cells:
        paths = dict.fromkeys(path for path, *_ in look.cells)
        return Picture("rows", tuple(paths)[:MOST_MATRICES], step)
    if look.part == "output":
        return Picture("bars", ("output.probabilities",), step, row)
    if look.part.endswith("feed_forward"):
        return Picture("rows", (f"{look.part}.activation",), step)
    return Picture("rows", (f"{lesson.scenario.first_side}.sum",), step)


def _rows(_: Scenario, trace: Trace, what: Picture) -> Drawn:
    return {"matrices": [_matrix(trace[path]) for path in what.of[:MOST_MATRICES]]}


def _matrix(tensor: Tensor) -> Drawn:
    values = np.atleast_2d(tensor.value)
    if values.ndim > 2:  # draw the first head
        values = values.reshape(-1, *values.shape[-2:])[0]
    values = values[:MOST_ROWS, :MOST_COLUMNS]
    return {
        "columns": values.shape[1],
        "values": _numbers(values),
        "share": is_share(tensor),
    }


def _ribbons(scenario: Scenario, trace: Trace, what: Picture) -> Drawn:
    tensor = trace[f"{what.of[0]}.weights"]
    heads = tensor.value.reshape(-1, *tensor.shape[-2:])[:, :MOST_ROWS, :MOST_ROWS]
    axes = [
        labels.axis_labels(scenario.axis_tokens, tensor.path, dim, size)[:MOST_ROWS]
        for dim, size in zip(tensor.dims[-2:], tensor.shape[-2:], strict=True)
    ]
    if what.row is not None and what.row >= len(axes[0]):
        raise LookupError(what.row)
    return {
        "heads": [_numbers(head) for head in heads],
        "queries": axes[0],
        "keys": axes[1],
        "row": what.row,
    }


def _bars(scenario: Scenario, trace: Trace, what: Picture) -> Drawn:
    tensor = trace[what.of[0]]
    values = np.atleast_2d(tensor.value)[what.row or 0]
    names = labels.axis_labels(scenario.axis_tokens, tensor.path, tensor.dims[-1], values.size)
    # The largest values of a large distribution, in descending order; otherwise all, unsorted.
    many = values.size > 2 * MOST_BARS
    at = np.argsort(-values, kind="stable")[:MOST_BARS] if many else np.arange(values.size)
    return {"values": _numbers(values[at]), "words": [names[k] for k in at.tolist()]}


def _points(scenario: Scenario, trace: Trace, what: Picture) -> Drawn:
    tensor = trace[what.of[0]]
    rows = tensor.value[:MOST_POINTS].astype(float)
    plane = widest_plane(rows)
    found = plane.coordinates(rows)
    names = labels.axis_labels(scenario.axis_tokens, tensor.path, tensor.dims[0], len(rows))
    read = {*scenario.source, *scenario.target}
    return {
        "x": _numbers(found[:, 0]),
        "y": _numbers(found[:, 1]),
        "words": [name if name in read else "" for name in names],
    }


def _numbers(values: np.ndarray) -> list[float | None]:
    """Return rounded numbers, with None for masked numbers."""
    flat = np.asarray(values, dtype=float).ravel().tolist()
    return [round(x, DECIMALS) if np.isfinite(x) else None for x in flat]


_DRAWS = {"rows": _rows, "ribbons": _ribbons, "bars": _bars, "points": _points}
