"""Ablation of a head, a sublayer, a token's row or a hidden unit.

Its output is set to 0 (zero ablation), or to its mean over other texts, which removes only what
depends on this text (mean ablation; Wang et al., 2022, "Interpretability in the Wild", Section
2.1).
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
    """Overrides that ablate a tensor or a part of it: index in the stored tensor -> number.

    Args:
        trace: a pass of one example.
        path: the tensor, for instance ``decoder.0.cross_attn.head.1.context`` for a head or
            ``encoder.0.feed_forward.out`` for a sublayer.
        rows: the rows, one for each token.
        columns: the columns, or hidden units.
        value: 0, or the mean, an array of the shape of a row.

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
    """The mean row of tensors over passes: path -> (columns,) or, with heads, (h, columns).

    Args:
        traces: passes of single examples or of batches; at least one.
        paths: tensors with a row for each token.

    Raises:
        ValueError: there is no pass.
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
