"""The settings of ``Config`` that the shapes of a state's arrays show."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from transformer_math.checkpoints.assignment import Assignment
from transformer_math.checkpoints.layouts.layout import Orientation

# Matrices are (in, out). These have d_model inputs, and all other matrices d_model outputs.
_INPUT_IS_WIDTH = ("W_q", "W_k", "W_v", "W_1", "W_t", "W_out")


def width_of(assignment: Assignment, arrays: Mapping[str, np.ndarray]) -> int:
    """Return d_model, the most frequent length of γ, or else of rows of an embedding table.

    Raises:
        ValueError: the state has neither γ nor a table.
    """
    for leaf in ("gamma", "W_e"):
        shapes = (
            arrays[sources[0].name].shape
            for path, sources in assignment.sources.items()
            if path.endswith(f".{leaf}")
        )
        widths = Counter(int(shape[-1]) for shape in shapes if shape)
        if widths:
            return widths.most_common(1)[0][0]
    raise ValueError("The state has neither a layer norm nor a table of embeddings.")


def orientation_of(
    assignment: Assignment, arrays: Mapping[str, np.ndarray], width: int
) -> Orientation | None:
    """Return the orientation of the first matrix that is not square; None if all are square."""
    for path, sources in assignment.sources.items():
        shape = arrays[sources[0].name].shape
        leaf = path.rpartition(".")[2]
        if len(shape) != 2 or shape[0] == shape[1] or width not in shape:
            continue
        if leaf in _INPUT_IS_WIDTH:
            return "out, in" if shape[1] == width else "in, out"
        if leaf in ("W_o", "W_2"):
            return "out, in" if shape[0] == width else "in, out"
    return None


class Sizes:
    """The settings that the shapes of a state show."""

    def __init__(
        self, assignment: Assignment, arrays: Mapping[str, np.ndarray], orientation: Orientation
    ) -> None:
        self.arrays = arrays
        self.sources = assignment.sources
        self.orientation = orientation
        self.width = width_of(assignment, arrays)

    def settings(self) -> dict[str, Any]:
        """Return all settings of ``Config`` that the shapes show."""
        layers = {stack: self._layers(stack) for stack in ("encoder", "decoder")}
        found: dict[str, Any] = {
            "d_model": self.width,
            "encoder_layers": layers["encoder"],
            "decoder_layers": layers["decoder"],
            "d_ff": self.outputs("W_1"),
            **self._parts(),
            **self._vocabularies(layers),
        }
        rows = self.position_rows().values()
        if rows:
            found |= {"positions": "learned", "max_positions": min(rows)}
        return {name: value for name, value in found.items() if value is not None}

    def position_rows(self) -> dict[str, int]:
        """Return path -> number of rows of each learned table of positions."""
        return {path: self._rows(path) for path in self._paths(r"\w+\.W_p")}

    def heads(self) -> int | None:
        """Return the number of heads if each head has separate arrays, else None."""
        queries = self._paths(r".*\.W_q")
        sources = self.sources[queries[0]] if queries else []
        return len(sources) if sources and sources[0].head is not None else None

    def head_widths(self, heads: int) -> dict[str, int]:
        """Return d_k and d_v, if they are not d_model / heads.

        Raises:
            ValueError: the outputs for queries or values are not a multiple of the heads.
        """
        found = {}
        for name, leaf in (("d_k", "W_q"), ("d_v", "W_v")):
            total = self.outputs(leaf)
            if total is None or total == self.width:
                continue
            if total % heads:
                raise ValueError(
                    f"{total} {name[-1]}-rows of all heads are no multiple of {heads}."
                )
            found[name] = total // heads
        return found

    def _paths(self, pattern: str) -> list[str]:
        return [path for path in self.sources if re.fullmatch(pattern, path)]

    def _layers(self, stack: str) -> int:
        """Return the number of layers.

        Raises:
            ValueError: the numbers of the layers have a gap.
        """
        numbers: dict[int, str] = {}
        for path in self._paths(rf"{stack}\.\d+\..*"):
            numbers.setdefault(int(path.split(".")[1]), self.sources[path][0].name)
        missing = next((n for n in range(len(numbers)) if n not in numbers), None)
        if missing is not None:
            raise ValueError(
                f"The state has no layer {missing} of the {stack}, but {numbers[max(numbers)]}."
            )
        return len(numbers)

    def _parts(self) -> dict[str, Any]:
        """Return the settings for the optional parameters that the state has or lacks."""
        return {
            "final_norm": bool(self._paths(r"\w+\.final\.gamma")),
            "attention_bias": bool(self._paths(r".*attn\.b_[qkvo]")),
            "feed_forward_bias": bool(self._paths(r".*\.b_[12]")),
            "embedding_norm": bool(self._paths(r"(source|target)\.gamma")),
            "output_transform": "output.W_t" in self.sources,
            "output_bias": "output.b_out" in self.sources,
        }

    def _vocabularies(self, layers: Mapping[str, int]) -> dict[str, int]:
        rows = {side: self._rows(f"{side}.W_e") for side in ("source", "target")}
        has = {"source": layers["encoder"], "target": layers["decoder"]}
        either = next((rows[side] for side in rows if rows[side] is not None), None)
        found = {}
        for side, other in (("source", "target"), ("target", "source")):
            size = rows[side] if has[side] else rows[other]
            size = either if size is None else size
            if size is not None:
                found[f"{side}_vocabulary"] = size
        return found

    def _rows(self, path: str) -> Any:
        """Return the number of rows of a table that are used."""
        if path not in self.sources:
            return None
        (source, *_) = self.sources[path]
        shape = self.arrays[source.name].shape
        wide = int(np.prod(shape[:-1])) if shape else 0
        return wide - source.first_row

    def outputs(self, leaf: str) -> int | None:
        """Return the most frequent number of outputs of linear maps of a kind, over all heads."""
        axis = 0 if self.orientation == "out, in" else 1
        counts: Counter[int] = Counter()
        for path in self._paths(rf".*\.{leaf}"):
            sources = self.sources[path]
            shapes = [self.arrays[source.name].shape for source in sources]
            if all(len(shape) == 2 for shape in shapes):
                both = zip(shapes, sources, strict=True)
                counts[sum(shape[axis] // source.parts for shape, source in both)] += 1
        return counts.most_common(1)[0][0] if counts else None
