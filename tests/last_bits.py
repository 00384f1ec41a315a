"""`pytest --last-bits=SEED`: the mathematics as on another processor, with other last bits.

BLAS and NumPy choose their code by the processor, so the same product has other last bits on
another machine. Here, every matrix product, sum, exponential and similar result is computed as
usual. It is then changed by one or two units in its last place and by about its rounding error,
which is larger if large numbers cancel.

Results that are the same on any processor stay: infinities, NaN and results without rounding, such
as zeros, counts, masks and rows of a table. Whether a result was rounded is found by computing it
with more digits. As on one machine, products of the same shapes have equal bits for equal rows and
columns; products of other shapes may differ.
"""

import ast
import math
import sys
from collections.abc import Callable, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from types import CodeType
from typing import Any

import numpy as np
from numpy._core import _methods

PACKAGES = ("transformer_math", "tinkerformer")  # packages whose `a @ b` is changed
# Functions of one number. `sqrt` is not among them, because it is exact by IEEE 754, like + − × /.
FUNCTIONS = (
    *("exp", "exp2", "expm1", "log", "log2", "log10", "log1p"),
    *("sin", "cos", "tan", "sinh", "cosh", "tanh"),
)
_AT_MOST_ONE = ("sin", "cos", "tanh")
_WIDER: dict[str, Any] = {"f": np.float64, "d": np.longdouble}
_STORED = {"f": np.uint32, "d": np.uint64}
_UNIT = {kind: np.finfo(kind).eps for kind in _WIDER}  # units in the last place of 1
_SIGN = np.uint64(63)  # the position of a float64's sign bit
_NOISE = 1 << 16  # the number of stored changes


class LastBits:
    """The changes that a seed makes to the last bits of every result, in this process."""

    def __init__(self, seed: int) -> None:
        if np.finfo(np.longdouble).nmant <= np.finfo(np.float64).nmant:
            raise RuntimeError("--last-bits needs floats of more than 64 bits, as x86-64 has them.")
        if loaded := [name for name in PACKAGES if name in sys.modules]:
            raise RuntimeError(f"--last-bits comes too late: {loaded[0]} is imported.")
        random = np.random.default_rng(seed)
        self._noise = random.uniform(1, 2, _NOISE) * random.choice([-1, 1], _NOISE)
        self._twice = np.concatenate([self._noise, self._noise])
        self._of_shapes: dict[tuple[Any, ...], np.ndarray] = {}
        self._salt = int(random.integers(1 << 31)) | 1
        sys.meta_path.insert(0, _Products())
        for name in ("matmul", "dot", "inner", "vdot"):
            self._replace(np, name, self._product)
        for name in FUNCTIONS:
            self._replace(np, name, self._value)
        self._replace(np.linalg, "solve", self._solved)
        np.add = _Add(self)  # type: ignore[assignment]
        _methods.umr_sum = np.add.reduce  # of array.sum and array.mean

    def moved(
        self, y: Any, precise: Callable[[Any], Any], noise: Any = None, out: Any = None
    ) -> Any:
        """Return results y as another processor would compute them.

        Args:
            y: computed results of any type; only floats are changed.
            precise: computes them in a wider type, or as a `_Sum`.
            noise: the amount and direction of each change; by default it depends only on the value.
            out: the array for the result.
        """
        kind = getattr(getattr(y, "dtype", None), "char", "")
        if kind not in _WIDER:
            return y
        with np.errstate(all="ignore"):
            # The following needs no wider type, for which NumPy has no fast operations.
            away = np.asarray(y - precise(_WIDER[kind]), np.float64)
            exact = away == 0
            np.abs(away, away)
            away += np.abs(y) * _UNIT[kind]
            away *= self._by_value(y) if noise is None else noise
            np.copyto(away, 0, where=exact)
            found = np.asarray(y + away, y.dtype)
        finite = np.isfinite(found)
        if not finite.all():
            np.copyto(found, y, where=~finite)
        if out is None:
            return found[()]
        out[...] = found
        return out

    def _by_value(self, x: np.ndarray) -> np.ndarray:
        mixed = _stored(x) * _STORED[x.dtype.char](self._salt)
        return self._noise[(mixed ^ (mixed >> 15)) % _NOISE]

    def _by_place(self, y: np.ndarray, *operands: Any) -> np.ndarray:
        """Return noise for the cells of a product: by its shape, the cell's place and the value.

        Cells of the same place, row and column are equal on any machine. So are equal examples of a
        batch, each of which is a separate product.
        """
        shapes = [np.shape(each)[-2:] for each in operands]
        own = y.shape[-2:] if min(map(len, shapes)) == 2 else y.shape
        key = (*shapes, own)
        noise = self._of_shapes.get(key)
        if noise is None:
            start, size = hash((*shapes, self._salt)) % _NOISE, math.prod(own)
            noise = self._twice[start : start + size]
            if noise.size < size:
                noise = np.resize(self._twice[start:], size)
            noise = self._of_shapes[key] = noise.reshape(own).view(np.uint64)
        # The sign of a float is its first bit.
        last: np.ndarray = (_stored(y) & 1).astype(np.uint64)
        last <<= _SIGN
        last ^= noise
        return last.view(np.float64)

    # -- replacements of NumPy's functions ------------------------------------------------------

    def _replace(self, module: Any, name: str, by: Callable[..., Any]) -> None:
        setattr(module, name, _Replaced(getattr(module, name), by))

    def _product(self, function: Any, a: Any, b: Any, out: Any = None, **options: Any) -> Any:
        y = function(a, b, **options) if out is None else function(a, b, out=out, **options)
        if np.shape(a)[-1:] == (1,) or np.asarray(y).dtype.char not in _WIDER:
            return y  # a single product, or whole numbers, is not changed

        def precise(wide: Any) -> Any:
            if wide is np.longdouble and function.__name__ == "matmul" and _are_matrices(a, b):
                return _precise_product(function, a, b)
            return function(np.asarray(a, wide), np.asarray(b, wide))

        return self.moved(y, precise, self._by_place(np.asarray(y), a, b), out)

    def _value(self, function: Any, x: Any, out: Any = None, **options: Any) -> Any:
        """Compute a function of numbers; equal numbers get equal changes."""
        if not isinstance(x, np.ndarray | np.generic) and hasattr(x, "__array_ufunc__"):
            return function(x)  # an expression for an explanation, not numbers
        x = np.array(x) if out is not None else np.asarray(x)  # it may be overwritten
        y = function(x, out, **options)
        if x.dtype.char not in _WIDER:
            return y
        noise = self._by_value(x)
        found = self.moved(y, lambda wide: function(x.astype(wide)), noise, out)
        return np.clip(found, -1, 1, out) if function.__name__ in _AT_MOST_ONE else found

    def _solved(self, function: Any, a: Any, b: Any) -> Any:
        y = function(a, b)
        # No wider type computes it, so assume a rounding error of a unit of the largest number.
        return self.moved(y, lambda _: y + np.finfo(y.dtype).eps * np.abs(y).max(initial=0))


