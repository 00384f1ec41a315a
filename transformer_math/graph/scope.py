"""Scopes: the layers' interface for computing tensors, with or without keeping them in a trace.

Layers compute by calling a scope: ``scope("q", PROJECT_HEADS, x, scope.parameter("W_q"))``
computes q and names it ``<prefix>q``. A ``Traced`` scope returns tensors and keeps them in a trace;
an ``Untraced`` scope returns arrays and keeps nothing. The layers' code is the same for both.
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
from transformer_math.ops.tensor import LEADING, Tensor

Value = Any  # a Tensor in a traced scope, an array in an untraced one


class Scope(Protocol):
    """Computes and names the tensors of one part of the model."""

    def __call__(self, name: str, op: Op, *inputs: Value) -> Value:
        """Apply an op to the inputs and name the result."""

    def parameter(self, name: str) -> Value:
        """Return the parameter of this name."""

    def input(self, name: str, value: np.ndarray) -> Value:
        """Name an array that is given instead of computed: ids or a mask."""

    def overridden_input(self, name: str, value: np.ndarray) -> np.ndarray:
        """Return the value with the overrides of this name applied, as in ``input``."""

    def dropout(self, name: str, x: Value, rate: float) -> Value:
        """Apply dropout in training mode; else return the input under the new name."""

    def has(self, name: str) -> bool:
        """Return whether the model has a parameter of this name here."""

    def sub(self, name: str) -> Scope:
        """Return the scope of a smaller part of this part."""


class ForwardPass:
    """The settings of one forward pass, shared by its scopes.

    Attributes:
        parameters: path -> array.
        overrides: stored path -> override.
        training: whether dropout is on.
        seed: seed of the dropout masks.
        examples: the size of the batch, None without a batch.
        batch: the number of batch axes, 0 or 1.
        trace: the trace of traced scopes.
        tensors: the tensors of that trace.
    """

    __slots__ = (
        *("batch", "examples", "overrides", "parameters"),
        *("seed", "tensors", "trace", "training"),
    )

    def __init__(
        self,
        parameters: Mapping[str, np.ndarray],
        overrides: Mapping[str, Override],
        training: bool = False,
        seed: int = 0,
        examples: int | None = None,
    ) -> None:
        self.parameters = parameters
        self.overrides = overrides
        self.training = training
        self.seed = seed
        self.examples = examples
        self.batch = 0 if examples is None else 1
        self.trace = Trace(("batch",) if self.batch else ())
        self.tensors = self.trace.tensors

    def dropout(self, path: str, shape: tuple[int, ...], rank: int, rate: float) -> Dropout:
        """Draw dropout for one tensor; the mask depends only on seed, path and shape."""
        own = shape[len(shape) - rank - self.batch :]  # all frames of a sweep share one mask
        kept = seeding.generator(self.seed, path).random(own) >= rate
        return Dropout(rate, kept, next(iter(self.parameters.values())).dtype)


class Traced:
    """A scope that keeps every tensor in the pass's trace."""

    __slots__ = ("forward_pass", "prefix", "specs")

    def __init__(
        self, forward_pass: ForwardPass, prefix: str = "", kind: str | None = None
    ) -> None:
        self.forward_pass = forward_pass
        self.prefix = prefix
        self.specs = paths.TENSORS.get(kind or paths.kind_of(prefix), {})

    def __call__(self, name: str, op: Op, *inputs: Tensor) -> Tensor:
        return self._keep(name, op, inputs, op.forward(*[tensor.value for tensor in inputs]))

    def parameter(self, name: str) -> Tensor:
        this, path = self.forward_pass, self.prefix + name
        if path in this.tensors:  # an embedding table that is used twice
            return this.tensors[path]
        return self._keep(name, LEAF, (), this.parameters[path])

    def input(self, name: str, value: np.ndarray) -> Tensor:
        return self._keep(name, LEAF, (), value)

    def overridden_input(self, name: str, value: np.ndarray) -> np.ndarray:
        override = self.forward_pass.overrides.get(self.prefix + name)
        if override is None:
            return value
        return override.apply(value, len(self.specs[name].dims), self.forward_pass.examples)

    def dropout(self, name: str, x: Tensor, rate: float) -> Tensor:
        if not (self.forward_pass.training and rate):
            return self(name, IDENTITY, x)
        rank = len(self.specs[name].dims)
        return self(
            name, self.forward_pass.dropout(self.prefix + name, x.value.shape, rank, rate), x
        )

    def has(self, name: str) -> bool:
        return self.prefix + name in self.forward_pass.parameters

    def sub(self, name: str) -> Traced:
        return Traced(self.forward_pass, f"{self.prefix}{name}.")

    def _keep(self, name: str, op: Op, inputs: tuple[Tensor, ...], value: np.ndarray) -> Tensor:
        """Apply overrides to a value, check its number of axes, and add it to the trace.

        In a small model this takes as long as the matrix products. The common case, without
        overrides and with no leading axis but the batch, therefore returns early.
        """
        this = self.forward_pass
        path = self.prefix + name
        try:
            dims, symbol = self.specs[name]
        except KeyError:
            dims, symbol = self._default_spec(name, inputs)
        if not this.overrides:
            extra = value.ndim - len(dims)
            if extra and extra == this.batch:
                dims = this.trace.leading + dims
                extra = 0
            if not extra:
                tensor = this.tensors[path] = Tensor(value, op, inputs, path, dims, symbol)
                return tensor
        override, computed = this.overrides.get(path), value
        if override is not None:
            value = override.apply(value, len(dims), this.examples)
        extra = value.ndim - len(dims)
        if extra:
            dims = leading_dims(extra, ("batch",) if this.batch else (), path) + dims
            if dims[0] == "sweep" and "sweep" not in this.trace.leading:
                this.trace.leading = ("sweep", *this.trace.leading)
        tensor = this.tensors[path] = Tensor(value, op, inputs, path, dims, symbol)
        if override is not None:
            tensor.override, tensor.computed = override, computed
        return tensor

    def _default_spec(self, name: str, inputs: tuple[Tensor, ...]) -> paths.TensorSpec:
        """Return the axes of the first input, for a name that is not in ``paths.TENSORS``.

        Raises:
            KeyError: the tensor is a leaf, so it has no input.
        """
        if not inputs:
            raise KeyError(f"{self.prefix}{name} has no entry in paths.TENSORS.")
        own = tuple(dim for dim in inputs[0].dims if dim not in LEADING)
        return paths.TensorSpec(own, paths.symbol_of(name))


