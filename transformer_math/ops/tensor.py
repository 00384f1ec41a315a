"""A matrix of the page: a value, and the operation and inputs it came from."""

from __future__ import annotations

import functools
import operator
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

import numpy as np

if TYPE_CHECKING:
    from transformer_math.ops.base import Op
    from transformer_math.ops.override import Override

Index = tuple[int, ...]
LEADING = ("sweep", "batch")  # names of the axes in front of a tensor's own


class Changes(TypedDict, total=False):
    """What ``Tensor.replace`` can replace."""

    value: np.ndarray
    op: Op
    inputs: tuple[Tensor, ...]
    path: str
    dims: tuple[str, ...]
    symbol: str
    override: Override | None


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

        Of what a hook was given those cells are that it changed.
        """
        if self.override is None:
            return None
        own = self.value.shape[sum(name in LEADING for name in self.dims) :]
        head = split_head(self.path)[1]
        if head is None:
            covered = self.override.covers(own)
        else:
            stack = (max([head, *self.override.heads, *(c[0] for c in self.override.cells)]) + 1,)
            covered = self.override.covers(stack + own)[head]
        if self.override.hooks and self.computed is not None:
            changed: np.ndarray = covered | (self.value != self.computed)
            return changed
        return np.broadcast_to(covered, self.value.shape)

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
        mark = f"_{{{number + 1}}}"
        view = self.replace(
            value=self.value[pick],
            path=head_path(self.path, number),
            dims=self.dims[:axis] + self.dims[axis + 1 :],
            symbol=self.symbol.replace("^", f"{mark}^", 1)
            if "^" in self.symbol
            else self.symbol + mark,
        )
        if self.grad is not None:
            view.grad = self.grad[pick]
        if self.computed is not None:
            view.computed = self.computed[pick]
        return view

    def gradient(self, value: np.ndarray) -> Tensor:
        """The gradient of the loss with respect to this tensor, as a tensor of its own."""
        return self.replace(value=value, symbol=rf"\partial {self.symbol}", override=None)

    def frame(self, axis: str, t: int) -> Tensor:
        """Frame t along a leading axis, a view; the tensor itself if it has no such axis.

        Of an axis of length 1 every frame is the same.
        """
        if axis not in self.dims:
            return self
        at = self.dims.index(axis)
        place: tuple[Any, ...] = (*[slice(None)] * at, t if self.value.shape[at] > 1 else 0)
        new = self.replace(value=self.value[place], dims=(*self.dims[:at], *self.dims[at + 1 :]))
        if self.computed is not None and self.computed.shape == self.value.shape:
            new.computed = self.computed[place]
        return new

    def as_computed(self) -> Tensor:
        """The tensor as its op gives it, before any override; itself if nothing is overridden."""
        if self.override is None:
            return self
        value = self.op.forward(*[source.value for source in self.inputs])
        return self.replace(value=value, override=None)

    def replace(self, **changes: Unpack[Changes]) -> Tensor:
        """A copy with some attributes replaced, without gradient and without ``computed``."""
        copy = Tensor(
            changes.get("value", self.value),
            changes.get("op", self.op),
            changes.get("inputs", self.inputs),
            changes.get("path", self.path),
            changes.get("dims", self.dims),
            changes.get("symbol", self.symbol),
        )
        override = changes.get("override", self.override)
        if override is not None:
            copy.override = override
        return copy

    def __repr__(self) -> str:
        axes = ", ".join(f"{d}={n}" for d, n in zip(self.dims, self.value.shape, strict=True))
        return f"Tensor({self.path}: {axes})"


def head_path(path: str, number: int) -> str:
    """``encoder.0.self_attn.q`` -> ``encoder.0.self_attn.head.2.q``."""
    scope, _, leaf = path.rpartition(".")
    return f"{scope}.head.{number}.{leaf}" if scope else f"head.{number}.{leaf}"


def check_cell(path: str, shape: tuple[int, ...], index: Index | int) -> None:
    """A cell of a tensor of this shape.

    Raises:
        ValueError: there is no such cell.
    """
    index = as_index(path, index)
    if len(index) != len(shape) or any(not 0 <= i < n for i, n in zip(index, shape, strict=True)):
        raise ValueError(f"{path} has the shape {shape}; there is no cell {index}.")


def as_index(path: str, index: Index | int) -> Index:
    """A cell's index as a tuple of whole numbers; 3 is (3,).

    Raises:
        ValueError: it is none.
    """
    try:
        if not isinstance(index, tuple):
            return (operator.index(index),)
        return tuple([operator.index(i) for i in index])
    except TypeError:
        raise ValueError(
            f"A cell of {path} is named by a tuple of whole numbers such as (0, 2), not {index!r}."
        ) from None


@functools.lru_cache(4096)  # asked for every matrix of every frame
def split_head(path: str) -> tuple[str, int | None]:
    """The stored path and the head that a path addresses, None for the whole tensor."""
    parts = path.split(".")
    if len(parts) >= 3 and parts[-3] == "head" and parts[-2].isdigit():
        return ".".join([*parts[:-3], parts[-1]]), int(parts[-2])
    return path, None
