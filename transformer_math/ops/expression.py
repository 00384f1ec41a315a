"""The arithmetic of one cell as an expression tree, to be written in symbols or in numbers.

An op builds a cell's tree from the cells of its inputs. The tree can be evaluated to the cell's
value, written with the paper's symbols, or written with numbers.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias, Union

import numpy as np

from transformer_math.ops.tensor import Index, Tensor, head_path

Namer = Callable[["Cell"], str]
Formatter = Callable[[float], str]
Operand: TypeAlias = Union["Expression", float, np.floating[Any]]

FOLD = 4  # number of written terms of a long sum; an ellipsis replaces the others


def plain_number(x: float) -> str:
    """Write a number with 3 digits below 1, 2 decimals below 1,000, else in scientific notation."""
    if x == -math.inf:
        return "−∞"
    if x == 0 or 0.0005 <= abs(x) < 1000:
        return (f"{x:.3g}" if abs(x) < 1 else f"{x:.2f}").replace("-", "−")
    return f"{x:.2e}".replace("e-0", "e−").replace("e+0", "e").replace("-", "−")


def index_name(cell: Cell) -> str:
    """Return ``q[2, 0]``, or ``∂q[2, 0]`` for a gradient: the path's leaf, and indices from 0."""
    mark = "∂" if cell.tensor.symbol.startswith(r"\partial ") else ""
    leaf = cell.tensor.path.rpartition(".")[2]
    return f"{mark}{leaf}[{', '.join(map(str, cell.index))}]"


class Expression:
    """A node of the tree.

    Arithmetic operators and NumPy functions of one argument return an expression instead of a
    number; ``Elementwise`` ops are explained in this way.
    """

    def children(self) -> Sequence[Expression]:
        """Return the direct children of this node."""
        return ()

    def evaluate(self) -> float:
        """Return the value, computed in double precision from the operands."""
        raise NotImplementedError

    def write(self, leaf: Callable[[Cell | Number], str], fold: int | None = FOLD) -> str:
        """Return the arithmetic as text; ``leaf`` writes cells and constants."""
        raise NotImplementedError

    def __add__(self, other: Operand) -> Expression:
        return Sum((self, as_expression(other)))

    def __radd__(self, other: Operand) -> Expression:
        return Sum((as_expression(other), self))

    def __sub__(self, other: Operand) -> Expression:
        return Difference(self, as_expression(other))

    def __rsub__(self, other: Operand) -> Expression:
        return Difference(as_expression(other), self)

    def __mul__(self, other: Operand) -> Expression:
        return Product((self, as_expression(other)))

    def __rmul__(self, other: Operand) -> Expression:
        return Product((as_expression(other), self))

    def __truediv__(self, other: Operand) -> Expression:
        return Quotient(self, as_expression(other))

    def __rtruediv__(self, other: Operand) -> Expression:
        return Quotient(as_expression(other), self)

    def __pow__(self, exponent: int) -> Expression:
        return Product((self,) * exponent)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Operand) -> Any:
        """Apply a ufunc of one argument, or an operator with a NumPy number on its left."""
        if method == "__call__" and len(inputs) == 1:
            return apply(ufunc.__name__, ufunc, self)
        if method == "__call__" and ufunc in _OPERATORS:
            return _OPERATORS[ufunc](*map(as_expression, inputs))
        return NotImplemented

    def __str__(self) -> str:
        """Return ``symbols = numbers = value``, without the numbers if they are the value."""
        value = plain_number(self.evaluate())
        sides = [self.symbols(), self.numbers()]
        if sides[1].strip("()") == value:
            sides.pop()
        return " = ".join([*sides, value])

    def operands(self) -> Iterator[Cell]:
        """Yield every cell in the expression, from left to right."""
        for child in self.children():
            yield from child.operands()

    def symbols(self, name: Namer = index_name, fold: int | None = FOLD) -> str:
        """Return the arithmetic with symbols for the operands."""
        return self.write(lambda x: name(x) if isinstance(x, Cell) else x.label, fold)

    def numbers(self, number: Formatter = plain_number, fold: int | None = FOLD) -> str:
        """Return the arithmetic with the operands' values."""

        def leaf(x: Cell | Number) -> str:
            if isinstance(x, Number) and x.exact:
                return x.label
            text = number(x.evaluate())
            return f"({text})" if text.startswith("−") else text

        return self.write(leaf, fold)


@dataclass(frozen=True)
class Cell(Expression):
    """One cell of one tensor."""

    tensor: Tensor
    index: Index

    def evaluate(self) -> float:
        return float(self.tensor.value[self.index])

    def write(self, leaf: Callable[[Cell | Number], str], fold: int | None = FOLD) -> str:
        return leaf(self)

    def operands(self) -> Iterator[Cell]:
        yield self

    @property
    def address(self) -> tuple[str, Index]:
        """Path and index as shown on the page: a tensor with heads is addressed by its head."""
        if self.tensor.dims and self.tensor.dims[0] == "head":
            return head_path(self.tensor.path, self.index[0]), self.index[1:]
        return self.tensor.path, self.index


