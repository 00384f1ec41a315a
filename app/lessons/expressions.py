"""Evaluates expressions of live numbers, by an interpreter with a whitelist, not by ``eval``."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from ..view_model.page_location import FORMER_VIEWS
from .numbers import FUNCTIONS as FUNCTIONS

MAX_LENGTH = 500
MAX_POWER = 64
MAX_DEPTH = 60  # keeps evaluation far below Python's recursion limit

_BINARY: Mapping[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_COMPARED: Mapping[type[ast.AST], Callable[[Any, Any], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
_ARITHMETIC: Mapping[str, Callable[..., Any]] = {
    "abs": abs,
    "sqrt": math.sqrt,
    "exp": math.exp,
    "log": math.log,
    "sin": math.sin,
    "cos": math.cos,
    "min": min,
    "max": max,
    "round": round,
}
# Functions that compute many passes and are therefore slow.
SLOW = frozenset({"alone", "phrases_right", "swing"})
AT_START = "at_start"
NAMES = frozenset({"given", "right"})


class Numbers(Protocol):
    """The numbers that an expression is evaluated on."""

    def ask(self, name: str, arguments: list[Any]) -> Any:
        """Evaluate one of ``FUNCTIONS``."""

    def at_start(self) -> Numbers:
        """Return the numbers when the step began."""


class CheckError(ValueError):
    """An expression is invalid, or has no value on these numbers; the message is one sentence."""


class Check:
    """An expression of numbers, text, arithmetic, comparisons, logical operators and functions."""

    __slots__ = ("text", "_tree")

    def __init__(self, text: str) -> None:
        """Parse the expression; ``CheckError`` if it is invalid."""
        self.text = text
        if len(text) > MAX_LENGTH:
            raise CheckError(f"a check has at most {MAX_LENGTH} characters")
        try:
            self._tree = ast.parse(text.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise CheckError(f"{text[:80]!r} is no expression") from None
        _look_through(self._tree)
        _rename_views(self._tree)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Check) and other.text == self.text

    def __hash__(self) -> int:
        return hash(self.text)

    @property
    def is_slow(self) -> bool:
        """Whether the expression calls a slow function."""
        return any(
            isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SLOW
            for node in ast.walk(self._tree)
        )

    def asked(self, numbers: Numbers) -> tuple[str, list[Any]] | None:
        """Return the function and arguments of an expression that is a single call; else None."""
        match self._tree:
            case ast.Call(func=ast.Name(id=name), args=nodes) if name in FUNCTIONS:
                return name, [Check(ast.unparse(node))(numbers) for node in nodes]
        return None

    def __call__(self, numbers: Numbers, **names: Any) -> Any:
        """Evaluate the expression; ``CheckError`` if it refers to something that does not exist."""
        try:
            return _evaluated(self._tree, numbers, names)
        except CheckError:
            raise
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            said = str(error.args[0]) if error.args else type(error).__name__
            raise CheckError(f"{self.text!r} cannot be computed: {said}") from None


def _rename_views(tree: ast.AST) -> None:
    """Replace former names of views by the present ones, in comparisons with ``view()``."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Compare):
            continue
        sides = [node.left, *node.comparators]
        if any(isinstance(side, ast.Call) and ast.unparse(side) == "view()" for side in sides):
            for inner in (each for side in sides for each in ast.walk(side)):
                if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
                    inner.value = FORMER_VIEWS.get(inner.value, inner.value)


def _look_through(node: ast.AST, depth: int = 0) -> None:
    """Raise ``CheckError`` if the syntax tree has a forbidden node or is too deep."""
    if depth > MAX_DEPTH:
        raise CheckError(f"a check is nested at most {MAX_DEPTH} deep")
    if isinstance(node, ast.Constant):
        if type(node.value) not in (int, float, str, bool):
            raise CheckError(f"{ast.unparse(node)} is not allowed in a check")
        return
    if isinstance(node, ast.Name):
        if node.id not in NAMES:
            raise CheckError(f"there is no name {node.id}; there are {_listed(NAMES)}")
        return
    for child in _children(node):
        _look_through(child, depth + 1)


