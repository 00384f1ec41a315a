"""Edited parameters and overridden cells, keyed by tensor and place.

A row or column of a vocabulary is identified by its token rather than by its index, so that an edit
stays with its token when the vocabulary changes. An edit whose token or position is missing from
the current text has no effect; it applies again when the token or position returns.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

EditPath = tuple[int | str, ...]

# The tensors that have a vocabulary axis, and the index of that axis.
TOKEN_AXIS = {"W_e": 0, "W_out": 1, "b_out": 0, "logits": 1, "probabilities": 1}


@dataclass(frozen=True, slots=True)
class Edit:
    """Identifies one edited cell of a stored tensor, which is a parameter or computed."""

    path: str
    place: EditPath


Edits = Mapping[Edit, float]
NO_EDITS: Edits = MappingProxyType({})


def frozen(edits: Mapping[Edit, float]) -> Edits:
    """Return a read-only view of a mapping of edits."""
    return MappingProxyType(dict(edits))


def edit_of(path: str, index: tuple[int, ...], vocabulary: tuple[str, ...]) -> Edit:
    """Return the edit that identifies a cell; ``vocabulary`` labels its vocabulary axis."""
    place: list[int | str] = list(index)
    axis = TOKEN_AXIS.get(path.rpartition(".")[2])
    if axis is not None:
        place[axis] = vocabulary[index[axis]]
    return Edit(path, tuple(place))


class Axes:
    """Finds the current index of each edit of one tensor, with one vocabulary lookup for all."""

    def __init__(
        self, path: str, shape: tuple[int, ...] | None, vocabulary: tuple[str, ...]
    ) -> None:
        """Prepare the lookup; ``shape`` is None if there is no such tensor."""
        self._shape = shape
        self._axis = TOKEN_AXIS.get(path.rpartition(".")[2])
        self._rows: dict[int | str, int] = {}
        if self._axis is not None:
            for row, word in enumerate(vocabulary):
                self._rows.setdefault(word, row)

    def index(self, place: EditPath) -> tuple[int, ...] | None:
        """Return the cell's index; None if its token or position is missing."""
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
        return place  # type: ignore[return-value]  # all tokens were replaced by indices
