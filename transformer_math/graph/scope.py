"""Running the model with or without a trace, by the same code.

The layers are written with a *scope*: ``run("q", PROJECT_HEADS, x, run.parameter("W_q"))``
computes q and names it ``<scope>.q``. A recording scope passes Tensors along and keeps them in
a Trace; a silent one passes bare arrays and keeps nothing. The layers cannot tell which.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np

from transformer_math import seeding
from transformer_math.graph import paths
from transformer_math.graph.trace import Trace
from transformer_math.ops import IDENTITY, LEAF, Dropout, Op
from transformer_math.ops.override import Override
from transformer_math.ops.tensor import Tensor

Value = Any  # a Tensor while recording, an array while silent


class Scope(Protocol):
    """Where a layer computes: a place in the model with names for what arises there."""

    def __call__(self, leaf: str, op: Op, *inputs: Value) -> Value:
        """Compute ``op`` of the inputs and name the result."""

    def parameter(self, leaf: str) -> Value:
        """The parameter of this name."""

    def given(self, leaf: str, value: np.ndarray) -> Value:
        """Name an array that is not computed: ids or a mask."""

    def dropout(self, leaf: str, x: Value, rate: float) -> Value:
        """Dropout in training mode, else the input under the new name."""

    def has(self, leaf: str) -> bool:
        """Whether there is such a parameter."""

    def sub(self, name: str) -> Scope:
        """The scope of a part."""


class ForwardPass:
    """The settings of one forward pass, shared by its scopes.

    Attributes:
        parameters: path -> array.
        trace: where a recording pass keeps its tensors; ``tensors`` is its dict.
        overrides: what is overridden, by stored path.
        training: whether dropout is on.
        seed: which masks dropout draws.
        batch: the number of batch axes, 0 or 1.
    """

    __slots__ = ("batch", "overrides", "parameters", "seed", "tensors", "trace", "training")

    def __init__(
        self,
        parameters: Mapping[str, np.ndarray],
        overrides: Mapping[str, Override],
        training: bool = False,
        seed: int = 0,
        batch: int = 0,
    ) -> None:
        self.parameters = parameters
        self.overrides = overrides
        self.training = training
        self.seed = seed
        self.batch = batch
        self.trace = Trace(("batch",) if batch else ())
        self.tensors = self.trace.tensors

    def mask(self, path: str, shape: tuple[int, ...], rank: int, rate: float) -> Dropout:
        """The dropout of one site; its mask depends on the seed, the path and the shape alone."""
        own = shape[len(shape) - rank - self.batch :]  # frames of a sweep share one mask
        kept = seeding.generator(self.seed, path).random(own) >= rate
        return Dropout(rate, kept, next(iter(self.parameters.values())).dtype)


class Traced:
    """A scope that keeps every tensor."""

    __slots__ = ("run", "prefix", "leaves")

    def __init__(self, run: ForwardPass, prefix: str = "", kind: str | None = None) -> None:
        self.run = run
        self.prefix = prefix
        self.leaves = paths.TENSORS.get(kind or paths.kind_of(prefix), {})

    def __call__(self, leaf: str, op: Op, *inputs: Tensor) -> Tensor:
        return self._keep(leaf, op, inputs, op.forward(*[tensor.value for tensor in inputs]))

    def parameter(self, leaf: str) -> Tensor:
        run, path = self.run, self.prefix + leaf
        if path in run.tensors:  # a shared table has its name already
            return run.tensors[path]
        return self._keep(leaf, LEAF, (), run.parameters[path])

    def given(self, leaf: str, value: np.ndarray) -> Tensor:
        return self._keep(leaf, LEAF, (), value)

    def dropout(self, leaf: str, x: Tensor, rate: float) -> Tensor:
        if not (self.run.training and rate):
            return self(leaf, IDENTITY, x)
        rank = len(self.leaves[leaf].dims)
        return self(leaf, self.run.mask(self.prefix + leaf, x.value.shape, rank, rate), x)

    def has(self, leaf: str) -> bool:
        return self.prefix + leaf in self.run.parameters

    def sub(self, name: str) -> Traced:
        return Traced(self.run, f"{self.prefix}{name}.")

    def _keep(self, leaf: str, op: Op, inputs: tuple[Tensor, ...], value: np.ndarray) -> Tensor:
        """Name a value, override what is to be, and check that its axes are as named.

        A pass of a small model spends as long on this as on its products, so the usual case,
        where nothing is overridden and there is no batch, is the first and the shortest.
        """
        run = self.run
        path = self.prefix + leaf
        dims, symbol = self.leaves[leaf]
        if value.ndim == len(dims) and not run.overrides:
            tensor = run.tensors[path] = Tensor(value, op, inputs, path, dims, symbol)
            return tensor
        change, computed = run.overrides.get(path), value
        if change is not None:
            value = change.apply(value, len(dims))
        extra = value.ndim - len(dims)
        if extra:
            dims = axes_in_front(extra, run.trace.leading, path) + dims
        tensor = run.tensors[path] = Tensor(value, op, inputs, path, dims, symbol)
        if change is not None:
            tensor.override, tensor.computed = change, computed
        return tensor


class Untraced:
    """A scope that keeps nothing: arrays in, arrays out."""

    __slots__ = ("run", "prefix")

    def __init__(self, run: ForwardPass, prefix: str = "") -> None:
        self.run = run
        self.prefix = prefix

    def __call__(self, leaf: str, op: Op, *inputs: np.ndarray) -> np.ndarray:
        return self._set(leaf, op.forward(*inputs))

    def parameter(self, leaf: str) -> np.ndarray:
        return self._set(leaf, self.run.parameters[self.prefix + leaf])

    def given(self, leaf: str, value: np.ndarray) -> np.ndarray:
        return self._set(leaf, value)

    def dropout(self, leaf: str, x: np.ndarray, rate: float) -> np.ndarray:
        if not (self.run.training and rate):
            return self._set(leaf, x)
        rank = len(self._dims(leaf))
        mask = self.run.mask(self.prefix + leaf, x.shape, rank, rate)
        return self._set(leaf, mask.forward(x))

    def has(self, leaf: str) -> bool:
        return self.prefix + leaf in self.run.parameters

    def sub(self, name: str) -> Untraced:
        return Untraced(self.run, f"{self.prefix}{name}.")

    def _set(self, leaf: str, value: np.ndarray) -> np.ndarray:
        overrides = self.run.overrides
        if overrides and self.prefix + leaf in overrides:
            return overrides[self.prefix + leaf].apply(value, len(self._dims(leaf)))
        return value

    def _dims(self, leaf: str) -> tuple[str, ...]:
        return paths.TENSORS[paths.kind_of(self.prefix)][leaf].dims


def axes_in_front(extra: int, leading: tuple[str, ...], path: str) -> tuple[str, ...]:
    """Names for the axes before a tensor's own: the innermost of the pass's leading ones.

    Raises:
        ValueError: the tensor has too few or too many axes for its name.
    """
    if extra < 0 or extra > len(leading) + 1:
        raise ValueError(f"{path} was computed with {extra:+d} axes beside those it is named with.")
    return ("sweep", *leading)[len(leading) + 1 - extra :]
