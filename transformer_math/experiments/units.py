"""Measures the effect of single hidden units of the feed-forward networks (Section 3.3).

Each unit alone is silenced at every token, and a function reads the pass without it. Many units are
frames of one sweep, which computes only the tensors after them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from transformer_math.arguments import checked
from transformer_math.checks import NoSuchPath, check_whole, described
from transformer_math.experiments.frames import frames_at_once
from transformer_math.graph.one_text import check_one_text
from transformer_math.graph.sweep import sweep_by
from transformer_math.graph.trace import Trace

UNITS = ".feed_forward.activation"  # the units after the activation function
WAY_OUT = ".feed_forward.W_2"  # the weights that multiply the units


class Unit(NamedTuple):
    """A hidden unit.

    Attributes:
        path: the tensor with a column for each unit, such as ``encoder.0.feed_forward.activation``.
        column: the column of the unit.
    """

    path: str
    column: int


@checked()
def every_unit(trace: Trace) -> list[Unit]:
    """Return all hidden units of a pass, in order of computation."""
    paths = [path for path in trace.tensors if path.endswith(UNITS)]
    return [Unit(path, column) for path in paths for column in range(trace[path].shape[-1])]


@checked()
def loudest_units(
    trace: Trace, count: int, value: float | Mapping[str, np.ndarray] = 0.0
) -> list[Unit]:
    """Return the units that change the residual stream most, in order of computation.

    The measure is the longest vector that a unit adds to the row of a token, its activation times
    its row of W_2. This is for large models, in which not every unit can be tried.

    Args:
        trace: a pass of one example.
        count: the number of units.
        value: the values to which units are silenced, as in `without_units`.
    """
    check_one_text(trace)
    check_whole("count", count, 0)
    units = every_unit(trace)
    if count >= len(units):
        return units
    adds = []
    for path in dict.fromkeys(unit.path for unit in units):
        activation = trace[path].value
        away = np.abs(activation - _row(value, path, activation.shape[-1])).max(-2)
        out = trace[path.removesuffix(UNITS) + WAY_OUT].value
        adds.append(np.nan_to_num(away * np.linalg.norm(out, axis=-1)))
    order = np.argsort(-np.concatenate(adds), kind="stable")[:count]
    return [units[k] for k in sorted(order.tolist())]


@checked()
def without_units(
    trace: Trace,
    units: Sequence[Unit | tuple[str, int]],
    read: Callable[[Trace], np.ndarray],
    value: float | Mapping[str, np.ndarray] = 0.0,
    go_on: Callable[[], None] = lambda: None,
) -> np.ndarray:
    """Return the results of ``read`` for the pass with each unit silenced alone: (units, …).

    Overrides and dropout masks of the pass are kept, except in the silenced unit.

    Args:
        trace: a pass of one example.
        units: the units, as `every_unit` lists them.
        read: returns (T, …) numbers for a sweep of T frames, such as
            ``lambda trace: trace["output.probabilities"].value[..., -1, :]``.
        value: the value of a silenced unit: 0, or path -> mean row (units,), as in `mean_values`.
        go_on: called before each sweep; it can raise an exception to cancel.

    Raises:
        NoSuchPath: there is no such unit.
        ValueError: the pass is of a batch, or no unit is given.
    """
    check_one_text(trace)
    for unit in units:
        if len(unit) != len(Unit._fields):
            raise ValueError(f"units holds pairs of a path and a column, not {described(unit)}.")
    wanted = [Unit(*unit) for unit in units]
    known = set(every_unit(trace))
    for unit in wanted:
        if unit not in known:
            raise NoSuchPath(
                f"units are of every_unit(trace), which has no hidden unit {unit.column!s:.20} of "
                f"{unit.path!s:.80}."
            )
    if not wanted:
        raise ValueError("units is empty: every_unit(trace) lists all of them.")
    # In order of computation, because a sweep computes everything from its first unit on.
    place = {path: k for k, path in enumerate(trace.tensors)}
    order = sorted(range(len(wanted)), key=lambda k: place[wanted[k].path])
    now = np.asarray(read(trace))
    found = np.empty((len(wanted), *now.shape), now.dtype)
    at_once = frames_at_once(trace)
    for start in range(0, len(order), at_once):
        go_on()
        some = order[start : start + at_once]
        swept = sweep_by(trace, len(some), _setters(trace, [wanted[k] for k in some], value))
        # A result that no unit of the sweep affects has no axis of frames.
        found[some] = read(swept)
    return found


def _setters(
    trace: Trace, units: Sequence[Unit], value: float | Mapping[str, np.ndarray]
) -> dict[str, Callable[[np.ndarray], None]]:
    """Return path -> a setter for ``sweep_by`` that silences one unit in each frame."""
    by_path: dict[str, list[tuple[int, int]]] = {}
    for frame, (path, column) in enumerate(units):
        by_path.setdefault(path, []).append((frame, column))

    def setter(path: str) -> Callable[[np.ndarray], None]:
        row = _row(value, path, trace[path].shape[-1])

        def put(frames: np.ndarray) -> None:
            for frame, column in by_path[path]:
                frames[frame, ..., column] = row[column]

        return put

    return {path: setter(path) for path in by_path}


def _row(value: float | Mapping[str, np.ndarray], path: str, columns: int) -> np.ndarray:
    """Return the values to which the units of a tensor are silenced: (units,)."""
    row = value.get(path, ()) if isinstance(value, Mapping) else value
    array = np.asarray(row, float)
    if array.shape not in ((), (columns,)) or not np.isfinite(array).all():
        raise ValueError(
            f"value is a number, or has a row of {columns} for {path}, not {described(row)}."
        )
    return np.broadcast_to(array, (columns,))
