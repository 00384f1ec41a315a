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
    if "sweep" in trace.leading:
        raise ValueError("Gradients are of one setting; take one frame of the sweep first.")
    origin = trace[path]
    asked = trace.tensors.keys() if wanted is None else set(wanted)
    relevant = _relevant(trace, asked)
    flowing = {id(origin): np.ones_like(origin.value) if seed is None else seed}
    found: dict[str, np.ndarray] = {}
    summed: set[int] = set()
    for name, tensor in reversed(trace.tensors.items()):
        g = flowing.pop(id(tensor), None)
        if g is None:
            continue
        if name in asked:
            found[name] = g
        released = passed_on(tensor, g)
        if released is not None and any(id(source) in relevant for source in tensor.inputs):
            _pass_on(tensor, released, relevant, flowing, summed)
    if wanted is None or len(found) < len(asked):
        _fill_with_zeros(trace, asked, found)
    return found


def _relevant(trace: Trace, asked: Collection[str]) -> set[int]:
    """Tensors of real numbers that are asked for, or computed from such a one."""
    relevant: set[int] = set()
    for name, tensor in trace.tensors.items():
        if tensor.value.dtype.kind == "f" and (
            name in asked or any(id(source) in relevant for source in tensor.inputs)
        ):
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
        if part is None or id(source) not in relevant:
            continue
        part = summed_to(part, source.value.shape)
        before = flowing.get(id(source))
        if before is None:
            flowing[id(source)] = part
        elif id(source) in summed:  # a sum of our own, that nobody else holds
            before += part
        else:
            flowing[id(source)] = before + part
            summed.add(id(source))


def passed_on(tensor: Tensor, g: np.ndarray) -> np.ndarray | None:
    """Of a tensor's gradient what goes on to its inputs: nothing where a cell is overridden."""
    if tensor.override is None:
        return g
    return tensor.override.released(g, len(tensor.dims) - ("batch" in tensor.dims))


def summed_to(gradient: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """The sum over the leading axes that a smaller array was repeated along."""
    extra = gradient.ndim - len(shape)
    if extra:
        repeats = math.prod(gradient.shape[:extra])
        own = gradient.shape[extra:]
        # A product with a vector of ones is the fastest sum of rows.
        gradient = (np.ones(repeats, gradient.dtype) @ gradient.reshape(repeats, -1)).reshape(own)
    repeated = tuple(i for i, n in enumerate(shape) if n == 1 and gradient.shape[i] != 1)
    return gradient.sum(repeated, keepdims=True) if repeated else gradient


def _fill_with_zeros(trace: Trace, asked: Collection[str], found: dict[str, np.ndarray]) -> None:
    """What the loss does not depend on has the gradient 0; ids and masks have none."""
    for name, tensor in trace.tensors.items():
        is_real = tensor.value.dtype.kind == "f" and name.rpartition(".")[2] != "mask"
        if name in asked and name not in found and is_real:
            found[name] = np.zeros_like(tensor.value)