class _Sum:
    """A large and a small part (…), whose sum has more digits than a float."""

    __array_ufunc__ = None  # so that `y - sum` is computed here

    def __init__(self, large: np.ndarray, small: np.ndarray) -> None:
        self.large, self.small = large, small

    def __rsub__(self, y: Any) -> Any:
        return (y - self.large) - self.small


def _are_matrices(*operands: Any) -> bool:
    return all(isinstance(each, np.ndarray) and each.ndim > 1 for each in operands)


def _precise_product(matmul: Any, a: np.ndarray, b: np.ndarray) -> _Sum:
    """Compute a product of float64 with twice as many digits, by BLAS, which has no wider type.

    The leading bits of both are so few that their product is exact (Ozaki et al., 2012).
    """
    inner = max(a.shape[-1], 1)
    bits = (53 - math.ceil(math.log2(inner) + 1)) // 2
    a, b = np.asarray(a, np.float64), np.asarray(b, np.float64)
    a_large, b_large = _leading(a, -1, bits), _leading(b, -2, bits)
    a_small, b_small = a - a_large, b - b_large
    return _Sum(matmul(a_large, b_large), matmul(a_large, b_small) + matmul(a_small, b))


def _leading(x: np.ndarray, axis: int, bits: int) -> np.ndarray:
    """Round numbers (…) to a number of bits of the largest along an axis."""
    exponent = np.frexp(np.abs(x).max(axis, keepdims=True, initial=0))[1]
    carry = np.ldexp(0.75, exponent + 53 - bits)
    return (x + carry) - carry


def _stored(x: Any) -> np.ndarray:
    """Return the bits of floats (…), as whole numbers."""
    x = np.asarray(x, order="C")
    return x.view(_STORED[x.dtype.char])


def _as_ever(function: Any, *args: Any, **options: Any) -> Any:
    return function(*args, **options)


class _Replaced:
    """A function of NumPy that calls a replacement, with the other attributes of the original."""

    def __init__(self, function: Any, by: Callable[..., Any]) -> None:
        self._function, self._by = function, by

    def __call__(self, *args: Any, **options: Any) -> Any:
        return self._by(self._function, *args, **options)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._function, name)


class _Add(_Replaced):
    """`np.add`, whose sums are changed; sums of two numbers are equal on any processor."""

    def __init__(self, bits: LastBits) -> None:
        super().__init__(np.add, _as_ever)
        self._bits = bits

    def reduce(
        self, x: Any, axis: Any = 0, dtype: Any = None, out: Any = None, *rest: Any, **options: Any
    ) -> Any:
        def of(kind: Any, out: Any = None) -> Any:
            return self._function.reduce(x, axis, kind, out, *rest, **options)

        y = of(dtype, out)
        return y if np.size(x) <= 2 * np.size(y) else self._bits.moved(y, of, out=out)

    def reduceat(self, x: Any, starts: Any, axis: int = 0) -> Any:
        def of(kind: Any) -> Any:
            return self._function.reduceat(x, starts, axis, kind)

        return self._bits.moved(of(None), of)


# -- `a @ b`, which is an operator and no function -----------------------------------------------


class _Products(MetaPathFinder):
    """Loads modules of the packages with `numpy.matmul(a, b)` instead of `a @ b`."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: Any = None) -> Any:
        if name.partition(".")[0] not in PACKAGES:
            return None
        for finder in sys.meta_path:
            spec: ModuleSpec | None = None
            if finder is not self and (spec := finder.find_spec(name, path, target)):
                if isinstance(spec.loader, SourceFileLoader):
                    spec.loader = _Loader(spec.loader.name, spec.loader.path)
                return spec
        return None


class _Loader(SourceFileLoader):
    def get_code(self, fullname: str) -> CodeType:
        """Compile the source, and do not use bytecode of an earlier import."""
        tree = ast.parse(self.get_data(self.path), self.path)
        return compile(ast.fix_missing_locations(_Calls().visit(tree)), self.path, "exec")


class _Calls(ast.NodeTransformer):
    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        if not isinstance(node.op, ast.MatMult):
            return node
        numpy = ast.parse("__import__('numpy').matmul", mode="eval").body
        return ast.copy_location(ast.Call(numpy, [node.left, node.right], []), node)
