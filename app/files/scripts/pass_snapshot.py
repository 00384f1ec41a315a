"""Collects all inputs that a script needs to reproduce a forward pass."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from transformer_math import Config, Trace
from transformer_math.ops import Dropout
from transformer_math.ops.tensor import Index, Tensor

from ...model.scenario.scenario import Scenario


@dataclass(frozen=True)
class PassSnapshot:
    """The inputs of a forward pass, without anything computed from them."""

    config: Config
    parameters: Mapping[str, np.ndarray]  # path -> array, with edits applied
    source: Sequence[int]  # ids; empty without an encoder
    target: Sequence[int]  # ids
    source_vocabulary: Sequence[str]
    target_vocabulary: Sequence[str]
    # In training mode: path -> rate, and True for kept cells.
    kept: Mapping[str, tuple[float, np.ndarray]]
    overridden: Mapping[str, Mapping[Index, float]]  # computed cells: path -> index -> number

    @classmethod
    def of(
        cls,
        config: Config,
        trace: Trace,
        source_vocabulary: Sequence[str] | None = None,
        target_vocabulary: Sequence[str] | None = None,
    ) -> PassSnapshot:
        """Return the inputs of a trace of one example, not of a batch."""
        parameters = config.parameter_shapes()
        computed = {p: t for p, t in trace.tensors.items() if p not in parameters}
        return cls(
            config,
            {path: trace[path].value for path in parameters},
            _ids(trace, "source.ids"),
            _ids(trace, "target.ids"),
            source_vocabulary or [str(i) for i in range(config.source_vocabulary)],
            target_vocabulary or [str(i) for i in range(config.target_vocabulary)],
            {p: (t.op.rate, t.op.kept) for p, t in computed.items() if isinstance(t.op, Dropout)},
            {p: _set(t) for p, t in computed.items() if t.override and ".unprojected." not in p},
        )

    @classmethod
    def of_scenario(cls, scenario: Scenario, trace: Trace) -> PassSnapshot:
        """Return the inputs of the page's current pass."""
        return cls.of(
            scenario.config, trace, scenario.source_vocabulary, scenario.target_vocabulary
        )

    @property
    def size(self) -> int:
        """The number of parameters."""
        return sum(math.prod(array.shape) for array in self.parameters.values())

    def is_set(self, leaf: str) -> bool:
        """Return whether a cell is overridden in any tensor of this name."""
        return any(path.rpartition(".")[2] == leaf for path in self.overridden)

    def is_dropped(self, *leaves: str) -> bool:
        """Return whether dropout is active at any tensor whose path ends with a given name."""
        return any(path.endswith(leaves) for path in self.kept)


def _ids(trace: Trace, path: str) -> list[int]:
    return trace[path].value.tolist() if path in trace else []


def _set(tensor: Tensor) -> dict[Index, float]:
    places = np.argwhere(tensor.overridden).tolist() if tensor.overridden is not None else []
    return {tuple(place): tensor.value[tuple(place)].item() for place in places}
