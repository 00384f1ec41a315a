"""Patching: pieces of one text's pass put into another's, to see which of them carry the answer.

For each place, a tensor and a token, the present pass is run with that one row as it is in the
baseline's pass (activation patching; Meng et al., 2022, "Locating and Editing Factual
Associations in GPT", Section 2). All places are frames of one sweep.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from transformer_math.graph.sweep import sweep_by
from transformer_math.graph.trace import Trace

# Computed at a time: what stays in the processor's cache, and what is worth a product of matrices.
PIECE_BYTES, LEAST_AT_ONCE = 2 << 20, 16


class PatchMap(NamedTuple):
    """What one number becomes when single rows are the baseline's.

    Attributes:
        now: what it is in the present pass.
        baseline: what it is in the baseline's.
        patched: path -> (rows,), what it is with that row of the tensor patched; NaN where the
            texts have no tokens that belong together.
    """

    now: float
    baseline: float
    patched: Mapping[str, np.ndarray]


def matched(now: Sequence[object], then: Sequence[object]) -> list[int | None]:
    """For each token now the position of the one it belongs with in the other text.

    Texts of one length are matched position by position; of others the beginning and the end are,
    as far as their tokens are the same.
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


def patch_map(
    trace: Trace,
    baseline: Trace,
    rows: Mapping[str, Sequence[int | None]],
    read: Callable[[Trace], np.ndarray | float],
    read_baseline: Callable[[Trace], np.ndarray | float] | None = None,
    go_on: Callable[[], None] = lambda: None,
) -> PatchMap:
    """Patch every row of the tensors, one at a time.

    What is overridden in the present pass stays so, and its dropout masks stay, except where a row
    is patched.

    Args:
        trace: the present pass, of one example.
        baseline: the other text's pass, of one example.
        rows: stored path -> for each row of the present tensor the row of the baseline's that
            takes its place, or None for one that has none (see ``matched``).
        read: the number that is looked at, of a pass or, one each, of a sweep.
        read_baseline: the same of the baseline's pass, where it stands elsewhere in that.
        go_on: called before each piece of the work; what it raises ends it.

    Raises:
        KeyError: no such path.
        ValueError: a tensor has other rows in the baseline's pass.
    """
    sites: list[Site] = []
    for path in sorted(rows, key=list(trace.tensors).index):  # those from which less follows last
        _check(trace, baseline, path)
        sites += [Site(path, i, j) for i, j in enumerate(rows[path]) if j is not None]
    found = {path: np.full(len(of), np.nan) for path, of in rows.items()}
    at_once = max(LEAST_AT_ONCE, PIECE_BYTES // _bytes(trace))
    for start in range(0, len(sites), at_once):
        go_on()
        some = sites[start : start + at_once]
        swept = sweep_by(trace, len(some), _setters(some, baseline))
        for site, value in zip(some, np.broadcast_to(read(swept), len(some)), strict=True):
            found[site.path][site.row] = value
    then = float((read_baseline or read)(baseline))
    return PatchMap(float(read(trace)), then, found)


class Site(NamedTuple):
    """A row of a tensor, and the row of the baseline's that takes its place."""

    path: str
    row: int
    other: int


def _setters(sites: Sequence[Site], baseline: Trace) -> dict[str, Callable[[np.ndarray], None]]:
    """Stored path -> what puts the baseline's rows into its frames, a site for each frame."""
    places: dict[str, list[tuple[int, Site]]] = {}
    for frame, site in enumerate(sites):
        places.setdefault(site.path, []).append((frame, site))

    def setter(path: str) -> Callable[[np.ndarray], None]:
        then, own = baseline[path].value, places[path]

        def put(frames: np.ndarray) -> None:
            for frame, site in own:
                frames[frame, ..., site.row, :] = then[..., site.other, :]

        return put

    return {path: setter(path) for path in places}


def _check(trace: Trace, baseline: Trace, path: str) -> None:
    now, then = trace[path], baseline[path]
    if (*now.shape[:-2], now.shape[-1]) != (*then.shape[:-2], then.shape[-1]):
        raise ValueError(
            f"{path} has the shape {now.shape}, and {then.shape} in the baseline: "
            "its rows are not of one kind."
        )


def _bytes(trace: Trace) -> int:
    """How many bytes a frame takes at most."""
    return max(1, sum(t.value.nbytes for t in trace.tensors.values() if not t.is_leaf))
