"""One value over many settings, in one batched pass.

Give a tensor an extra leading axis of T settings: whatever is computed from it gets that axis
too, and nothing else does. So T frames cost one pass over the part of the graph downstream.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from transformer_math.graph.scope import axes_in_front
from transformer_math.graph.trace import Trace
from transformer_math.ops.tensor import Index, Tensor, split_head


def sweep(trace: Trace, path: str, index: Index, values: ArrayLike) -> Trace:
    """The trace with one cell at each of T values: what depends on it gains the axis ``sweep``.

    Args:
        trace: a pass without a sweep in it.
        path: a parameter or a computed tensor; ``…head.2.W_q`` addresses one head.
        index: the cell, without leading axes.
        values: (T,), the values the cell takes.

    Raises:
        KeyError: no such path.
        ValueError: no such cell, or the tensor is not made of real numbers.
    """
    stored, head = split_head(path)
    cell = index if head is None else (head, *index)
    origin = trace[stored]
    own = len(origin.dims) - sum(name in trace.leading for name in origin.dims)
    shape = origin.value.shape[origin.value.ndim - own :]
    if len(cell) != own or any(not 0 <= i < n for i, n in zip(cell, shape, strict=True)):
        raise ValueError(f"{path} has the shape {shape}; there is no cell {index}.")
    if origin.value.dtype.kind != "f":
        raise ValueError(f"{path} holds whole numbers; only real ones can be swept.")
    settings = np.asarray(values, origin.value.dtype)

    # A tensor without the batch axis gets one of length 1 in its place.
    missing = len(trace.leading) - (origin.value.ndim - own)
    frame = origin.value.reshape((*(1,) * missing, *origin.value.shape))
    frames = np.repeat(frame[None], len(settings), axis=0)
    place: tuple[Any, ...] = (slice(None), ..., *cell)
    frames[place] = settings.reshape(-1, *(1,) * len(trace.leading))
    return _replay(trace, origin, frames, own)


def _replay(trace: Trace, origin: Tensor, frames: np.ndarray, own: int) -> Trace:
    """The pass again from one tensor on, through the very ops that the trace kept."""
    result = Trace(("sweep", *trace.leading))
    new: dict[int, Tensor] = {}
    for path, tensor in trace.tensors.items():
        if tensor is origin:
            value = frames
        elif any(id(source) in new for source in tensor.inputs):
            inputs = tuple(new.get(id(source), source) for source in tensor.inputs)
            value = tensor.op.forward(*[source.value for source in inputs])
            if tensor.override is not None:  # what is overridden stays so in every frame
                value = tensor.override.apply(value, _own(trace, tensor))
        else:
            result.tensors[path] = tensor
            continue
        dims = tensor.dims[len(tensor.dims) - _own(trace, tensor) :]
        dims = axes_in_front(value.ndim - len(dims), trace.leading, path) + dims
        inputs = tuple(new.get(id(source), source) for source in tensor.inputs)
        made = Tensor(value, tensor.op, inputs, path, dims, tensor.symbol)
        made.override = tensor.override
        new[id(tensor)] = made
        result.tensors[path] = made
    return result


def _own(trace: Trace, tensor: Tensor) -> int:
    return len(tensor.dims) - sum(name in trace.leading for name in tensor.dims)
