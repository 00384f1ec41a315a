"""Edited parameters and overridden cells, remembered by place.

A row or column that belongs to a token of a vocabulary is kept by the token, so that an edit
stays with its token when the vocabulary around it changes. An edit whose token or position is
absent rests, and is back when they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

Place = tuple[int | str, ...]

# Leaves with an axis of words, and which one that is.
TOKEN_AXIS = {"W_e": 0, "W_out": 1, "b_out": 0, "logits": 1, "probabilities": 1}


@dataclass(frozen=True, slots=True)
class Edit:
    """One cell of a stored tensor, a parameter or a computed one."""

    path: str
    place: Place


Edits = Mapping[Edit, float]
NO_EDITS: Edits = MappingProxyType({})


def frozen(edits: Mapping[Edit, float]) -> Edits:
    """A mapping that cannot be changed."""
    return MappingProxyType(dict(edits))


def edit_of(path: str, index: tuple[int, ...], vocabulary: tuple[str, ...]) -> Edit:
    """The edit that a cell stands for; ``vocabulary`` runs along the tensor's axis of words."""
    place: list[int | str] = list(index)
    axis = TOKEN_AXIS.get(path.rpartition(".")[2])
    if axis is not None:
        place[axis] = vocabulary[index[axis]]
    return Edit(path, tuple(place))


def index_of(
    edit: Edit, shape: tuple[int, ...] | None, vocabulary: tuple[str, ...]
) -> tuple[int, ...] | None:
    """Where the edit is now in a tensor of this shape; None while it rests."""
    if shape is None or len(shape) != len(edit.place):
        return None
    axis = TOKEN_AXIS.get(edit.path.rpartition(".")[2])
    index = []
    for number, (i, size) in enumerate(zip(edit.place, shape, strict=True)):
        if (number == axis) != isinstance(i, str) or (isinstance(i, str) and i not in vocabulary):
            return None
        at = vocabulary.index(i) if isinstance(i, str) else i
        if not 0 <= at < size:
            return None
        index.append(at)
    return tuple(index)
