"""Activation patching, which locates the information for an answer in the model.

Each row of a tensor, which belongs to one token, is replaced by its value in the pass of another
text, the baseline, and the effect on one number is measured (Meng et al., 2022, "Locating and
Editing Factual Associations in GPT", Section 2). All replacements are frames of a sweep.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Sized
from typing import NamedTuple

import numpy as np

from transformer_math.arguments import checked
from transformer_math.checks import naming
from transformer_math.experiments.frames import frames_at_once
from transformer_math.experiments.tokens import check_rows_of_tokens
from transformer_math.graph.one_text import check_one_text
from transformer_math.graph.sweep import sweep_by
from transformer_math.graph.trace import Trace
from transformer_math.ops.tensor import split_head

READ = "lambda trace: trace[path].value[..., i, j]."


class PatchMap(NamedTuple):
    """The values of one number with single rows patched.

    Attributes:
        now: the value in the present pass.
        baseline: the value in the baseline's pass.
        patched: path -> (rows,), the value with that row patched; NaN for rows without a
            counterpart in the baseline.
    """

    now: float
    baseline: float
    patched: Mapping[str, np.ndarray]


@checked()
def matched(now: Sequence[object], then: Sequence[object]) -> list[int | None]:
    """Return the position of each token's counterpart in the other text; None without one.

    Texts of the same length are matched position by position. Otherwise, equal tokens at the
    beginning and at the end are matched.
    """
    if len(now) == len(then):
        return list(range(len(now)))
    short = min(len(now), len(then))
    front = 0
    while front < short and now[front] == then[front]:
        front += 1
    back = 0
    while back < short - front and now[-1 - back] == then[-1 - back]:
        back += 1
    found: list[int | None] = [*range(front), *[None] * (len(now) - front - back)]
    return [*found, *range(len(then) - back, len(then))]


@checked()
def patch_map(
    trace: Trace,
    baseline: Trace,
    rows: Mapping[str, Sequence[int | None]],
    read: Callable[[Trace], np.ndarray | float],
    read_baseline: Callable[[Trace], np.ndarray | float] | None = None,
    go_on: Callable[[], None] = lambda: None,
) -> PatchMap:
    """Patch the rows of tensors, one at a time, and read a number each time.

    Overrides and dropout masks of the present pass stay, except in the patched row.

    Args:
        trace: the present pass, of one example.
        baseline: the pass of the other text, of one example; often with the same target.
        rows: path -> for each row of the tensor, the row of the baseline that replaces it, or None
            for a row that is not replaced (see ``matched``).
        read: returns the number for a pass, or (T,) numbers for a sweep.
        read_baseline: returns the number for the baseline's pass; ``read`` by default.
        go_on: called before each sweep; it can raise an exception to cancel.

    Raises:
        NoSuchPath: no such path.
        ValueError: a pass is of a batch, a tensor has no rows of tokens or rows of another shape in
            the baseline's pass, or rows are too many, too few, or do not exist.
    """
    check_one_text(trace)
    check_one_text(baseline, "baseline")
    if not rows:
        raise ValueError("rows is empty: give {path: [0, 1, None]}, rows of the baseline.")
    with naming("rows"):
        for path in rows:
            _check(trace, baseline, path, rows[path])
    sites: list[Site] = []
    # In order of computation, because a sweep computes everything from its first site on.
    order = list(trace.tensors)
    for path in sorted(rows, key=lambda path: order.index(split_head(path)[0])):
        sites += [Site(path, i, j) for i, j in enumerate(rows[path]) if j is not None]
    found = {path: np.full(len(of), np.nan) for path, of in rows.items()}
    at_once = frames_at_once(trace)
    for start in range(0, len(sites), at_once):
        go_on()
        some = sites[start : start + at_once]
        swept = sweep_by(trace, len(some), _setters(some, baseline))
        for site, value in zip(some, _numbers(_read(read, swept), len(some)), strict=True):
            found[site.path][site.row] = value
    then = float((read_baseline or read)(baseline))
    return PatchMap(float(read(trace)), then, found)


class Site(NamedTuple):
    """A row of a tensor, and the row of the baseline that replaces it."""

    path: str
    row: int
    other: int


def _setters(sites: Sequence[Site], baseline: Trace) -> dict[str, Callable[[np.ndarray], None]]:
    """Return stored path -> a setter for ``sweep_by`` that patches one site in each frame."""
    by_path: dict[str, list[tuple[int, Site]]] = {}
    for frame, site in enumerate(sites):
        by_path.setdefault(split_head(site.path)[0], []).append((frame, site))

    def setter(path: str) -> Callable[[np.ndarray], None]:
        own = by_path[path]
        then = {site.path: baseline[site.path].value for _, site in own}

        def put(frames: np.ndarray) -> None:
            for frame, site in own:
                head = split_head(site.path)[1]
                value = frames[frame] if head is None else frames[frame, head]
                value[..., site.row, :] = then[site.path][..., site.other, :]

        return put

    return {path: setter(path) for path in by_path}


def _check(trace: Trace, baseline: Trace, path: str, rows: Sequence[int | None]) -> None:
    """Check that the rows of a tensor exist, and have the same shape in both passes."""
    now, then = trace[path], baseline[path]
    check_rows_of_tokens(now)
    here, there = now.shape[-2], then.shape[-2]
    if not isinstance(rows, Sized) or isinstance(rows, str):
        raise ValueError(
            f"The rows of {path} are a list such as range({here}), in which each row has one of "
            f"the baseline or None, not {rows!r:.40}."
        )
    if len(rows) != here:
        raise ValueError(
            f"{path} has {here} rows, and {len(rows)} are given: each has a row of the baseline or "
            "None."
        )
    for row in rows:
        if row is not None and not (isinstance(row, int | np.integer) and 0 <= row < there):
            raise ValueError(
                f"{path} has {there} rows in the baseline, from 0 to {there - 1}; there is no "
                f"{row!r}."
            )
    if (*now.shape[:-2], now.shape[-1]) != (*then.shape[:-2], then.shape[-1]):
        raise ValueError(
            f"{path} has the shape {now.shape}, and {then.shape} in the baseline: "
            "its rows are not of one kind."
        )


def _read(read: Callable[[Trace], np.ndarray | float], swept: Trace) -> np.ndarray | float:
    """Return the result of ``read`` for a sweep, whose tensors have one more axis, in front.

    Raises:
        ValueError: ``read`` does not allow for this axis.
    """
    try:
        return read(swept)
    except IndexError:
        raise ValueError(f"read does not fit a sweep: {READ}") from None


def _numbers(read: np.ndarray | float, count: int) -> np.ndarray:
    """Return the result of ``read`` for a sweep, as one number for each frame.

    Raises:
        ValueError: the result is not one number for each frame.
    """
    found = np.asarray(read)
    if found.shape not in ((), (1,), (count,)):
        raise ValueError(
            f"read gives one number for each of {count} frames, not the shape {found.shape}: {READ}"
        )
    return np.broadcast_to(found, count)
