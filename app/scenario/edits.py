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


class Axes:
    """Where edits of one tensor are now: what its places mean is looked up once for all of them."""

    def __init__(
        self, path: str, shape: tuple[int, ...] | None, vocabulary: tuple[str, ...]
    ) -> None:
        """Args: the tensor's path, its shape if there is one, the words along its axis of words."""
        self._shape = shape
        self._axis = TOKEN_AXIS.get(path.rpartition(".")[2])
        self._rows: dict[int | str, int] = {}
        if self._axis is not None:
            for row, word in enumerate(vocabulary):
                self._rows.setdefault(word, row)

    def index(self, place: Place) -> tuple[int, ...] | None:
        """The cell's index; None while the edit rests."""
        shape, axis = self._shape, self._axis
        if shape is None or len(shape) != len(place):
            return None
        if axis is not None:
            row = self._rows.get(place[axis])
            if row is None:
                return None
            place = (*place[:axis], row, *place[axis + 1 :])
        for i, size in zip(place, shape, strict=True):
            if isinstance(i, str) or not 0 <= i < size:
                return None
        return place  # type: ignore[return-value]  # no word is left in it
