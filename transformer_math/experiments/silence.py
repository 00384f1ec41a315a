"""Silencing a part: a head, a sublayer, a token's row or one hidden unit says nothing of its own.

To nothing (0), or to what it says on average, which takes from it only what it says of this text
(mean ablation; Wang et al., 2022, "Interpretability in the Wild", Section 2.1).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from transformer_math.graph.trace import Trace
from transformer_math.ops.tensor import split_head


def silenced(
    trace: Trace,
    path: str,
    *,
    rows: slice | int = slice(None),
    columns: slice | int = slice(None),
    value: float | np.ndarray = 0.0,
) -> dict[tuple[int, ...], float]:
    """The cells of a tensor, and what each of them is to be: overrides for one stored path.

    Args:
        trace: a pass of one example.
        path: what says nothing, for instance ``decoder.0.cross_attn.head.1.context`` for a head,
            ``encoder.0.feed_forward.out`` for a sublayer.
        rows: of which tokens.
        columns: of which hidden units.
        value: 0, or what is said on average, of the shape of a row.

    Raises:
        KeyError: no such path.
        ValueError: there is no such head, row or column, or the tensor has no rows of tokens.
    """
    head = split_head(path)[1]
    tensor = trace[path]
    if tensor.value.ndim != 2 or tensor.value.dtype.kind != "f":
        raise ValueError(f"{path} is no matrix of real numbers with a row for each token.")
    named = np.zeros(tensor.value.shape, bool)
    try:
        named[rows, columns] = True
    except IndexError:
        n, m = tensor.value.shape
        raise ValueError(f"{path} has {n} rows and {m} columns.") from None
    front: tuple[int, ...] = () if head is None else (head,)
    said: Any = np.broadcast_to(np.asarray(value, np.float64), tensor.value.shape)
    return {(*front, int(i), int(j)): float(said[i, j]) for i, j in np.argwhere(named)}


def mean_values(traces: Iterable[Trace], paths: Iterable[str]) -> Mapping[str, np.ndarray]:
    """What tensors say on average over passes, for a row: (columns,) or, for heads, (h, columns).

    Args:
        traces: of single examples or of batches; at least one.
        paths: of tensors with a row for each token.
    """
    sums: dict[str, np.ndarray] = {}
    counts: dict[str, int] = {}
    wanted = list(paths)
    for trace in traces:
        for path in wanted:
            tensor = trace[path]
            axes = tuple(
                axis
                for axis, name in enumerate(tensor.dims)
                if name in ("batch", "position", "source_position", "key_position")
            )
            found = tensor.value.sum(axes, dtype=np.float64)
            sums[path] = sums.get(path, 0) + found
            counts[path] = counts.get(path, 0) + int(
                np.prod([tensor.value.shape[axis] for axis in axes], dtype=np.int64)
            )
    if not sums:
        raise ValueError("There is no pass to take the mean of.")
    return {path: sums[path] / counts[path] for path in wanted}
