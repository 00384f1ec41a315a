"""The trace of a forward pass: all of its tensors by path, in order of computation."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from transformer_math.arguments import checked
from transformer_math.graph.nearest import no_such_path
from transformer_math.graph.table import table
from transformer_math.ops.tensor import Index, Tensor, as_index, check_cell, split_head


class Trace:
    """Every tensor of one forward pass.

    Attributes:
        tensors: path -> tensor, in order of computation.
        leading: names of the leading axes that tensors may have: ``sweep``, ``batch``.
        plan: the plan for replaying the pass (see ``replay``); None if that is impossible.
    """

    __slots__ = ("tensors", "leading", "plan")

    def __init__(self, leading: tuple[str, ...] = ()) -> None:
        self.tensors: dict[str, Tensor] = {}
        self.leading = leading
        self.plan: object = None

    def __getitem__(self, path: str) -> Tensor:
        """Return the tensor at a path; ``…head.2.q`` is a view of one head.

        Raises:
            NoSuchPath: the path does not exist; the message suggests similar paths.
        """
        if not isinstance(path, str):
            raise no_such_path(path, [])
        tensor = self.tensors.get(path)
        if tensor is not None:
            return tensor
        stored, head = split_head(path)
        if head is not None and stored in self.tensors:
            return self.tensors[stored].head(head)
        raise no_such_path(path, [*self.tensors])

    def __repr__(self) -> str:
        rows = (
            (path, ", ".join(f"{d} {n}" for d, n in zip(tensor.dims, tensor.shape, strict=True)))
            for path, tensor in self.tensors.items()
        )
        sizes = "".join(f", {axis} {self._length(axis)}" for axis in self.leading)
        return f"Trace({len(self)} tensors{sizes})\n{table(rows)}"

    def __contains__(self, path: object) -> bool:
        # Tested first, because the error message for an unknown path takes long to make.
        if not isinstance(path, str):
            return False
        if path in self.tensors:
            return True
        stored, head = split_head(path)
        tensor = None if head is None else self.tensors.get(stored)
        if tensor is None or head is None or "head" not in tensor.dims:
            return False
        return 0 <= head < tensor.shape[tensor.dims.index("head")]

    def __iter__(self) -> Iterator[str]:
        return iter(self.tensors)

    def __len__(self) -> int:
        return len(self.tensors)

    @checked()
    def locate(self, path: str, index: Index | int) -> tuple[Tensor, Index]:
        """Return the stored tensor that a path addresses, and the index of a cell in it.

        ``…head.2.q`` and (i, j) give the tensor q of all heads and (2, i, j). Indices do not
        include leading axes.

        Raises:
            NoSuchPath: no such path.
            ValueError: no such cell.
        """
        stored, head = split_head(path)
        tensor = self[path]
        index = as_index(path, index)
        check_cell(path, tensor.shape[len(tensor.dims) - self.rank(tensor) :], index)
        return (tensor, index) if head is None else (self.tensors[stored], (head, *index))

    @checked()
    def rank(self, tensor: Tensor) -> int:
        """Return the number of a tensor's axes, leading axes excluded."""
        if not self.leading:
            return len(tensor.dims)
        return len(tensor.dims) - sum(name in self.leading for name in tensor.dims)

    @checked()
    def frame(self, t: int) -> Trace:
        """Return one frame of a sweep or, without a sweep, one example of a batch, as a trace.

        Values are views. A tensor that reduces the axis, such as the loss as the mean of a batch,
        is computed again.

        Raises:
            ValueError: the pass has no leading axis, or no such frame.
        """
        if not self.leading:
            raise ValueError("This pass has no sweep and no batch to take a frame of.")
        return self._part(self.leading[0], t)

    @checked()
    def example(self, i: int) -> Trace:
        """Return one example of a batch as a trace, with all frames of a sweep; see ``frame``.

        Raises:
            ValueError: the pass has no batch, or no such example.
        """
        if "batch" not in self.leading:
            raise ValueError("This pass is of one example; it has no batch to take one of.")
        return self._part("batch", i)

    def _part(self, axis: str, t: int) -> Trace:
        """Return item t of a leading axis, as a trace."""
        length = self._length(axis)
        if not 0 <= t < length:
            what = "frame" if axis == "sweep" else "example"
            name = "t" if axis == "sweep" else "i"
            raise ValueError(
                f"This pass has {length} {what}s, counted from 0; there is no {what} {name} = {t}."
            )
        result = Trace(tuple(name for name in self.leading if name != axis))
        made: dict[int, Tensor] = {}
        for path, tensor in self.tensors.items():
            inputs = tuple(made[id(source)] for source in tensor.inputs)
            op = tensor.op.example(t) if axis == "batch" else tensor.op
            framed = tensor.frame(axis, t)
            new = framed.replace(inputs=inputs, op=op)
            if framed.computed is not None:
                new.computed = framed.computed
            if tensor.override is not None:
                new.override = tensor.override.frame(axis, t, self.rank(tensor), self.leading)
            if axis not in tensor.dims and any(axis in source.dims for source in tensor.inputs):
                new.value = op.forward(*[source.value for source in inputs])
                if new.override is not None:
                    new.value = new.override.apply(new.value, self.rank(tensor))
            made[id(tensor)] = result.tensors[path] = new
        return result

    def _length(self, axis: str) -> int:
        """Return the length of a leading axis; single tensors may have length 1 there."""
        length: int = max(
            tensor.value.shape[tensor.dims.index(axis)]
            for tensor in self.tensors.values()
            if axis in tensor.dims
        )
        return length

    def paths(self) -> list[str]:
        """Return all paths in order of computation; a tensor of all heads has one path."""
        return list(self.tensors)

    @checked()
    def downstream(self, path: str) -> list[str]:
        """Return the tensors computed from this tensor, directly or not, in order of computation.

        Raises:
            NoSuchPath: no such path.
        """
        reached = {id(self[split_head(path)[0]])}
        found = []
        for name, tensor in self.tensors.items():
            if any(id(source) in reached for source in tensor.inputs):
                reached.add(id(tensor))
                found.append(name)
        return found

    @checked()
    def readers(self, path: str) -> list[tuple[Tensor, int]]:
        """Return the tensors that have this tensor as an input, each with the index of the input.

        Raises:
            NoSuchPath: no such path.
        """
        tensor = self[split_head(path)[0]]
        return [
            (reader, which)
            for reader in self.tensors.values()
            for which, source in enumerate(reader.inputs)
            if source is tensor
        ]

    @checked()
    def upstream(self, path: str) -> list[str]:
        """Return all tensors from which this tensor was computed, in order of computation.

        Raises:
            NoSuchPath: no such path.
        """
        made_of: set[int] = set()
        pending: list[Tensor] = list(self[path].inputs)
        while pending:
            tensor = pending.pop()
            if id(tensor) not in made_of:
                made_of.add(id(tensor))
                pending.extend(tensor.inputs)
        return [name for name, tensor in self.tensors.items() if id(tensor) in made_of]

    def backward(self) -> dict[str, np.ndarray]:
        """Compute the gradient of the loss, and set each tensor's ``grad``; see ``gradients``.

        Raises:
            NoSuchPath: the pass had no labels, so it has no loss.
        """
        from transformer_math.graph.backward import gradients

        found = gradients(self)
        for path, gradient in found.items():
            self.tensors[path].grad = gradient
        return found