class Untraced:
    """A scope that computes with arrays and keeps nothing."""

    __slots__ = ("forward_pass", "prefix")

    def __init__(self, forward_pass: ForwardPass, prefix: str = "") -> None:
        self.forward_pass = forward_pass
        self.prefix = prefix

    def __call__(self, name: str, op: Op, *inputs: np.ndarray) -> np.ndarray:
        return self._with_override(name, op.forward(*inputs))

    def parameter(self, name: str) -> np.ndarray:
        return self._with_override(name, self.forward_pass.parameters[self.prefix + name])

    def input(self, name: str, value: np.ndarray) -> np.ndarray:
        return self._with_override(name, value)

    def overridden_input(self, name: str, value: np.ndarray) -> np.ndarray:
        return self._with_override(name, value)

    def dropout(self, name: str, x: np.ndarray, rate: float) -> np.ndarray:
        if not (self.forward_pass.training and rate):
            return self._with_override(name, x)
        rank = self._rank(name, x)
        dropout = self.forward_pass.dropout(self.prefix + name, x.shape, rank, rate)
        return self._with_override(name, dropout.forward(x))

    def has(self, name: str) -> bool:
        return self.prefix + name in self.forward_pass.parameters

    def sub(self, name: str) -> Untraced:
        return Untraced(self.forward_pass, f"{self.prefix}{name}.")

    def _with_override(self, name: str, value: np.ndarray) -> np.ndarray:
        overrides = self.forward_pass.overrides
        if overrides and self.prefix + name in overrides:
            override = overrides[self.prefix + name]
            return override.apply(value, self._rank(name, value), self.forward_pass.examples)
        return value

    def _rank(self, name: str, value: np.ndarray) -> int:
        """Return the number of a tensor's axes, leading axes excluded."""
        spec = paths.TENSORS[paths.kind_of(self.prefix)].get(name)
        return value.ndim - self.forward_pass.batch if spec is None else len(spec.dims)


def leading_dims(extra: int, leading: tuple[str, ...], path: str) -> tuple[str, ...]:
    """Return the names of a tensor's ``extra`` leading axes, the last of ``("sweep", *leading)``.

    Raises:
        ValueError: the tensor has too few or too many axes for its path.
    """
    if extra < 0 or extra > len(leading) + 1:
        raise ValueError(f"{path} was computed with {extra:+d} axes beside those it is named with.")
    return ("sweep", *leading)[len(leading) + 1 - extra :]
