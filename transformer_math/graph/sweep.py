"""One value over many settings, in one batched pass.

Give a tensor an extra leading axis of T settings: whatever is computed from it gets that axis
too, and nothing else does. So T frames cost one pass over the part of the graph downstream.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from transformer_math.graph.trace import Trace
from transformer_math.ops.tensor import Index, Tensor


def sweep(trace: Trace, path: str, index: Index, values: ArrayLike) -> Trace:
    """The trace with one cell at each of T values: what depends on it gains the axis ``sweep``.

    Args:
        trace: a pass without a sweep in it.
        path: a parameter or a computed tensor; ``…head.2.W_q`` addresses one head.
        index: the cell, without leading axes.
        values: (T,), the values the cell takes.

    Raises:
        KeyError: no such path.
        ValueError: no such cell, the tensor is not made of real numbers, the values are no row of
            numbers, or the pass is a sweep already.
    """
    if "sweep" in trace.leading:
        raise ValueError("This pass is a sweep already; take one frame of it, trace.frame(t).")
    origin, cell = trace.locate(path, index)
    if origin.value.dtype.kind != "f":
        raise ValueError(f"{path} holds whole numbers; only real ones can be swept.")
    settings = _settings(values).astype(origin.value.dtype)

    place: tuple[Any, ...] = (slice(None), ..., *cell)

    def set_cell(frames: np.ndarray) -> None:
        frames[place] = settings.reshape(-1, *(1,) * len(trace.leading))

    return sweep_by(trace, len(settings), {origin.path: set_cell})


def sweep_by(
    trace: Trace, count: int, setters: Mapping[str, Callable[[np.ndarray], None]]
) -> Trace:
    """The trace at ``count`` settings, each of which may set something in several tensors.

    Args:
        trace: a pass without a sweep in it.
        count: T, how many settings there are.
        setters: stored path -> a function that is given the tensor's frames, (T, …), as they are
            computed from the settings before it, and sets in them what is to be other.
    """
    result = Trace(("sweep", *trace.leading))
    new: dict[int, Tensor] = {}
    for path, tensor in trace.tensors.items():
        rank, inputs, computed = trace.rank(tensor), tensor.inputs, None
        if any(id(source) in new for source in inputs):
            inputs = tuple([new.get(id(source), source) for source in inputs])
            value = tensor.op.forward(*[source.value for source in inputs])
            if tensor.override is not None:  # what is overridden stays so in every frame
                computed = value
                value = tensor.override.apply(value, rank, _examples(trace), frames=True)
            if path in setters:
                value = value.copy()  # a step that is switched off hands on its input itself
        elif path in setters:
            value = _repeated(trace, tensor, count)
        else:
            result.tensors[path] = tensor
            continue
        if path in setters:
            setters[path](value)
        # The frames come first; what has fewer axes than they and the batch is a sum over those.
        dims = result.leading[: value.ndim - rank] + tensor.dims[len(tensor.dims) - rank :]
        made = tensor.replace(value=value, inputs=inputs, dims=dims)
        if computed is not None:
            made.computed = computed
        new[id(tensor)] = result.tensors[path] = made
    return result


def _repeated(trace: Trace, tensor: Tensor, count: int) -> np.ndarray:
    """A value as so many frames; without the batch axis it gets one of length 1 in its place."""
    missing = len(trace.leading) - (tensor.value.ndim - trace.rank(tensor))
    frame = tensor.value.reshape((*(1,) * missing, *tensor.value.shape))
    return np.repeat(frame[None], count, axis=0)


def _settings(values: ArrayLike) -> np.ndarray:
    """The values that a cell takes, in a row.

    Raises:
        ValueError: they are none.
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


def _examples(trace: Trace) -> int | None:
    """How many examples the batch of a pass has, None without a batch."""
    sizes = [
        len(tensor.value) for tensor in trace.tensors.values() if tensor.dims[:1] == ("batch",)
    ]
    return max(sizes, default=1) if "batch" in trace.leading else None
