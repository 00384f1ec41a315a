"""What a reader of a page that fails at random has done to it, and what is then to be there."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, NamedTuple

Cell = tuple[str, int, int]

# Parameters that every page of the phrase translator has, with the rows and columns to be touched.
CELLS: tuple[Cell, ...] = tuple(
    (path, i, j)
    for path in (
        *("source.W_e", "target.W_e", "encoder.0.self_attn.head.0.W_q"),
        *("encoder.0.feed_forward.W_1", "decoder.0.cross_attn.head.1.W_v"),
    )
    for i in range(3)
    for j in range(3)
)
KINDS = ("set", "set", "set", "set", "set", "restore", "undo", "redo")


class Deed(NamedTuple):
    """One thing that was done.

    Attributes:
        kind: ``set``, ``restore``, ``undo`` or ``redo``.
        cell: of the first two.
        value: of the first.
    """

    kind: str
    cell: Cell | None = None
    value: float = 0.0


class Expected:
    """The numbers that a page is to show for all that was done to it, in that order.

    Attributes:
        values: of the cells that are set by hand.
    """

    def __init__(self) -> None:
        self.values: dict[Cell, float] = {}
        self._past: list[dict[Cell, float]] = []
        self._future: list[dict[Cell, float]] = []

    def do(self, deed: Deed) -> None:
        """Something was done."""
        if deed.kind == "undo":
            self._step(self._past, self._future)
        elif deed.kind == "redo":
            self._step(self._future, self._past)
        else:
            assert deed.cell is not None
            values = {cell: x for cell, x in self.values.items() if cell != deed.cell}
            if deed.kind == "set":
                values[deed.cell] = deed.value
            if values != self.values:
                self._past.append(self.values)
                self._future.clear()
                self.values = values

    def _step(self, of: list[dict[Cell, float]], to: list[dict[Cell, float]]) -> None:
        if of:
            to.append(self.values)
            self.values = of.pop()


class Reader:
    """What one reader does, by chance."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._last: Cell | None = None

    def next(self) -> Deed:
        """The next deed. Changes of one cell in a row would be one step of undo."""
        kind = self._chance.choice(KINDS)
        if kind in ("undo", "redo"):
            return Deed(kind)
        self._last = self._chance.choice([cell for cell in CELLS if cell != self._last])
        return Deed(kind, self._last, round(self._chance.uniform(-2, 2), 3))


def read_deeds(written: Sequence[Sequence[Any]]) -> list[Deed]:
    """Deeds as a page has noted them."""
    return [
        Deed(kind, None if cell is None else (cell[0], cell[1], cell[2]), value)
        for kind, cell, value in written
    ]
