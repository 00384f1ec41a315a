"""Sweeps: one cell at many values, in one batched pass.

The swept tensor gets a leading axis ``sweep`` of length T. All tensors computed from it also get
this axis, and no others, so T frames cost one pass over the downstream part of the graph.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from transformer_math.arguments import checked
from transformer_math.graph.trace import Trace
from transformer_math.ops.tensor import Index, Tensor


@checked()
def sweep(trace: Trace, path: str, index: Index | int, values: ArrayLike) -> Trace:
    """Return the trace for T values of one cell; tensors that depend on it get an axis ``sweep``.

    Args:
        trace: a pass that is not a sweep.
        path: a parameter or a computed tensor; ``…head.2.W_q`` addresses one head.
        index: the cell, without leading axes.
        values: (T,), the values of the cell.

    Raises:
        NoSuchPath: no such path.
        ValueError: no such cell, the tensor holds integers, the values are not a row of numbers,
            or the pass is a sweep already.
    """
    if "sweep" in trace.leading:
        raise ValueError("This pass is a sweep already; take one frame of it, trace.frame(t).")
    if trace[path].value.dtype.kind != "f":
        raise ValueError(f"path is {path}, which holds whole numbers; only real ones can be swept.")
    origin, cell = trace.locate(path, index)
    settings = _settings(values).astype(origin.value.dtype)

    where: tuple[Any, ...] = (slice(None), ..., *cell)

    def set_cell(frames: np.ndarray) -> None:
        frames[where] = settings.reshape(-1, *(1,) * len(trace.leading))

    return sweep_by(trace, len(settings), {origin.path: set_cell})


def sweep_by(
    trace: Trace, count: int, setters: Mapping[str, Callable[[np.ndarray], None]]
) -> Trace:
    """Return the trace as a sweep of T frames in which several tensors may be changed.

    Args:
        trace: a pass that is not a sweep.
        count: T, the number of frames.
        setters: stored path -> a function that changes the tensor's value (T, …) in place. It is
            called after the value has been computed, with all earlier changes included.
    """
    result = Trace(("sweep", *trace.leading))
    new: dict[int, Tensor] = {}
    for path, tensor in trace.tensors.items():
        rank, inputs, computed = trace.rank(tensor), tensor.inputs, None
        if any(id(source) in new for source in inputs):
            inputs = tuple([new.get(id(source), source) for source in inputs])
            value = tensor.op.forward(*[source.value for source in inputs])
            if tensor.override is not None:  # overrides hold in every frame
                computed = value
                value = tensor.override.apply(value, rank, example_count(trace), frames=True)
            if path in setters:
                value = value.copy()  # ``Identity`` returns its input, which must not change
        elif path in setters:
            value = _repeated(trace, tensor, count)
        else:
            result.tensors[path] = tensor
            continue
        if path in setters:
            setters[path](value)
        # A reduced tensor, such as the loss of a batch, has only the first of the leading axes.
        dims = result.leading[: value.ndim - rank] + tensor.dims[len(tensor.dims) - rank :]
        made = tensor.replace(value=value, inputs=inputs, dims=dims)
        if computed is not None:
            made.computed = computed
        new[id(tensor)] = result.tensors[path] = made
    return result


def _repeated(trace: Trace, tensor: Tensor, count: int) -> np.ndarray:
    """Return a tensor's value as T equal frames; a missing batch axis is added with length 1."""
    missing = len(trace.leading) - (tensor.value.ndim - trace.rank(tensor))
    frame = tensor.value.reshape((*(1,) * missing, *tensor.value.shape))
    return np.repeat(frame[None], count, axis=0)


def _settings(values: ArrayLike) -> np.ndarray:
    """Return the values of a sweep as an array (T,).

    Raises:
        ValueError: the values are not a row of numbers.
    """
    try:
        settings = np.asarray(values)
    except ValueError:  # rows of unequal length
        settings = np.asarray(None)
    if settings.ndim != 1 or not settings.size or settings.dtype.kind not in "biuf":
        raise ValueError(
            "The values of a sweep are numbers in a row, at least one: [-1, 0, 1] or "
            "np.linspace(-1, 1, 60)."
        )
    return settings


def example_count(trace: Trace) -> int | None:
    """Return the size of the batch of a pass, None without a batch."""
    sizes = [
        len(tensor.value) for tensor in trace.tensors.values() if tensor.dims[:1] == ("batch",)
    ]
    return max(sizes, default=1) if "batch" in trace.leading else None
