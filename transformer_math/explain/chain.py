"""The chain rule at one cell: the cells through which it affects the loss, and their effects.

∂loss/∂x is the sum, over the cells y that are computed from x, of ∂loss/∂y · ∂y/∂x. The second
factor is read off the expression for the op's gradient, which is linear in ∂loss/∂y.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from transformer_math.graph.backward import LOSS, sum_to_shape
from transformer_math.graph.one_text import check_one_text
from transformer_math.graph.trace import Trace
from transformer_math.ops.base import IDENTITY
from transformer_math.ops.expression import (
    Cell,
    Difference,
    Expression,
    Named,
    Product,
    Quotient,
    Sum,
)
from transformer_math.ops.tensor import Index, Tensor


class Term(NamedTuple):
    """One term of the chain rule.

    Attributes:
        cell: the cell y, which is computed from another cell x.
        gradient: ∂loss/∂y.
        slope: ∂y/∂x; 0 if y is overridden.
    """

    cell: Cell
    gradient: float
    slope: float

    @property
    def product(self) -> float:
        """The contribution of this term to ∂loss/∂x."""
        return self.gradient * self.slope if self.slope else 0.0


def chain_rule(trace: Trace, path: str, index: Index) -> list[Term]:
    """Return the terms whose products sum to a cell's gradient, past steps that are switched off.

    Call ``trace.backward()`` first. The loss itself has no terms.

    Raises:
        NoSuchPath: no such path.
        ValueError: there is no such cell, or the trace has a batch or sweep axis.
    """
    check_one_text(trace)
    tensor, cell = trace.locate(path, index)
    return _terms(trace, tensor, cell, {LOSS, *trace.upstream(LOSS)})


def _terms(trace: Trace, tensor: Tensor, cell: Index, counted: set[str]) -> list[Term]:
    found: list[Term] = []
    for reader, which in trace.readers(tensor.path):
        if reader.path not in counted or reader.grad is None:
            continue
        if reader.op is IDENTITY and reader.override is None:
            found += _terms(trace, reader, cell, counted)
            continue
        flow = reader.gradient(reader.grad)
        expression = reader.op.explain_gradient(flow, reader.as_computed(), which, cell)
        by_hand = reader.overridden
        for at, slope in _Linear(expression, flow).slopes.items():
            is_set = by_hand is not None and by_hand[at]
            gradient = float(reader.grad[at])
            found.append(Term(Cell(reader, at), gradient, 0.0 if is_set else slope))
    return found


def made_of(trace: Trace, path: str, index: Index) -> list[Term]:
    """Return the cells from which a cell is computed, each with its gradient and a slope.

    Here ``slope`` is the derivative of the given cell with respect to the term's cell. Cells on
    which it does not depend are left out. An overridden cell, which is not computed, has no terms.

    Raises:
        NoSuchPath: no such path.
        ValueError: there is no such cell, or the trace has a batch or sweep axis.
    """
    check_one_text(trace)
    tensor, cell = trace.locate(path, index)
    by_hand = tensor.overridden
    if tensor.is_leaf or (by_hand is not None and by_hand[cell]):
        return []
    values = [source.value for source in tensor.inputs]
    seed = np.zeros(tensor.shape, tensor.value.dtype)
    seed[cell] = 1
    found = []
    backward = tensor.op.backward(seed, tensor.as_computed().value, *values)
    for source, part in zip(tensor.inputs, backward, strict=True):
        if part is None or source.grad is None:
            continue
        part = sum_to_shape(part, source.shape)
        while source.op is IDENTITY and source.override is None:
            source = source.inputs[0]
        assert source.grad is not None
        for at in zip(*map(np.ndarray.tolist, np.nonzero(part)), strict=True):
            found.append(Term(Cell(source, at), float(source.grad[at]), float(part[at])))
    return found


class _Linear:
    """Finds the coefficient of each gradient cell in an expression that is linear in them."""

    def __init__(self, expression: Expression, flow: Tensor) -> None:
        self._flow = flow
        self._known: dict[int, bool] = {}  # by node, which the expression keeps alive
        self.slopes: dict[Index, float] = {}
        self._add(expression, 1.0)

    def _add(self, part: Expression, factor: float) -> None:
        if not self._has_flow(part):
            return
        if isinstance(part, Cell):
            self.slopes[part.index] = self.slopes.get(part.index, 0.0) + factor
        elif isinstance(part, Sum):
            for each in part.parts:
                self._add(each, factor)
        elif isinstance(part, Difference):
            self._add(part.left, factor)
            self._add(part.right, -factor)
        elif isinstance(part, Product):
            (linear,) = [each for each in part.parts if self._has_flow(each)]
            others = (each.evaluate() for each in part.parts if each is not linear)
            self._add(linear, factor * math.prod(others))
        elif isinstance(part, Quotient):
            below = part.below.evaluate()
            self._add(part.above, factor / below if below else 0.0)
        elif isinstance(part, Named):
            self._add(part.body, factor)
        else:
            raise TypeError(f"{type(part).__name__} is not linear.")

    def _has_flow(self, part: Expression) -> bool:
        if isinstance(part, Cell):
            return part.tensor is self._flow
        known = self._known.get(id(part))
        if known is None:
            self._known[id(part)] = known = any(map(self._has_flow, part.children()))
        return known
