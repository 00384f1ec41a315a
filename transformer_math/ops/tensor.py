"""A matrix of the page: a value, and the operation and inputs it came from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from transformer_math.ops.base import Op
    from transformer_math.ops.override import Override

Index = tuple[int, ...]


class Tensor:
    """A value with the op and the inputs that made it, a path and named axes.

    Attributes:
        value: the array that the forward pass computed.
        op: the operation it came from; it explains cells and gives the LaTeX.
        inputs: the tensors which that operation read.
        path: where it stands in the model, for instance ``encoder.0.self_attn.q``.
        dims: one name for each axis.
        symbol: LaTeX of the tensor's name in the paper.
        override: what is overridden here; None when nothing is.
        computed: the value before that; None when nothing is overridden.
        grad: the gradient of the loss, once a backward pass has run.
    """

    # What few tensors have stands in a dict of their own, made only for those few.
    __slots__ = ("__dict__", "dims", "inputs", "op", "path", "symbol", "value")

    override: Override | None = None
    computed: np.ndarray | None = None
    grad: np.ndarray | None = None

    def __init__(
        self,
        value: np.ndarray,
        op: Op,
        inputs: tuple[Tensor, ...],
        path: str,
        dims: tuple[str, ...],
        symbol: str,
    ) -> None:
        self.value = value
        self.op = op
        self.inputs = inputs
        self.path = path
        self.dims = dims
        self.symbol = symbol

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the value, one length for each name in ``dims``."""
        return self.value.shape

    @property
    def is_leaf(self) -> bool:
        """Whether nothing was read to make it: a parameter, ids or a mask."""
        return not self.inputs

    @property
    def formula(self) -> str:
        """LaTeX of how it is computed from its inputs: the right-hand side only."""
        return self.op.latex(*[tensor.symbol for tensor in self.inputs])

    @property
    def overridden(self) -> np.ndarray | None:
        """Which cells are overridden, as a Boolean array of the value's shape; None if none is.

        Raises:
            ValueError: the tensor has a batch or sweep axis in front.
        """
        if self.override is None:
            return None
        head = split_head(self.path)[1]
        if head is None:
            return self.override.covers(self.value.shape)
        stack = (max([head, *self.override.heads, *(c[0] for c in self.override.cells)]) + 1,)
        return self.override.covers(stack + self.value.shape)[head]

    def head(self, number: int) -> Tensor:
        """One head's slice, a view with the ``head`` axis taken away.

        Raises:
            KeyError: there is no head axis or no such head.
        """
        if "head" not in self.dims:
            raise KeyError(f"{self.path} has no axis called head.")
        axis = self.dims.index("head")
        if not 0 <= number < self.value.shape[axis]:
            raise KeyError(f"{self.path} has {self.value.shape[axis]} heads, there is no {number}.")
        pick: tuple[Any, ...] = (slice(None),) * axis + (number,)
        view = Tensor(
            self.value[pick],
            self.op,
            self.inputs,
            head_path(self.path, number),
            self.dims[:axis] + self.dims[axis + 1 :],
            f"{self.symbol}_{{{number + 1}}}"
            if "^" not in self.symbol
            else self.symbol.replace("^", f"_{{{number + 1}}}^", 1),
        )
        if self.grad is not None:
            view.grad = self.grad[pick]
        if self.computed is not None:
            view.computed = self.computed[pick]
        view.override = self.override
        return view

    def gradient(self, value: np.ndarray) -> Tensor:
        """The gradient of the loss with respect to this tensor, as a tensor of its own."""
        name = rf"\partial {self.symbol}"
        return Tensor(value, self.op, self.inputs, self.path, self.dims, name)

    def __repr__(self) -> str:
        axes = ", ".join(f"{d}={n}" for d, n in zip(self.dims, self.value.shape, strict=True))
        return f"Tensor({self.path}: {axes})"


def head_path(path: str, number: int) -> str:
    """``encoder.0.self_attn.q`` -> ``encoder.0.self_attn.head.2.q``."""
    scope, _, leaf = path.rpartition(".")
    return f"{scope}.head.{number}.{leaf}" if scope else f"head.{number}.{leaf}"


def split_head(path: str) -> tuple[str, int | None]:
    """The stored path and the head that a path addresses, None for the whole tensor."""
    parts = path.split(".")
    if len(parts) >= 3 and parts[-3] == "head" and parts[-2].isdigit():
        return ".".join([*parts[:-3], parts[-1]]), int(parts[-2])
    return path, None