def _children(node: ast.AST) -> list[ast.expr]:
    """Return the operands of a node; ``CheckError`` if the node is not allowed."""
    match node:
        case ast.Call():
            _look_at_call(node)
            return node.args
        case ast.BinOp() if type(node.op) in (*_BINARY, ast.Pow):
            return [node.left, node.right]
        case ast.UnaryOp(op=ast.USub() | ast.Not()):
            return [node.operand]
        case ast.BoolOp():
            return node.values
        case ast.Compare() if all(type(op) in _COMPARED for op in node.ops):
            return [node.left, *node.comparators]
    raise CheckError(f"{ast.unparse(node)[:80]} is not allowed in a check")


def _look_at_call(node: ast.Call) -> None:
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    known = {AT_START, *FUNCTIONS, *_ARITHMETIC}
    if name not in known:
        raise CheckError(
            f"there is no function {ast.unparse(node.func)}; there are {_listed(known)}"
        )
    if node.keywords or any(isinstance(each, ast.Starred) for each in node.args):
        raise CheckError(f"{name} takes its arguments in their order")
    least, most = (1, 1) if name == AT_START else FUNCTIONS.get(name, (1, 8))
    if not least <= len(node.args) <= most:
        count = f"{least}" if least == most else f"{least} to {most}"
        raise CheckError(f"{name} takes {count} arguments, not {len(node.args)}")


def _evaluated(node: ast.AST, numbers: Numbers, names: Mapping[str, Any]) -> Any:
    def of(child: ast.AST) -> Any:
        return _evaluated(child, numbers, names)

    match node:
        case ast.Constant():
            return node.value
        case ast.Name():
            return _named(node.id, names)
        case ast.Call(func=ast.Name(id="at_start")):
            return _evaluated(node.args[0], numbers.at_start(), names)
        case ast.Call(func=ast.Name(id=name)):
            arguments = [of(each) for each in node.args]
            return _called(name, arguments, numbers)
        case ast.BinOp():
            return _computed(node.op, of(node.left), of(node.right))
        case ast.UnaryOp(op=ast.Not()):
            return not of(node.operand)
        case ast.UnaryOp():
            return -of(node.operand)
        case ast.BoolOp() | ast.Compare():
            return _is_true(node, of)
    raise CheckError("this is not allowed in a check")


def _named(name: str, names: Mapping[str, Any]) -> Any:
    if name not in names:
        raise CheckError(f"{name} stands for something in hints alone")
    return names[name]


def _called(name: str, arguments: list[Any], numbers: Numbers) -> Any:
    own = _ARITHMETIC.get(name)
    return own(*arguments) if own else numbers.ask(name, arguments)


def _is_true(node: ast.BoolOp | ast.Compare, of: Callable[[ast.AST], Any]) -> bool:
    if isinstance(node, ast.BoolOp):
        every = all if isinstance(node.op, ast.And) else any
        return every(of(each) for each in node.values)
    left = of(node.left)
    for op, each in zip(node.ops, node.comparators, strict=True):
        right = of(each)
        if not _COMPARED[type(op)](left, right):
            return False
        left = right
    return True


def _computed(op: ast.operator, left: Any, right: Any) -> float:
    if not all(isinstance(x, int | float) for x in (left, right)):
        raise CheckError("only numbers are added, multiplied and divided")
    if isinstance(op, ast.Pow):
        if abs(right) > MAX_POWER:
            raise CheckError(f"a power is at most {MAX_POWER}")
        return float(left) ** right  # type: ignore[no-any-return]
    return _BINARY[type(op)](left, right)  # type: ignore[no-any-return]


def _listed(names: object) -> str:
    return ", ".join(sorted(names))  # type: ignore[call-overload]
