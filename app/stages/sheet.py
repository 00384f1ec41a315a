"""The matrices of the page, collected while the stages are laid out."""

from __future__ import annotations

from typing import Any

from app import labels
from app.cells import seen
from app.scenario import Scenario
from transformer_math import Trace
from transformer_math.ops import IDENTITY
from transformer_math.tensor import Tensor, head_path

Item = dict[str, Any]
Row = dict[str, Any]


class Sheet:
    """Numbers the matrices as the stages mention them; each mention is one drawing."""

    def __init__(self, scenario: Scenario, trace: Trace) -> None:
        self.scenario = scenario
        self.trace = trace
        self.parameters = scenario.config.parameter_shapes()
        self.matrices: list[dict[str, Any]] = []

    def __contains__(self, path: str) -> bool:
        return path in self.trace.tensors

    def seen(self, path: str) -> Tensor:
        """The tensor at a path, or where a step there is switched off, what it passes on."""
        return seen(self.trace[path])

    def is_off(self, path: str) -> bool:
        """Whether the step at this path does nothing: no dropout now, no mask, no scale."""
        return self.trace[path].op is IDENTITY

    def show(self, path: str) -> list[Item]:
        """The drawing of a tensor, one for each head where it has heads."""
        tensor = self.seen(path)
        if tensor.dims[0] != "head":
            return [self._add(tensor, None)]
        return [self._add(tensor.head(k), k) for k in range(tensor.shape[0])]

    def show_memory(self, path: str) -> list[Item]:
        """The drawing of the encoder's output as the decoder sees it."""
        item = self._add(self.seen(path), None)
        self.matrices[-1]["tex"] = memory_symbol(self.seen(path))
        self.matrices[-1]["note"] += " · the encoder's output"
        return [item]

    def formula(self, *paths: str) -> list[str]:
        """``symbol = formula`` of tensors, as their ops have it; heads carry the index i."""
        return [self._equation(self.seen(path)) for path in paths]

    def _equation(self, tensor: Tensor) -> str:
        stacked = tensor.dims[0] == "head"
        in_decoder = tensor.path.startswith("decoder")
        names = []
        for source in (self.seen(t.path) for t in tensor.inputs):
            crosses = in_decoder and source.path.startswith(("encoder", "source"))
            names.append(memory_symbol(source) if crosses else self._symbol(source, stacked))
        return f"{self._symbol(tensor, stacked)} = {tensor.op.latex(*names)}"

    def _symbol(self, tensor: Tensor, stacked: bool) -> str:
        """The symbol, with the index i where a formula speaks of one head among several."""
        if not (stacked and tensor.dims[0] == "head") or self.scenario.settings.heads == 1:
            return tensor.symbol
        return tensor.head(0).symbol.replace("_{1}", "_{i}", 1)

    def _add(self, tensor: Tensor, head: int | None) -> Item:
        path = tensor.path
        dims = tensor.dims if len(tensor.dims) == 2 else ("", *tensor.dims)
        shape = tensor.shape if len(tensor.shape) == 2 else (1, *tensor.shape)
        stored = path if head is None else path.replace(f".head.{head}.", ".", 1)
        alone = labels.plain(tensor.symbol)
        sides = [
            labels.axis_labels(self.scenario, stored, axis, size) if axis else [alone]
            for axis, size in zip(dims, shape, strict=True)
        ]
        several = self.scenario.settings.heads > 1
        self.matrices.append(
            {
                "path": path,
                "tex": tensor.symbol if several else self.trace[stored].symbol,
                "note": labels.shape_note(tensor),
                "rows": shape[0],
                "cols": shape[1],
                "row_axis": dims[0],
                "col_axis": dims[1],
                "row_labels": sides[0],
                "col_labels": sides[1],
                "editable": stored in self.parameters,
                "role": labels.role(path),
                "head": head,
                "marks": True,
            }
        )
        return {"matrix": len(self.matrices) - 1}


def sign(tex: str) -> list[Item]:
    """An operator between two matrices."""
    return [{"operator": tex}]


def memory_symbol(tensor: Tensor) -> str:
    """The encoder's output among the decoder's matrices, which have the same letters."""
    return tensor.symbol + r"^{\mathrm{enc}}"


def row(*items: list[Item], tex: list[str] | None = None, caption: str | None = None) -> Row:
    """One line of a stage: matrices and operators, under formulas."""
    return {"tex": tex, "caption": caption, "items": [item for group in items for item in group]}


def matrix_path(path: str, head: int | None) -> str:
    """A head's path where there is one."""
    return path if head is None else head_path(path, head)
