"""A forward pass kept whole: path -> Tensor, in order of computation."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from transformer_math.graph.table import table
from transformer_math.ops.tensor import Index, Tensor, as_index, check_cell, split_head


class Trace:
    """Every tensor of one forward pass.

    Attributes:
        leading: names of the axes in front of every tensor's own: ``batch``, ``sweep``.
    """

    __slots__ = ("tensors", "leading")

    def __init__(self, leading: tuple[str, ...] = ()) -> None:
        self.tensors: dict[str, Tensor] = {}
        self.leading = leading

    def __getitem__(self, path: str) -> Tensor:
        """The tensor at a path; ``…head.2.q`` is a view of one head.

        Raises:
            KeyError: no such path; the message names paths that come close.
        """
        tensor = self.tensors.get(path)
        if tensor is not None:
            return tensor
        stored, head = split_head(path)
        if head is not None and stored in self.tensors:
            return self.tensors[stored].head(head)
        leaf = path.rpartition(".")[2]
        close = [p for p in self.tensors if p.rpartition(".")[2] == leaf][:4]
        hint = f" Paths that end so: {', '.join(close)}." if close else ""
        raise KeyError(f"There is no tensor {path} in this pass.{hint}")

    def __repr__(self) -> str:
        rows = (
            (path, ", ".join(f"{d} {n}" for d, n in zip(tensor.dims, tensor.shape, strict=True)))
            for path, tensor in self.tensors.items()
        )
        sizes = "".join(f", {axis} {self._length(axis)}" for axis in self.leading)
        return f"Trace({len(self)} tensors{sizes})\n{table(rows)}"

    def __contains__(self, path: object) -> bool:
        try:
            return isinstance(path, str) and self[path] is not None
        except KeyError:
            return False

    def __iter__(self) -> Iterator[str]:
        return iter(self.tensors)

    def __len__(self) -> int:
        return len(self.tensors)

    def locate(self, path: str, index: Index | int) -> tuple[Tensor, Index]:
        """The stored tensor that a path addresses, and the cell's index in it.

        ``…head.2.q`` and (i, j) give the stack q and (2, i, j); leading axes have no part in it.

        Raises:
            KeyError: no such path.
            ValueError: no such cell.
        """
        stored, head = split_head(path)
        tensor = self[path]
        index = as_index(path, index)
        check_cell(path, tensor.shape[len(tensor.dims) - self.rank(tensor) :], index)
        return (tensor, index) if head is None else (self.tensors[stored], (head, *index))

    def rank(self, tensor: Tensor) -> int:
        """How many axes a tensor has of its own, without ``leading`` ones."""
        if not self.leading:
            return len(tensor.dims)
        return len(tensor.dims) - sum(name in self.leading for name in tensor.dims)

    def frame(self, t: int) -> Trace:
        """One frame of a sweep, or one example of a batch, as a pass of its own.

        Values are views. What has no frames although something that it read has (the loss is the
        mean of a batch) is computed again.

        Raises:
            ValueError: the pass is of one setting and one example already.
        """
        if not self.leading:
            raise ValueError("This pass has no sweep and no batch to take a frame of.")
        return self._part(self.leading[0], t)

    def example(self, i: int) -> Trace:
        """One example of a batch as a pass of its own, with all frames of a sweep; see ``frame``.

        Raises:
            ValueError: the pass has no batch, or no such example.
        """
        if "batch" not in self.leading:
            raise ValueError("This pass is of one example; it has no batch to take one of.")
        return self._part("batch", i)

    def _part(self, axis: str, t: int) -> Trace:
        """One place of a leading axis, as a pass of its own."""
        length = self._length(axis)
        if not 0 <= t < length:
            what = "frame" if axis == "sweep" else "example"
            raise ValueError(f"This pass has {length} {what}s, counted from 0; there is no {t}.")
        result = Trace(tuple(name for name in self.leading if name != axis))
        made: dict[int, Tensor] = {}
        for path, tensor in self.tensors.items():
            inputs = tuple(made[id(source)] for source in tensor.inputs)
            op = tensor.op.frame(t) if axis == "batch" else tensor.op
            framed = tensor.frame(axis, t)
            new = framed.replace(inputs=inputs, op=op)
            if framed.computed is not None:
                new.computed = framed.computed
            if tensor.override is not None:
                new.override = tensor.override.part(axis, t, self.rank(tensor), self.leading)
            if axis not in tensor.dims and any(axis in source.dims for source in tensor.inputs):
                new.value = op.forward(*[source.value for source in inputs])
                if new.override is not None:
                    new.value = new.override.apply(new.value, self.rank(tensor))
            made[id(tensor)] = result.tensors[path] = new
        return result

    def _length(self, axis: str) -> int:
        """How long a leading axis is; a tensor may have it with length 1 all the same."""
        length: int = max(
            tensor.value.shape[tensor.dims.index(axis)]
            for tensor in self.tensors.values()
            if axis in tensor.dims
        )
        return length

    def paths(self) -> list[str]:
        """All paths in order of computation; stacked heads are one path."""
        return list(self.tensors)

    def downstream(self, path: str) -> list[str]:
        """What a change of this tensor can reach, in order of computation; not the tensor itself.

        Raises:
            KeyError: no such path.
        """
        reached = {id(self[split_head(path)[0]])}
        found = []
        for name, tensor in self.tensors.items():
            if any(id(source) in reached for source in tensor.inputs):
                reached.add(id(tensor))
                found.append(name)
        return found

    def readers(self, path: str) -> list[tuple[Tensor, int]]:
        """The tensors that were computed from this one, and as which of their inputs.

        Raises:
            KeyError: no such path.
        """
        tensor = self[split_head(path)[0]]
        return [
            (reader, which)
            for reader in self.tensors.values()
            for which, source in enumerate(reader.inputs)
            if source is tensor
        ]

    def upstream(self, path: str) -> list[str]:
        """What this tensor was made from, directly or not, in order of computation.

        Raises:
            KeyError: no such path.
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
        """Give every tensor its ``grad``, that of the loss; see ``backward.gradients``.

        Raises:
            KeyError: the pass had no labels, so it has no loss.
        """
        from transformer_math.graph.backward import gradients

        found = gradients(self)
        for path, gradient in found.items():
            self.tensors[path].grad = gradient
        return found