@dataclass(frozen=True)
class Number(Expression):
    """A constant; an ``exact`` constant is written as its label, such as √4, not as its value."""

    value: float
    label: str
    exact: bool = False

    def evaluate(self) -> float:
        return self.value

    def write(self, leaf: Callable[[Cell | Number], str], fold: int | None = FOLD) -> str:
        return leaf(self)

    def operands(self) -> Iterator[Cell]:
        return iter(())


@dataclass(frozen=True)
class Sum(Expression):
    """a + b + …"""

    parts: Sequence[Expression]

    def children(self) -> Sequence[Expression]:
        return self.parts

    def evaluate(self) -> float:
        return math.fsum(part.evaluate() for part in self.parts)

    def write(self, leaf: Callable[[Cell | Number], str], fold: int | None = FOLD) -> str:
        parts = list(self.parts)
        texts = [part.write(leaf, fold) for part in parts[:fold]]
        if fold is not None and len(parts) > fold:
            # The last term is always written, because it is often a bias.
            texts[-1:] = ["…", parts[-1].write(leaf, fold)]
        return " + ".join(texts)


@dataclass(frozen=True)
class Product(Expression):
    """a · b · …"""

    parts: Sequence[Expression]

    def children(self) -> Sequence[Expression]:
        return self.parts

    def evaluate(self) -> float:
        return math.prod(part.evaluate() for part in self.parts)

    def write(self, leaf: Callable[[Cell | Number], str], fold: int | None = FOLD) -> str:
        return "·".join(_wrap(part, leaf, fold, (Sum, Difference, Quotient)) for part in self.parts)


@dataclass(frozen=True)
class Difference(Expression):
    """a − b"""

    left: Expression
    right: Expression

    def children(self) -> Sequence[Expression]:
        return (self.left, self.right)

    def evaluate(self) -> float:
        return self.left.evaluate() - self.right.evaluate()

    def write(self, leaf: Callable[[Cell | Number], str], fold: int | None = FOLD) -> str:
        right = _wrap(self.right, leaf, fold, (Sum, Difference))
        return f"{self.left.write(leaf, fold)} − {right}"


@dataclass(frozen=True)
class Quotient(Expression):
    """a / b"""

    above: Expression
    below: Expression

    def children(self) -> Sequence[Expression]:
        return (self.above, self.below)

    def evaluate(self) -> float:
        below = self.below.evaluate()
        # A softmax whose keys are all masked is 0 / 0, which counts as 0.
        return self.above.evaluate() / below if below else 0.0

    def write(self, leaf: Callable[[Cell | Number], str], fold: int | None = FOLD) -> str:
        compound = (Sum, Difference, Product, Quotient)
        above = _wrap(self.above, leaf, fold, (Sum, Difference))
        return f"{above} / {_wrap(self.below, leaf, fold, compound)}"


@dataclass(frozen=True)
class Apply(Expression):
    """A named function of one argument, for instance exp(x)."""

    name: str
    function: Callable[[float], float]
    argument: Expression

    def children(self) -> Sequence[Expression]:
        return (self.argument,)

    def evaluate(self) -> float:
        return self.function(self.argument.evaluate())

    def write(self, leaf: Callable[[Cell | Number], str], fold: int | None = FOLD) -> str:
        text = self.argument.write(leaf, fold)
        wrapped = isinstance(self.argument, Cell | Number) and text.startswith("(")
        return f"{self.name}{text}" if wrapped else f"{self.name}({text})"


@dataclass(frozen=True)
class Named(Expression):
    """A sub-expression that is written as a letter, such as the mean μ of a row."""

    name: str
    body: Expression

    def children(self) -> Sequence[Expression]:
        return (self.body,)

    def evaluate(self) -> float:
        return self._value

    @cached_property
    def _value(self) -> float:
        # Cached, because the mean of a row occurs in every term of its deviation.
        return self.body.evaluate()

    def write(self, leaf: Callable[[Cell | Number], str], fold: int | None = FOLD) -> str:
        return leaf(Number(self.evaluate(), self.name))


def apply(name: str, function: Callable[[Any], Any], x: Any) -> Any:
    """Return ``function(x)``, or for an expression x the expression ``name(x)``."""
    if isinstance(x, Expression):
        return Apply(name, lambda number: float(function(np.array([number]))[0]), x)
    return function(x)


def as_expression(x: Operand) -> Expression:
    """Return the expression itself; a number becomes a constant, written with up to six digits."""
    if isinstance(x, Expression):
        return x
    label = f"{x:g}".replace("-", "−")
    return Number(float(x), f"({label})" if x < 0 else label, exact=True)


_OPERATORS: dict[np.ufunc, Callable[[Any, Any], Any]] = {
    np.add: operator.add,
    np.subtract: operator.sub,
    np.multiply: operator.mul,
    np.divide: operator.truediv,
}


def dot(left: Sequence[Cell], right: Sequence[Cell]) -> Sum:
    """Return Σ left · right, one cell of a matrix product."""
    return Sum([Product((a, b)) for a, b in zip(left, right, strict=True)])


def _wrap(
    part: Expression,
    leaf: Callable[[Cell | Number], str],
    fold: int | None,
    loose: tuple[type[Expression], ...],
) -> str:
    text = part.write(leaf, fold)
    return f"({text})" if isinstance(part, loose) else text
