"""The course of a pass: which op reads what, found by the first pass and the same for all like it.

Two passes of a model differ in their ids and in the parameters' values; what is computed from what
stays as it is. In a small model it takes as long to find that out as to compute.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from transformer_math.graph.trace import Trace
from transformer_math.ops import Op
from transformer_math.ops.tensor import Tensor


class Stop(NamedTuple):
    """One tensor of a course: all that it has but its value.

    Attributes:
        op: it comes from.
        read: of all stops before, takes those that it reads; None for a leaf.
        path: where it stands.
        dims: the names of its axes.
        symbol: LaTeX of its name.
    """

    op: Op
    read: Callable[[list[Any]], Sequence[Any]] | None
    path: str
    dims: tuple[str, ...]
    symbol: str


Course = tuple[Stop, ...]


def course_of(trace: Trace) -> Course:
    """The course that a pass took, in which nothing was overridden or dropped."""
    numbers = {id(tensor): number for number, tensor in enumerate(trace.tensors.values())}
    return tuple(
        Stop(t.op, _taking([numbers[id(source)] for source in t.inputs]), path, t.dims, t.symbol)
        for path, t in trace.tensors.items()
    )


def follow(course: Course, leaves: Mapping[str, np.ndarray], trace: Trace) -> None:
    """Take the course with these leaves, path -> array, and put what arises into a trace."""
    tensors = trace.tensors
    passed: list[Tensor] = []
    values: list[np.ndarray] = []
    inputs: tuple[Tensor, ...]
    for op, read, path, dims, symbol in course:
        if read is None:
            inputs, value = (), leaves[path]
        else:
            inputs, value = tuple(read(passed)), op.forward(*read(values))
        tensor = tensors[path] = Tensor(value, op, inputs, path, dims, symbol)
        passed.append(tensor)
        values.append(value)


def _taking(numbers: list[int]) -> Callable[[list[Any]], Sequence[Any]] | None:
    """What takes these items of a list; None if there are none."""
    if not numbers:
        return None
    if len(numbers) == 1:
        return operator.itemgetter(slice(numbers[0], numbers[0] + 1))
    return operator.itemgetter(*numbers)
