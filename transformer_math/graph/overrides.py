"""Values set by hand: whole arrays or single cells, of parameters and of computed tensors alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from transformer_math.ops.override import Change
from transformer_math.ops.tensor import Index, split_head

Cells: TypeAlias = Mapping[Index, float]
Overrides: TypeAlias = Mapping[str, "ArrayLike | Cells"]


def changes(overrides: Overrides | None) -> dict[str, Change]:
    """Overrides by stored path, with those of single heads gathered in their stack."""
    found: dict[str, Change] = {}
    for path, what in (overrides or {}).items():
        stored, head = split_head(path)
        change = found.setdefault(stored, Change(stored))
        if isinstance(what, Mapping):
            front = () if head is None else (head,)
            change.cells.update({(*front, *index): number for index, number in what.items()})
        elif head is None:
            change.whole = np.asarray(what)
        else:
            change.heads[head] = np.asarray(what)
    return found


def check_all_used(found: Mapping[str, Change]) -> None:
    """Every override has met its tensor.

    Raises:
        ValueError: the pass has no such tensor.
    """
    for path, change in found.items():
        if not change.used:
            raise ValueError(f"There is no tensor {path} to override in this pass.")
