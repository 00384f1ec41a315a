"""A forward pass kept whole: path -> Tensor, in order of computation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase

import numpy as np

from transformer_math.ops.tensor import Tensor, split_head


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

    def __contains__(self, path: object) -> bool:
        try:
            return isinstance(path, str) and self[path] is not None
        except KeyError:
            return False

    def __iter__(self) -> Iterator[str]:
        return iter(self.tensors)

    def __len__(self) -> int:
        return len(self.tensors)

    def paths(self) -> list[str]:
        """All paths in order of computation; stacked heads are one path."""
        return list(self.tensors)

    def select(self, pattern: str, count: int | None = None) -> list[Tensor]:
        """The tensors whose path matches a glob such as ``encoder.*.weights``.

        Raises:
            LookupError: there are not as many as expected (``count``), or none.
        """
        found = [t for path, t in self.tensors.items() if fnmatchcase(path, pattern)]
        if len(found) != count if count is not None else not found:
            expected = count if count is not None else "at least 1"
            raise LookupError(f"{pattern} matches {len(found)} tensors, expected {expected}.")
        return found

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

    def upstream(self, path: str) -> list[str]:
        """What this tensor was made from, directly or not, in order of computation.

        Raises:
            KeyError: no such path.
        """
        wanted: set[int] = set()
        pending: list[Tensor] = list(self[path].inputs)
        while pending:
            tensor = pending.pop()
            if id(tensor) not in wanted:
                wanted.add(id(tensor))
                pending.extend(tensor.inputs)
        return [name for name, tensor in self.tensors.items() if id(tensor) in wanted]

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

    def leaves(self) -> list[str]:
        """Paths of what was given and not computed: parameters, ids, masks."""
        return [name for name, tensor in self.tensors.items() if tensor.is_leaf]

    def add(self, tensors: Iterable[Tensor]) -> None:
        """Keep more tensors, each under its own path."""
        for tensor in tensors:
            self.tensors[tensor.path] = tensor
