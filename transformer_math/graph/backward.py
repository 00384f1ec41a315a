"""Backpropagation through the graph of a pass, by the gradient rules of its ops.

A tensor's gradient is the sum of the gradients from all ops that have it as an input. An overridden
cell passes no gradient to the inputs of its op, because it does not depend on them.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from transformer_math.arguments import checked
from transformer_math.checks import NoSuchPath, check_number, naming
from transformer_math.graph.trace import Trace
from transformer_math.ops.base import ones
from transformer_math.ops.tensor import Index, Tensor, as_index, check_cell, split_head

LOSS = "output.loss"


@checked()
def gradients(
    trace: Trace,
    wanted: Collection[str] | str | None = None,
    path: str = LOSS,
    seed: ArrayLike | Mapping[Index, float] | None = None,
) -> dict[str, np.ndarray]:
    """Return path -> gradient of one tensor, usually the loss, with respect to others.

    Each gradient has the shape of the tensor at its path.

    Args:
        trace: a pass, not a sweep; for the loss, one with labels.
        wanted: the paths to return, of leaves and computed tensors or of single heads of them;
            None for all tensors that hold real numbers.
        path: the tensor to differentiate.
        seed: the gradient with which backpropagation starts: an array of the tensor's shape, or
            index -> number for single cells, such as {(1, 5): 1.0} for the logit of token 5 at
            position 1; by default 1 everywhere.

    Raises:
        NoSuchPath: no such path; without labels a pass has no loss.
        ValueError: the trace is a sweep, the seed does not fit, or the tensor holds whole numbers.
    """
    if "sweep" in trace.leading:
        raise ValueError("trace is a sweep, which has no gradients: take trace.frame(t).")
    if path == LOSS and path not in trace:
        raise NoSuchPath(f"The pass has no {LOSS}: give it labels, as model(…, labels=ids).")
    paths = None if wanted is None else [wanted] if isinstance(wanted, str) else list(wanted)
    with naming("wanted"):
        stored = {each: _stored(trace, each) for each in paths or ()}
    origin, pick = _stored(trace, path)
    start = np.zeros_like(trace.tensors[origin].value)
    start[pick] = _seed(path, trace[path].value, seed)
    of = None if paths is None else {name for name, _ in stored.values()}
    found = BackwardPass(trace, of, origin).gradients(start)
    if paths is None:
        return found
    return {each: found[name][head] for each, (name, head) in stored.items() if name in found}


def _stored(trace: Trace, path: str) -> tuple[str, tuple[Any, ...]]:
    """Return the path of the tensor of all heads, and the index of a head in it.

    Raises:
        NoSuchPath: no such path.
    """
    shown = trace[path]
    name, head = split_head(path)
    if shown.path in trace.tensors:
        return path, ()
    axis = trace.tensors[name].dims.index("head")
    return name, (*(slice(None),) * axis, head)


def _seed(path: str, value: np.ndarray, seed: ArrayLike | Mapping[Index, float] | None) -> Any:
    """Return the gradient to start with, of the shape of the value.

    Raises:
        ValueError: the seed has another shape, names no cell, or the value is not of real numbers.
    """
    if value.dtype.kind != "f":
        raise ValueError(f"path is {path}, which holds whole numbers: it has no gradient.")
    if seed is None:
        return 1.0
    start = np.zeros_like(value)
    if not isinstance(seed, Mapping):
        if np.shape(seed) != value.shape:
            raise ValueError(f"seed has the shape {np.shape(seed)}, and {path} {value.shape}.")
        return np.asarray(seed, value.dtype)
    with naming("seed"):
        for index, number in seed.items():
            check_cell(path, value.shape, index)
            check_number(f"The gradient of {path}", number, -math.inf)
            start[as_index(path, index)] = number
    return start


class BackwardPass:
    """Backpropagation through one trace, prepared once; the trace's values may be recomputed."""

    def __init__(
        self, trace: Trace, wanted: Collection[str] | None = None, path: str = LOSS
    ) -> None:
        """Find the tensors on the paths to the wanted tensors; arguments as for ``gradients``."""
        self._trace = trace
        self._origin = trace[path]
        self._wants_all = wanted is None
        self._wanted = trace.tensors.keys() if wanted is None else set(wanted)
        self._relevant = _relevant(trace, self._wanted)
        self._steps = [
            (
                tensor,
                name if name in self._wanted else None,
                not self._relevant.isdisjoint(map(id, tensor.inputs)),
            )
            for name, tensor in reversed(trace.tensors.items())
        ]

    def gradients(self, seed: np.ndarray | None = None) -> dict[str, np.ndarray]:
        """Return path -> gradient, for the current values of the trace."""
        origin = self._origin
        flowing = {id(origin): np.ones_like(origin.value) if seed is None else seed}
        found: dict[str, np.ndarray] = {}
        summed: set[int] = set()
        for tensor, name, has_relevant_inputs in self._steps:
            g = flowing.pop(id(tensor), None)
            if g is None:
                continue
            if name is not None:
                found[name] = g
            onward = gradient_for_inputs(tensor, g) if has_relevant_inputs else None
            if onward is not None:
                _pass_on(tensor, onward, self._relevant, flowing, summed)
        if self._wants_all or len(found) < len(self._wanted):
            _fill_with_zeros(self._trace, self._wanted, found)
        return found


