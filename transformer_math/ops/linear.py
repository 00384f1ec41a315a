"""Matrix products with learned weights (Sections 3.2.2, 3.3 and 3.4)."""

from __future__ import annotations

import numpy as np

from transformer_math.expression import Cell, Expression, Sum, dot
from transformer_math.ops.base import Op, rows
from transformer_math.tensor import Index, Tensor


def linear(x: np.ndarray, W: np.ndarray, b: np.ndarray | None = None) -> np.ndarray:
    """x W + b for x (…, n, d), W (d, f) and b (f,)."""
    if W.ndim == 2 and x.ndim > 2:
        # One large product instead of one for each example of a batch.
        y = (x.reshape(-1, x.shape[-1]) @ W).reshape(*x.shape[:-1], W.shape[-1])
    else:
        y = x @ W
    if b is None:
        return y
    if b.ndim > 1:
        return y + rows(b)
    y += b
    return y


class Linear(Op):
    """x W + b: x (…, n, d), W (d, f), b (f,) or absent, give (…, n, f)."""

    __slots__ = ()

    def forward(self, x: np.ndarray, W: np.ndarray, b: np.ndarray | None = None) -> np.ndarray:  # type: ignore[override]
        return linear(x, W, b)

    def explain(self, output: Tensor, index: Index) -> Expression:
        x, W, *bias = output.inputs
        *row, j = index
        inner = range(W.value.shape[-2])
        products = dot([Cell(x, (*row, i)) for i in inner], [Cell(W, (i, j)) for i in inner])
        return Sum([*products.parts, *(Cell(b, (j,)) for b in bias)])

    def latex(self, x: str, W: str, b: str | None = None) -> str:  # type: ignore[override]
        return f"{x}\\,{W}" + (f" + {b}" if b else "")


class TiedLinear(Op):
    """x Eᵀ + b with the embedding table as output weights (Section 3.4).

    x (…, n, d), table (V, d), b (V,) or absent, give (…, n, V).
    """

    __slots__ = ()

    def forward(self, x: np.ndarray, E: np.ndarray, b: np.ndarray | None = None) -> np.ndarray:  # type: ignore[override]
        return linear(x, E.swapaxes(-1, -2), b)

    def explain(self, output: Tensor, index: Index) -> Expression:
        x, E, *bias = output.inputs
        *row, j = index
        inner = range(E.value.shape[-1])
        products = dot([Cell(x, (*row, i)) for i in inner], [Cell(E, (j, i)) for i in inner])
        return Sum([*products.parts, *(Cell(b, (j,)) for b in bias)])

    def latex(self, x: str, E: str, b: str | None = None) -> str:  # type: ignore[override]
        return f"{x}\\,({E})^{{\\top}}" + (f" + {b}" if b else "")


class ProjectHeads(Op):
    """X W_i for every head i at once (Section 3.2.2).

    x (…, n, d), W (h, d, k), b (h, k) or absent, give (…, h, n, k).
    """

    __slots__ = ()

    def forward(self, x: np.ndarray, W: np.ndarray, b: np.ndarray | None = None) -> np.ndarray:  # type: ignore[override]
        if W.ndim > 3:
            y = x[..., None, :, :] @ W
        else:
            # Heads side by side are one matrix (d, h·k): one product for all of them. The model
            # stores W that way round, so that this is a view of it.
            h, d, k = W.shape
            flat = b.reshape(h * k) if b is not None and b.ndim == 2 else None
            y = linear(x, W.transpose(1, 0, 2).reshape(d, h * k), flat)
            y = y.reshape(*x.shape[:-1], h, k).swapaxes(-3, -2)
            if flat is not None:
                return y
        return y if b is None else y + b[..., None, :]

    def explain(self, output: Tensor, index: Index) -> Expression:
        x, W, *bias = output.inputs
        *lead, head, n, j = index
        inner = range(W.value.shape[-2])
        products = dot(
            [Cell(x, (*lead, n, i)) for i in inner], [Cell(W, (head, i, j)) for i in inner]
        )
        return Sum([*products.parts, *(Cell(b, (head, j)) for b in bias)])

    def latex(self, x: str, W: str, b: str | None = None) -> str:  # type: ignore[override]
        return f"{x}\\,{W}" + (f" + {b}" if b else "")


class ConcatHeads(Op):
    """Heads laid side by side: (…, h, n, v) gives (…, n, h·v) (Section 3.2.2)."""

    __slots__ = ()

    def forward(self, z: np.ndarray) -> np.ndarray:  # type: ignore[override]
        z = z.swapaxes(-3, -2)
        return z.reshape(*z.shape[:-2], z.shape[-2] * z.shape[-1])

    def explain(self, output: Tensor, index: Index) -> Expression:
        z = output.inputs[0]
        *lead, n, j = index
        head, inner = divmod(j, z.value.shape[-1])
        return Cell(z, (*lead, head, n, inner))

    def latex(self, z: str) -> str:  # type: ignore[override]
        return rf"\mathrm{{Concat}}({z}_{{1}}, \ldots, {z}_{{h}})"


LINEAR = Linear()
TIED_LINEAR = TiedLinear()
PROJECT_HEADS = ProjectHeads()
CONCAT_HEADS = ConcatHeads()
