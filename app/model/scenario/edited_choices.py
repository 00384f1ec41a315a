"""Numbers set by hand, and ablated parts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, Self

from ...number_text import plain_number
from .choices import Choices
from .edits import NO_EDITS, Axes, Edit, edit_of, frozen
from .limits import MAX_VALUE
from .matrix_address import MatrixAddress, matrix_address
from .silences import MAX_SILENCES, Silence, checked, part_shape
from .tensor_shapes import shape_of


class EditedChoices(Choices):
    """Choices whose numbers can be set cell by cell, and whose parts can be ablated."""

    def shape(self, path: str) -> tuple[int, ...] | None:
        """Return the shape of a stored real-valued tensor of this scenario; None if absent."""
        return shape_of(self.config, len(self.source), len(self.target), path)

    def part_shape(self, path: str) -> tuple[int, int] | None:
        """Return rows and columns of the matrix at a path; None if it cannot be ablated."""
        return part_shape(self.config, len(self.source), len(self.target), path)

    def has_part(self, silence: Silence) -> bool:
        """Return whether the model has a part, even if the text is too short to show it."""
        try:
            checked(silence, self.part_shape(silence.path))
        except ValueError:
            return False
        return True

    def can_be_set(self, path: str) -> bool:
        """Return whether a matrix can be edited: its parameters or computed numbers are real."""
        return self.shape(matrix_address(path).stored) is not None

    def is_parameter(self, path: str) -> bool:
        """Return whether a drawn matrix is a parameter or one head of a parameter."""
        return matrix_address(path).stored in self.config.parameter_shapes()

    def edit_at(self, path: str, index: tuple[int, ...]) -> Edit:
        """Return the edit that identifies a cell; ``ValueError`` if it cannot be edited."""
        return self._place(path).edit(index)

    def _place(self, path: str) -> _Place:
        """Return the data that edits of one matrix share, looked up once for all its cells."""
        matrix = matrix_address(path)
        shape = self.shape(matrix.stored)
        if shape is None:
            raise ValueError(f"{path} has no numbers that can be set.")
        return _Place(matrix, shape, self.vocabulary_of(matrix.stored))

    def edited_cells(self) -> Iterator[tuple[Edit, tuple[int, ...]]]:
        """Yield each edit whose tokens and positions exist now, with the index of its cell."""
        axes: dict[str, Axes] = {}
        for edit in self.edits:
            path = edit.path
            if path not in axes:
                axes[path] = Axes(path, self.shape(path), self.vocabulary_of(path))
            index = axes[path].index(edit.place)
            if index is not None:
                yield edit, index

    def overrides(self) -> dict[str, dict[tuple[int, ...], float]]:
        """Return stored path -> index -> value, for edits whose tokens and positions exist now."""
        found: dict[str, dict[tuple[int, ...], float]] = {}
        for edit, index in self.edited_cells():
            found.setdefault(edit.path, {})[index] = self.edits[edit]
        return found

    @property
    def beside_weights(self) -> list[tuple[str, str]]:
        """The choices that change only the pass of the page, in words, each with its negation.

        Code that uses the weights alone ignores them: for instance the curves of a run.
        """
        found = []
        if not all(self.is_parameter(edit.path) for edit in self.edits):
            found.append(("the computed numbers that you set", "no computed number set"))
        if self.silences:
            found.append(("the parts that you silenced", "no part silenced"))
        return found

    def with_value(self, path: str, index: tuple[int, ...], value: Any) -> Self:
        """Set one cell to a number; ``value`` may be typed text.

        A parameter is edited; a computed cell is overridden and everything downstream recomputed.
        Raise ``ValueError`` if the value is not a finite number within the limit, or if there is no
        such cell.
        """
        return self.with_values(path, {index: value})

    def with_values(self, path: str, values: Mapping[tuple[int, ...], Any]) -> Self:
        """Set several cells of one matrix together; see ``with_value``."""
        place = self._place(path)
        new = {place.edit(index): checked_value(x) for index, x in values.items()}
        return self._next(edits=frozen({**self.edits, **new}))

    def without_value(self, path: str, index: tuple[int, ...]) -> Self:
        """Undo the edit or override of one cell."""
        edit = self.edit_at(path, index)
        return self._next(edits=frozen({e: x for e, x in self.edits.items() if e != edit}))

    def without_row(self, path: str, row: int) -> Self:
        """Undo the edits of one row of a drawn matrix."""
        place = self.edit_at(path, (row, 0))
        kept = {
            edit: value
            for edit, value in self.edits.items()
            if (edit.path, edit.place[:-1]) != (place.path, place.place[:-1])
        }
        return self._next(edits=frozen(kept))

    def without_matrix(self, path: str) -> Self:
        """Undo the edits of one drawn matrix."""
        matrix = matrix_address(path)
        front = matrix.front
        kept = {
            edit: value
            for edit, value in self.edits.items()
            if edit.path != matrix.stored or edit.place[: len(front)] != front
        }
        return self._next(edits=frozen(kept))

    def without_overrides(self) -> Self:
        """Undo all overrides and ablations; edited parameters stay."""
        kept = {e: x for e, x in self.edits.items() if self.is_parameter(e.path)}
        return self._next(edits=frozen(kept), silences=())

    def with_silence(self, silence: Silence) -> Self:
        """Ablate a part, replacing earlier edits and ablations within it.

        Raise ``ValueError`` with one sentence if there is no such part, or too many are ablated.
        """
        checked(silence, self.part_shape(silence.path))
        matrix = silence.matrix
        front = matrix.front

        def covers(edit: Edit) -> bool:
            if edit.path != matrix.stored or edit.place[: len(front)] != front:
                return False
            row, column = (int(at) for at in edit.place[-2:])
            return silence.covers(silence.path, row, column)

        edits = {edit: x for edit, x in self.edits.items() if not covers(edit)}
        others = tuple(each for each in self.silences if not silence.covers(*each.part))
        if len(others) == MAX_SILENCES:
            raise ValueError(f"At most {MAX_SILENCES} parts can be silenced.")
        return self._next(edits=frozen(edits), silences=(*others, silence))

    def without_silence(self, path: str, row: int | None, column: int | None) -> Self:
        """Undo the ablation of a part."""
        kept = tuple(each for each in self.silences if each.part != (path, row, column))
        return self._next(silences=kept)

    def without_edits(self) -> Self:
        """Undo all edits."""
        return self._next(edits=NO_EDITS, silences=())


class _Place(NamedTuple):
    """A matrix's address, stored shape and vocabulary, from which edits of its cells are made."""

    matrix: MatrixAddress
    shape: tuple[int, ...]
    vocabulary: tuple[str, ...]

    def edit(self, index: tuple[int, ...]) -> Edit:
        """Return the edit that identifies a cell."""
        full = (*self.matrix.front, *index)
        fits = len(full) == len(self.shape)
        if not fits or any(not 0 <= i < n for i, n in zip(full, self.shape, strict=True)):
            raise ValueError(f"{self.matrix.path} has no cell {index}.")
        return edit_of(self.matrix.stored, full, self.vocabulary)


def checked_value(raw: Any) -> float:
    """Parse a finite number within ``MAX_VALUE``."""
    try:
        value = float(plain_number(str(raw)))
    except ValueError:
        value = math.nan
    if not abs(value) <= MAX_VALUE:
        raise ValueError(f"Type a number from −{MAX_VALUE:g} to {MAX_VALUE:g}.")
    return value + 0.0  # turns −0 into 0
