"""Ablation of a head, a sublayer, a token's row or a hidden unit.

The output is set to 0 (zero ablation), or to its mean over other texts, which removes only the part
that depends on this text (mean ablation; Wang et al., 2022, "Interpretability in the Wild", Section
2.1).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from transformer_math.arguments import checked
from transformer_math.checks import NoSuchPath, described, naming
from transformer_math.experiments.tokens import TOKEN_AXES, check_rows_of_tokens, token_weights
from transformer_math.graph.one_text import check_one_text
from transformer_math.graph.trace import Trace
from transformer_math.model import Transformer
from transformer_math.ops.tensor import split_head

VALUES = ".W_v"  # every attention has them, one matrix for each head

Picked = slice | int | Sequence[int]


@checked()
def silenced(
    trace: Trace,
    path: str,
    *,
    rows: Picked = slice(None),
    columns: Picked = slice(None),
    value: float | np.ndarray = 0.0,
) -> dict[tuple[int, ...], float]:
    """Return overrides that ablate a tensor or a part: index in the stored tensor -> number.

    Use them with the path of the stored tensor, or with the given path:
    ``overrides={path: silenced(trace, path)}``.

    Args:
        trace: a pass of one example.
        path: the tensor, for instance ``decoder.0.cross_attn.head.1.context`` for a head or
            ``encoder.0.feed_forward.out`` for a sublayer.
        rows: the rows, one for each token.
        columns: the columns, or hidden units.
        value: 0, or the mean, an array of the shape of a row.

    Raises:
        NoSuchPath: no such path or head.
        ValueError: a row or column does not exist, none is picked, the tensor has no rows of tokens
            or belongs to all heads, the value is not finite or does not fit, or the pass is of a
            batch.
    """
    check_one_text(trace)
    tensor = trace[path]
    if "head" in tensor.dims:
        one = tensor.head(0).path
        raise ValueError(f"{path} is of {tensor.shape[0]} heads: name one of them, such as {one}.")
    check_rows_of_tokens(tensor)
    n, m = tensor.shape
    i, j = _picked(path, "rows", rows, n), _picked(path, "columns", columns, m)
    head = split_head(path)[1]
    front: tuple[int, ...] = () if head is None else (head,)
    said = _value(path, value, m)
    return {(*front, row, column): float(said[column]) for row in i for column in j}


@checked()
def every_head(model: Transformer) -> list[str]:
    """Return the paths of all heads, in order of computation: ``encoder.0.self_attn.head.0``, …"""
    return [
        f"{path.removesuffix(VALUES)}.head.{head}"
        for path in model.parameters
        if path.endswith(VALUES)
        for head in range(model.config.heads)
    ]


@checked()
def without_heads(model: Transformer, heads: Iterable[str] | str) -> Transformer:
    """Return a copy of the model whose given heads output 0, by value weights of 0.

    The copy can be used like any model, for instance to decode; `silenced` is for one pass.

    Args:
        model: the model.
        heads: the paths of heads, as `every_head` lists them.

    Raises:
        NoSuchPath: there is no such head.
    """
    known = every_head(model)
    changed: dict[str, np.ndarray] = {}
    for path in [heads] if isinstance(heads, str) else heads:
        if path not in known:
            with naming("heads"):
                raise NoSuchPath(f"There is no head {path!s:.80}; there are {', '.join(known)}.")
        part, head = path.split(".head.")
        for name in (f"{part}.W_v", f"{part}.b_v"):
            if name in model.parameters:
                changed.setdefault(name, model.parameters[name].copy())[int(head)] = 0
    return model.with_parameters(changed)


@checked()
def mean_values(
    traces: Iterable[Trace] | Trace, paths: Iterable[str] | str
) -> Mapping[str, np.ndarray]:
    """Return the mean row of tensors over passes: path -> (columns,) or, with heads, (h, columns).

    Padding, which the masks hide, does not count.

    Args:
        traces: passes of single examples or of batches; at least one.
        paths: tensors with a row for each token.

    Raises:
        NoSuchPath: no such path.
        ValueError: there is no pass, no path, or no row that is not padding.
    """
    traces = [traces] if isinstance(traces, Trace) else traces
    wanted = [paths] if isinstance(paths, str) else list(paths)
    sums: dict[str, np.ndarray] = {}
    counts: dict[str, float] = dict.fromkeys(wanted, 0.0)
    for trace in traces:
        if not isinstance(trace, Trace):
            raise ValueError(f"traces holds Trace objects, not {described(trace)}.")
        for path in wanted:
            with naming("paths"):
                tensor = trace[path]
            axes = tuple(axis for axis, name in enumerate(tensor.dims) if name in TOKEN_AXES)
            weights = token_weights(trace, tensor)
            counted = tensor.value if weights is None else np.where(weights, tensor.value, 0)
            sums[path] = sums.get(path, 0) + counted.sum(axes, dtype=np.float64)
            shape = [n if axis in axes else 1 for axis, n in enumerate(tensor.shape)]
            each = np.ones(()) if weights is None else weights
            counts[path] += float(np.broadcast_to(each, shape).sum())
    if not sums:
        raise ValueError(f"{'traces' if wanted else 'paths'} is empty, so that there is no mean.")
    for path, count in counts.items():
        if not count:
            raise ValueError(f"Every row of {path} is padding, so that there is no mean.")
    return {path: sums[path] / counts[path] for path in wanted}


def _picked(path: str, what: str, given: Picked, count: int) -> list[int]:
    """Return the numbers of the rows or columns that are picked, at least one.

    Raises:
        ValueError: none is picked, or a number is out of range.
    """
    every = np.arange(count)
    try:
        found = every[given if isinstance(given, slice) else np.atleast_1d(np.asarray(given))]
        if given is None or isinstance(given, bool) or found.ndim != 1:
            raise IndexError
    except (IndexError, TypeError, ValueError):
        raise ValueError(
            f"{path} has {count} {what}, from 0 to {count - 1}: "
            f"{what} is one of them, a list or a slice, not {described(given)}."
        ) from None
    if not found.size:
        raise ValueError(f"{path} has {count} {what}, of which {given!r:.60} picks none.")
    picked: list[int] = found.tolist()
    return picked


def _value(path: str, value: float | np.ndarray, columns: int) -> np.ndarray:
    """Return the number of each column (columns,).

    Raises:
        ValueError: the value is not a finite number or a row of finite numbers.
    """
    try:
        said = np.asarray(value, np.float64)
    except (TypeError, ValueError):
        said = np.asarray(np.nan)
    if not np.isfinite(said).all():
        raise ValueError(
            f"value is a number or a row of them, which {path} is set to, not {described(value)}."
        )
    if said.shape not in ((), (1,), (columns,)):
        raise ValueError(
            f"value is one number or a row of {columns}, which {path} is set to, not an array "
            f"{said.shape}."
        )
    return np.broadcast_to(said, (columns,))
