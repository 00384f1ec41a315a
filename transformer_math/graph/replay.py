"""Replays a recorded pass: its ops and their inputs stay the same, only its leaves change.

Two passes of a model differ in their ids, masks and parameters, but each op reads the same tensors.
In a small model, finding the ops and their inputs takes as long as the computation itself.

``replay`` makes a new trace, for callers that keep the earlier traces. ``recompute`` fills the
recorded trace again, so that an object derived from its tensors, such as a ``BackwardPass``, stays
valid; training uses this.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from transformer_math.graph.trace import Trace
from transformer_math.ops import Op
from transformer_math.ops.override import Override
from transformer_math.ops.tensor import Tensor

_NO_VALUE = np.empty(0)


class Step(NamedTuple):
    """One tensor of a recorded pass: everything but its value.

    Attributes:
        op: the operation that computes it.
        forward: the op's function of the inputs' values.
        gather: selects the op's inputs from a list with one item for each earlier step; None for a
            leaf.
        path: the path of the tensor.
        dims: the names of the axes.
        symbol: LaTeX of the name.
    """

    op: Op
    forward: Callable[..., np.ndarray]
    gather: Callable[[list[Any]], tuple[Any, ...]] | None
    path: str
    dims: tuple[str, ...]
    symbol: str


ReplayPlan = tuple[Step, ...]


def replay_plan(trace: Trace) -> ReplayPlan:
    """Return the steps of a pass without dropout, and without overrides of computed tensors."""
    numbers = {id(tensor): number for number, tensor in enumerate(trace.tensors.values())}
    steps = []
    for path, t in trace.tensors.items():
        gather = _gather([numbers[id(source)] for source in t.inputs])
        steps.append(Step(t.op, t.op.forward, gather, path, t.dims, t.symbol))
    return tuple(steps)


def replay(
    plan: ReplayPlan,
    leaves: Mapping[str, np.ndarray],
    trace: Trace,
    overrides: Mapping[str, Override],
    before: Trace | None = None,
) -> None:
    """Run the steps and add their tensors to an empty trace.

    Args:
        plan: the steps.
        leaves: path -> array of every leaf.
        trace: the empty trace.
        overrides: path -> numbers that are set in a parameter, the same for all examples.
        before: an earlier pass; if it has the same plan, its unchanged arrays are used again.
    """
    tensors, trace.plan = trace.tensors, plan
    known = before.tensors if before is not None and before.plan is plan else {}
    same: list[bool] = []  # for each step, whether its array equals that of the earlier pass
    made: list[Tensor] = []
    values: list[np.ndarray] = []
    inputs: tuple[Tensor, ...]
    for op, forward, gather, path, dims, symbol in plan:
        if gather is None:
            inputs, value = (), leaves[path]
            if path in overrides:
                value = overrides[path].apply(value, value.ndim)
            same.append(path in known and _is_equal(value, known[path].value))
        else:
            inputs = gather(made)
            same.append(bool(known) and all(gather(same)))
            value = known[path].value if same[-1] else forward(*gather(values))
        tensor = tensors[path] = Tensor(value, op, inputs, path, dims, symbol)
        made.append(tensor)
        values.append(value)
    for path, override in overrides.items():
        if path in tensors:
            tensors[path].override, tensors[path].computed = override, leaves[path]


def _is_equal(value: np.ndarray, before: np.ndarray) -> bool:
    return value is before or np.array_equal(value, before)


def recompute(trace: Trace, leaves: Mapping[str, np.ndarray]) -> None:
    """Compute all tensors of a trace again, in place.

    The trace has no overrides. Parameters that share memory with the model have its present values.

    Args:
        trace: the pass.
        leaves: path -> array of the leaves that changed, each of its former shape.
    """
    for path, array in leaves.items():
        trace.tensors[path].value = array
    for tensor in trace.tensors.values():
        if tensor.inputs:
            tensor.value = tensor.op.forward(*[source.value for source in tensor.inputs])


def drop_values(trace: Trace) -> None:
    """Free the memory of all computed values; the ops and inputs stay for ``recompute``."""
    for tensor in trace.tensors.values():
        if tensor.inputs:
            tensor.value = _NO_VALUE


def _gather(numbers: list[int]) -> Callable[[list[Any]], tuple[Any, ...]] | None:
    """Return a function that selects the items at these indices; None if there are no indices."""
    if not numbers:
        return None
    if len(numbers) == 1:
        number = numbers[0]
        return lambda items: (items[number],)
    return operator.itemgetter(*numbers)
