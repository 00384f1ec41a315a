"""Overridden values: whole arrays or single cells, of parameters and of computed tensors alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from transformer_math.ops.override import Override
from transformer_math.ops.tensor import Index, split_head

Cells: TypeAlias = Mapping[Index, float]
Overrides: TypeAlias = Mapping[str, ArrayLike | Cells]


def by_stored_path(overrides: Overrides | None) -> dict[str, Override]:
    """Overrides by stored path, with those of single heads gathered in their stack."""
    found: dict[str, Override] = {}
    for path, what in (overrides or {}).items():
        stored, head = split_head(path)
        override = found.setdefault(stored, Override(stored))
        if isinstance(what, Mapping):
            front = () if head is None else (head,)
            override.cells.update({(*front, *index): number for index, number in what.items()})
        elif head is None:
            override.whole = np.asarray(what)
        else:
            override.heads[head] = np.asarray(what)
    return found


def check_all_used(found: Mapping[str, Override]) -> None:
    """Every override has met its tensor.

    Raises:
        ValueError: the pass has no such tensor.
    """
    for path, override in found.items():
        if not override.used:
            raise ValueError(f"There is no tensor {path} to override in this pass.")
