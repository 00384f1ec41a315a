"""Gradients of the loss, by each op's own rule, backpropagated through the graph of a pass.

The chain rule in reverse: a tensor's gradient is the sum of what each op that read it passes
back. Where a cell is overridden nothing is passed on: what it was computed from has no part in
it any more.
"""

from __future__ import annotations

import math
from collections.abc import Collection

import numpy as np

from transformer_math.graph.trace import Trace
from transformer_math.ops.base import ones
from transformer_math.ops.tensor import Tensor

LOSS = "output.loss"


def gradients(
    trace: Trace,
    wanted: Collection[str] | None = None,
    path: str = LOSS,
    seed: np.ndarray | None = None,
) -> dict[str, np.ndarray]:
    """Path -> gradient of a tensor (the loss) for the wanted ones, each of its tensor's shape.

    Args:
        trace: a pass with labels, so that it has a loss; without a sweep in it.
        wanted: paths of leaves and computed tensors, None for all that hold real numbers; one
            that the pass has not is left out.
        path: the tensor whose gradient is taken.
        seed: its own gradient, 1 unless given.

    Raises:
        KeyError: no such path; without labels a pass has no loss.
        ValueError: the trace has a sweep in it.
    """
    return BackwardPass(trace, wanted, path).gradients(seed)


class BackwardPass:
    """Which tensors of a pass a gradient goes through, found once for a pass that is rerun."""

    def __init__(
        self, trace: Trace, wanted: Collection[str] | None = None, path: str = LOSS
    ) -> None:
        """The way from a tensor to the wanted ones; arguments and errors as of ``gradients``."""
        if "sweep" in trace.leading:
            raise ValueError("Gradients are of one setting; take one frame of the sweep first.")
        self._trace = trace
        self._origin = trace[path]
        self._every = wanted is None
        self._asked = trace.tensors.keys() if wanted is None else set(wanted)
        self._relevant = _relevant(trace, self._asked)
        self._steps = [
            (
                tensor,
                name if name in self._asked else None,
                not self._relevant.isdisjoint(map(id, tensor.inputs)),
            )
            for name, tensor in reversed(trace.tensors.items())
        ]

    def gradients(self, seed: np.ndarray | None = None) -> dict[str, np.ndarray]:
        """Path -> gradient, for the values that the pass has now."""
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
        if self._every or len(found) < len(self._asked):
            _fill_with_zeros(self._trace, self._asked, found)
        return found


def _relevant(trace: Trace, asked: Collection[str]) -> set[int]:
    """Tensors of real numbers that are asked for, or computed from such a one."""
    relevant: set[int] = set()
    for name, tensor in trace.tensors.items():
        on_the_way = name in asked or not relevant.isdisjoint(map(id, tensor.inputs))
        if on_the_way and tensor.value.dtype.kind == "f":
            relevant.add(id(tensor))
    return relevant


def _pass_on(
    tensor: Tensor,
    g: np.ndarray,
    relevant: set[int],
    flowing: dict[int, np.ndarray],
    summed: set[int],
) -> None:
    """Add to the gradients of a tensor's inputs what its op gives them."""
    output = tensor.as_computed().value
    parts = tensor.op.backward(g, output, *[source.value for source in tensor.inputs])
    for source, part in zip(tensor.inputs, parts, strict=True):
        key = id(source)
        if part is None or key not in relevant:
            continue
        if part.ndim > source.value.ndim and source.dims[0] == "batch":
            # A vector of each example, which was used at all its positions.
            part = part.sum(tuple(range(1, 1 + part.ndim - source.value.ndim)))
        if part.shape != source.value.shape:
            part = summed_to(part, source.value.shape)
        before = flowing.get(key)
        if before is None:
            flowing[key] = part
        elif key in summed:  # a sum of our own, that nobody else holds
            before += part
        else:
            flowing[key] = before + part
            summed.add(key)


def gradient_for_inputs(tensor: Tensor, g: np.ndarray) -> np.ndarray | None:
    """Of a tensor's gradient what goes on to its inputs: nothing where a cell is overridden."""
    if tensor.override is None:
        return g
    if tensor.override.hooks and tensor.override.whole is None:
        return np.where(np.asarray(tensor.overridden), g.dtype.type(0), g)
    return tensor.override.gradient_for_inputs(g, len(tensor.dims) - ("batch" in tensor.dims))


def summed_to(gradient: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """The sum over the leading axes that a smaller array was repeated along."""
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


def _fill_with_zeros(trace: Trace, asked: Collection[str], found: dict[str, np.ndarray]) -> None:
    """What the loss does not depend on has the gradient 0; ids and masks have none."""
    for name, tensor in trace.tensors.items():
        is_real = tensor.value.dtype.kind == "f" and name.rpartition(".")[2] != "mask"
        if name in asked and name not in found and is_real:
            found[name] = np.zeros_like(tensor.value)