def _relevant(trace: Trace, wanted: Collection[str]) -> set[int]:
    """Return the ids of the real tensors that are wanted or computed from a wanted tensor."""
    relevant: set[int] = set()
    for name, tensor in trace.tensors.items():
        is_needed = name in wanted or not relevant.isdisjoint(map(id, tensor.inputs))
        if is_needed and tensor.value.dtype.kind == "f":
            relevant.add(id(tensor))
    return relevant


def _pass_on(
    tensor: Tensor,
    g: np.ndarray,
    relevant: set[int],
    flowing: dict[int, np.ndarray],
    summed: set[int],
) -> None:
    """Add to the gradients of a tensor's inputs, given its own gradient g.

    Args:
        tensor: the tensor.
        g: its gradient, without overridden cells.
        relevant: the ids of the tensors that need a gradient.
        flowing: id of a tensor -> its gradient so far.
        summed: the ids of tensors whose gradient is a new array, which may be changed in place.
    """
    output = tensor.as_computed().value
    parts = tensor.op.backward(g, output, *[source.value for source in tensor.inputs])
    for source, part in zip(tensor.inputs, parts, strict=True):
        key = id(source)
        if part is None or key not in relevant:
            continue
        if part.ndim > source.value.ndim and source.dims[0] == "batch":
            # A parameter with a batch axis, which was broadcast over the positions.
            part = part.sum(tuple(range(1, 1 + part.ndim - source.value.ndim)))
        if part.shape != source.value.shape:
            part = sum_to_shape(part, source.value.shape)
        before = flowing.get(key)
        if before is None:
            flowing[key] = part
        elif key in summed:
            before += part
        else:
            flowing[key] = before + part
            summed.add(key)


def gradient_for_inputs(tensor: Tensor, g: np.ndarray) -> np.ndarray | None:
    """Return a tensor's gradient with 0 in overridden cells; None if all cells are overridden."""
    if tensor.override is None:
        return g
    if tensor.override.hooks and tensor.override.whole is None:
        return np.where(np.asarray(tensor.overridden), g.dtype.type(0), g)
    return tensor.override.gradient_for_inputs(g, len(tensor.dims) - ("batch" in tensor.dims))


def sum_to_shape(gradient: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Return a gradient summed over the axes along which an array of this shape was broadcast."""
    extra = gradient.ndim - len(shape)
    if extra:
        own = gradient.shape[extra:]
        flat = gradient.reshape(-1, math.prod(own))
        gradient = (ones(len(flat), flat.dtype) @ flat).reshape(own)
    if gradient.shape == shape:
        return gradient
    repeated = tuple(i for i, n in enumerate(shape) if n == 1 and gradient.shape[i] != 1)
    total: np.ndarray = gradient.sum(repeated, keepdims=True)
    return total


def _fill_with_zeros(trace: Trace, wanted: Collection[str], found: dict[str, np.ndarray]) -> None:
    """Add gradients of 0 for wanted tensors without effect on the loss, except for masks."""
    for name, tensor in trace.tensors.items():
        is_real = tensor.value.dtype.kind == "f" and name.rpartition(".")[2] != "mask"
        if name in wanted and name not in found and is_real:
            found[name] = np.zeros_like(tensor.value)
