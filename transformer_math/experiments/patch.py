"""Patching: pieces of one text's pass put into another's, to see which of them carry the answer.

For each place, a tensor and a token, the present pass is run with that one row as it is in the
baseline's pass (activation patching; Meng et al., 2022, "Locating and Editing Factual
Associations in GPT", Section 2). The places of one tensor are a batch.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from transformer_math.graph.trace import Trace
from transformer_math.model import Transformer


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
    model: Transformer,
    ids: tuple[np.ndarray | None, np.ndarray | None],
    baseline: Trace,
    rows: Mapping[str, Sequence[int | None]],
    read: Callable[[Trace], np.ndarray | float],
) -> PatchMap:
    """Patch every row of the tensors, one at a time.

    Args:
        model: of both passes.
        ids: of source and target, each (n,), or None.
        baseline: the other text's pass, of one example.
        rows: path -> for each row of the present tensor the row of the baseline's that takes its
            place, or None for one that has none (see ``matched``).
        read: the number that is looked at, of a pass of one example or, one each, of a batch.

    Raises:
        KeyError: no such path.
    """
    present = model(*ids)
    found: dict[str, np.ndarray] = {}
    for path, of in rows.items():
        value, then = present[path].value, baseline[path].value
        pairs = [(row, other) for row, other in enumerate(of) if other is not None]
        result = np.full(len(of), np.nan)
        if pairs:
            batch = np.repeat(value[None], len(pairs), axis=0)
            for k, (row, other) in enumerate(pairs):
                batch[k, ..., row, :] = then[..., other, :]
            many = [None if each is None else _repeated(each, len(pairs)) for each in ids]
            trace = model(*many, overrides={path: batch})
            result[[row for row, _ in pairs]] = read(trace)
        found[path] = result
    return PatchMap(float(read(present)), float(read(baseline)), found)


def _repeated(ids: np.ndarray, count: int) -> np.ndarray:
    return np.repeat(np.asarray(ids)[None], count, axis=0)
