"""Token embeddings and positional encodings (Sections 3.4 and 3.5)."""

from __future__ import annotations

import math

import numpy as np

from transformer_math import positional
from transformer_math.ops.base import Gradients, Op
from transformer_math.ops.expression import Apply, Cell, Expression, Number, Product, Quotient, Sum
from transformer_math.ops.tensor import Index, Tensor

MAX_ONE_HOT = 64  # up to this vocabulary, gradients are summed by a product with one-hot rows


class Embed(Op):
    """Each token's row of the table, times √d_model if embeddings are scaled (Section 3.4).

    ids (…, n) and table (V, d) give (…, n, d).
    """

    __slots__ = ("d_model", "scaled", "_factor")

    def __init__(self, d_model: int, scaled: bool) -> None:
        self.d_model = d_model
        self.scaled = scaled
        self._factor = math.sqrt(d_model)

    def forward(self, ids: np.ndarray, table: np.ndarray) -> np.ndarray:
        if table.ndim > 2 and ids.ndim > 1:
            vectors = self._of_a_batch(ids, table)
        else:
            vectors = table.take(ids, axis=-2)
        return vectors * self._factor if self.scaled else vectors

    @staticmethod
    def _of_a_batch(ids: np.ndarray, table: np.ndarray) -> np.ndarray:
        """Return the rows of ids (B, n) in a table (…, 1 or B, V, d), which has a batch axis."""
        if table.shape[-3] == 1:  # the table has a sweep axis, and one entry for all examples
            return table[..., 0, :, :].take(ids, axis=-2)
        rows: np.ndarray = table[..., np.arange(len(ids))[:, None], ids, :]
        return rows

    def backward(self, g: np.ndarray, output: np.ndarray, *values: np.ndarray) -> Gradients:
        """Return, for each row of the table, the sum of g over the positions of its token."""
        ids, table = values
        if table.ndim > 2:  # one table for each example
            pairs = zip(ids, g, strict=True)
            gradient = np.array([sum_by_id(*pair, table.shape[-2]) for pair in pairs])
        else:
            gradient = sum_by_id(ids.ravel(), g.reshape(-1, g.shape[-1]), len(table))
        return None, gradient * self._factor if self.scaled else gradient

    def explain(self, output: Tensor, index: Index) -> Expression:
        ids, table = output.inputs
        return self._times_root(Cell(table, (int(ids.value[index[:-1]]), index[-1])))

    def explain_gradient(
        self, flow: Tensor, output: Tensor, which: int, index: Index
    ) -> Expression:
        token, i = index
        places = np.flatnonzero(output.inputs[0].value == token)
        if not places.size:
            return Number(0.0, "0 (no such token here)", exact=True)
        return self._times_root(sum_of_cells([Cell(flow, (int(n), i)) for n in places]))

    def _times_root(self, part: Expression) -> Expression:
        if not self.scaled:
            return part
        return Product((part, Number(self._factor, f"√{self.d_model}", exact=True)))

    def latex(self, ids: str, table: str) -> str:
        return rf"{table}[{ids}]" + (r"\cdot\sqrt{d_{\mathrm{model}}}" if self.scaled else "")


class SinusoidalPositions(Op):
    """The sinusoidal encoding of positions 0 … n−1 (Section 3.5).

    ids (…, n) give (n, d); only n matters. There is no maximal length: the cached table grows.
    """

    __slots__ = ("d_model", "halves", "_dtype", "_table")

    def __init__(self, d_model: int, halves: bool, dtype: str) -> None:
        self.d_model = d_model
        self.halves = halves
        self._dtype = dtype
        self._table = np.empty((0, d_model), dtype)

    def forward(self, ids: np.ndarray) -> np.ndarray:
        n = ids.shape[-1]
        if n > len(self._table):
            make = positional.sinusoidal_halves if self.halves else positional.sinusoidal
            self._table = make(max(n, 2 * len(self._table)), self.d_model).astype(self._dtype)
            self._table.flags.writeable = False
        return self._table[:n]

    def backward(self, g: np.ndarray, output: np.ndarray, *values: np.ndarray) -> Gradients:
        return (None,)

    def explain(self, output: Tensor, index: Index) -> Expression:
        position, dimension = index
        wave, pair = positional.wave_of(dimension, self.d_model, self.halves)
        wavelength = positional.BASE ** (2 * pair / self.d_model)
        angle = Quotient(
            Number(position, str(position), exact=True),
            Number(wavelength, f"10000^(2·{pair}/{self.d_model})"),
        )
        return Apply(wave.__name__, wave, angle)

    def latex(self, ids: str) -> str:
        angle = r"\frac{pos}{10000^{2i/d_{\mathrm{model}}}}"
        sine, cosine = ("i", r"d_{\mathrm{model}}/2+i") if self.halves else ("2i", "2i+1")
        return (
            rf"\begin{{cases}}\sin{angle} & \text{{dimension }}{sine}\\"
            rf"[4pt]\cos{angle} & \text{{dimension }}{cosine}\end{{cases}}"
        )


class LearnedPositions(Op):
    """The first n rows of a learned table of positions (Section 3.5).

    ids (…, n) and table (N, d) give (n, d).

    Raises:
        ValueError: the sequence is longer than the table.
    """

    __slots__ = ()

    def forward(self, ids: np.ndarray, table: np.ndarray) -> np.ndarray:
        n, longest = ids.shape[-1], table.shape[-2]
        if n > longest:
            raise ValueError(
                f"Learned positions end at {longest} tokens, and the sequence has {n}; "
                "sinusoidal positions have no maximum."
            )
        return table[..., :n, :]

    def backward(self, g: np.ndarray, output: np.ndarray, *values: np.ndarray) -> Gradients:
        """Return g for the first n rows, and 0 for all other rows."""
        ids, table = values
        gradient = np.zeros((*g.shape[:-2], *table.shape[-2:]), table.dtype)
        gradient[..., : ids.shape[-1], :] = g
        return None, gradient

    def explain(self, output: Tensor, index: Index) -> Expression:
        return Cell(output.inputs[1], index)

    def explain_gradient(
        self, flow: Tensor, output: Tensor, which: int, index: Index
    ) -> Expression:
        if index[0] >= flow.value.shape[-2]:
            return Number(0.0, "0 (beyond the text)", exact=True)
        return Cell(flow, index)

    def latex(self, ids: str, table: str) -> str:
        return rf"{table}[pos]"


def sum_by_id(ids: np.ndarray, rows: np.ndarray, size: int) -> np.ndarray:
    """Return the sum of the rows of each id: ids (n,) and rows (n, d) give (size, d)."""
    if size <= MAX_ONE_HOT:
        # With ids as one-hot rows, the sums are a matrix product.
        chosen = np.zeros((len(ids), size), rows.dtype)
        chosen.reshape(-1)[np.arange(0, chosen.size, size) + ids] = 1
        found_sums: np.ndarray = chosen.T @ rows
        return found_sums
    total = np.zeros((size, rows.shape[-1]), rows.dtype)
    order = np.argsort(ids, kind="stable")  # puts the positions of each id next to one another
    found, starts = np.unique(ids[order], return_index=True)
    total[found] = np.add.reduceat(rows[order], starts, axis=0)
    return total


def sum_of_cells(parts: list[Cell]) -> Expression:
    """Return the sum of the cells; for a single cell, the cell itself."""
    return parts[0] if len(parts) == 1 else Sum(parts)
