"""Matrix products with learned weights (Sections 3.2.2, 3.3 and 3.4)."""

from __future__ import annotations

import numpy as np

from transformer_math.ops.base import Gradients, Op, as_rows, ones, product
from transformer_math.ops.expression import Cell, Expression, Sum, dot
from transformer_math.ops.tensor import Index, Tensor


def linear(x: np.ndarray, W: np.ndarray, b: np.ndarray | None = None) -> np.ndarray:
    """Return x W + b for x (…, n, d), W (d, f) and b (f,)."""
    y: np.ndarray
    if W.ndim == 2 and x.ndim == 2:
        y = product(x, W)
    elif W.ndim == 2 and x.ndim > 2:
        # One large product is faster than one for each example of a batch.
        y = (x.reshape(-1, x.shape[-1]) @ W).reshape(*x.shape[:-1], W.shape[-1])
    else:
        y = x @ W
    if b is not None:
        if b.ndim == 1:
            y += b
        else:
            y = y + as_rows(b)
    return y


def linear_backward(
    g: np.ndarray, x: np.ndarray, W: np.ndarray, *bias: np.ndarray
) -> tuple[np.ndarray, ...]:
    """Return the gradients of x W + b: dx = g Wᵀ, dW = xᵀ g and, with a bias, db = g."""
    if W.ndim == 2 and x.ndim > 2:
        g_rows = g.reshape(-1, g.shape[-1])
        dx = (g_rows @ W.T).reshape(*g.shape[:-1], W.shape[0])
        dW = x.reshape(-1, x.shape[-1]).T @ g_rows
    else:
        dx, dW = g @ W.swapaxes(-1, -2), x.swapaxes(-1, -2) @ g
    return (dx, dW, g) if bias else (dx, dW)


class Linear(Op):
    """x W + b: x (…, n, d), W (d, f), b (f,) or absent, give (…, n, f)."""

    __slots__ = ()

    def forward(self, x: np.ndarray, W: np.ndarray, b: np.ndarray | None = None) -> np.ndarray:
        return linear(x, W, b)

    def backward(self, g: np.ndarray, output: np.ndarray, *values: np.ndarray) -> Gradients:
        return linear_backward(g, *values)

    def explain(self, output: Tensor, index: Index) -> Expression:
        x, W, *bias = output.inputs
        *row, j = index
        inner = range(W.value.shape[-2])
        products = dot([Cell(x, (*row, i)) for i in inner], [Cell(W, (i, j)) for i in inner])
        return Sum([*products.parts, *(Cell(b, (j,)) for b in bias)])

    def explain_gradient(
        self, flow: Tensor, output: Tensor, which: int, index: Index
    ) -> Expression:
        x, W = output.inputs[:2]
        if which == 0:
            *row, i = index
            outer = range(W.value.shape[-1])
            return dot([Cell(flow, (*row, j)) for j in outer], [Cell(W, (i, j)) for j in outer])
        return _of_rows(flow, x, which, index)

    def latex(self, x: str, W: str, b: str | None = None) -> str:
        return f"{x}\\,{W}" + (f" + {b}" if b else "")


class TiedLinear(Op):
    """x Eᵀ + b with the embedding table as output weights (Section 3.4).

    x (…, n, d), table (V, d), b (V,) or absent, give (…, n, V).
    """

    __slots__ = ()

    def forward(self, x: np.ndarray, E: np.ndarray, b: np.ndarray | None = None) -> np.ndarray:
        return linear(x, E.swapaxes(-1, -2), b)

    def backward(self, g: np.ndarray, output: np.ndarray, *values: np.ndarray) -> Gradients:
        x, E, *bias = values
        dx, dW, *db = linear_backward(g, x, E.swapaxes(-1, -2), *bias)
        return dx, dW.swapaxes(-1, -2), *db

    def explain(self, output: Tensor, index: Index) -> Expression:
        x, E, *bias = output.inputs
        *row, j = index
        inner = range(E.value.shape[-1])
        products = dot([Cell(x, (*row, i)) for i in inner], [Cell(E, (j, i)) for i in inner])
        return Sum([*products.parts, *(Cell(b, (j,)) for b in bias)])

    def explain_gradient(
        self, flow: Tensor, output: Tensor, which: int, index: Index
    ) -> Expression:
        x, E = output.inputs[:2]
        if which == 0:
            *row, i = index
            words = range(E.value.shape[-2])
            return dot([Cell(flow, (*row, v)) for v in words], [Cell(E, (v, i)) for v in words])
        return _of_rows(flow, x, which, index[::-1])

    def latex(self, x: str, E: str, b: str | None = None) -> str:
        return f"{x}\\,({E})^{{\\top}}" + (f" + {b}" if b else "")


class ProjectHeads(Op):
    """X W_i for all heads i in one product (Section 3.2.2).

    x (…, n, d), W (h, d, k), b (h, k) or absent, give (…, h, n, k).
    """

    __slots__ = ()

    def forward(self, x: np.ndarray, W: np.ndarray, b: np.ndarray | None = None) -> np.ndarray:
        y: np.ndarray
        if W.ndim > 3:
            y = x[..., None, :, :] @ W
        else:
            # Side by side, the heads are one matrix (d, h·k), so that one product is enough. The
            # model stores W in that order, so this is a view.
            h, d, k = W.shape
            flat = b.reshape(h * k) if b is not None and b.ndim == 2 else None
            y = linear(x, W.transpose(1, 0, 2).reshape(d, h * k), flat)
            y = y.reshape(*x.shape[:-1], h, k).swapaxes(-3, -2)
            if flat is not None:
                return y
        if b is not None:
            y = y + b[..., None, :]
        return y

    def backward(self, g: np.ndarray, output: np.ndarray, *values: np.ndarray) -> Gradients:
        """dx = Σ_i g_i W_iᵀ, dW_i = xᵀ g_i, db_i = Σ g_i, for all heads in one product."""
        x, W, *bias = values
        if W.ndim > 3 or (bias and bias[0].ndim > 2):  # weights or biases for each example
            db = (np.add.reduce(g, axis=-2),) if bias else ()
        if W.ndim > 3:
            dx = (g @ W.swapaxes(-1, -2)).sum(-3)
            return dx, x[..., None, :, :].swapaxes(-1, -2) @ g, *db
        h, d, k = W.shape
        flat_W = W.transpose(1, 0, 2).reshape(d, h * k)
        g_rows = g.swapaxes(-3, -2).reshape(*x.shape[:-1], h * k)
        dx, dW = linear_backward(g_rows, x, flat_W)
        dW = dW.reshape(*dW.shape[:-1], h, k).swapaxes(-3, -2)
        if not bias:
            return dx, dW
        if bias[0].ndim == 2:
            rows = g_rows.reshape(-1, h * k)
            db = ((ones(len(rows), rows.dtype) @ rows).reshape(h, k),)
        return dx, dW, *db

    def explain(self, output: Tensor, index: Index) -> Expression:
        x, W, *bias = output.inputs
        *lead, head, n, j = index
        inner = range(W.value.shape[-2])
        products = dot(
            [Cell(x, (*lead, n, i)) for i in inner], [Cell(W, (head, i, j)) for i in inner]
        )
        return Sum([*products.parts, *(Cell(b, (head, j)) for b in bias)])

    def explain_gradient(
        self, flow: Tensor, output: Tensor, which: int, index: Index
    ) -> Expression:
        x, W = output.inputs[:2]
        places = range(x.value.shape[-2])
        if which == 0:
            n, i = index
            heads, _, width = W.value.shape
            pairs = [(h, j) for h in range(heads) for j in range(width)]
            return dot(
                [Cell(flow, (h, n, j)) for h, j in pairs], [Cell(W, (h, i, j)) for h, j in pairs]
            )
        if which == 1:
            head, i, j = index
            return dot(
                [Cell(x, (n, i)) for n in places], [Cell(flow, (head, n, j)) for n in places]
            )
        head, j = index
        return Sum([Cell(flow, (head, n, j)) for n in places])

    def latex(self, x: str, W: str, b: str | None = None) -> str:
        return f"{x}\\,{W}" + (f" + {b}" if b else "")


class ConcatHeads(Op):
    """The heads' columns side by side: (…, h, n, v) gives (…, n, h·v) (Section 3.2.2)."""

    __slots__ = ()

    def forward(self, z: np.ndarray) -> np.ndarray:
        z = z.swapaxes(-3, -2)
        return z.reshape(*z.shape[:-2], z.shape[-2] * z.shape[-1])

    def backward(self, g: np.ndarray, output: np.ndarray, *values: np.ndarray) -> Gradients:
        """Return, for each head, the gradient of the head's columns."""
        heads, width = values[0].shape[-3], values[0].shape[-1]
        return (g.reshape(*g.shape[:-1], heads, width).swapaxes(-3, -2),)

    def explain(self, output: Tensor, index: Index) -> Expression:
        z = output.inputs[0]
        *lead, n, j = index
        head, inner = divmod(j, z.value.shape[-1])
        return Cell(z, (*lead, head, n, inner))

    def explain_gradient(
        self, flow: Tensor, output: Tensor, which: int, index: Index
    ) -> Expression:
        head, n, inner = index
        return Cell(flow, (n, head * output.inputs[0].value.shape[-1] + inner))

    def latex(self, z: str) -> str:
        return rf"\mathrm{{Concat}}({z}_{{1}}, \ldots, {z}_{{h}})"


def _of_rows(flow: Tensor, x: Tensor, which: int, index: Index) -> Expression:
    """Return the gradient of a weight (i, j), Σ x · g over positions, or of a bias (j,), Σ g."""
    places = range(x.value.shape[-2])
    if which == 1:
        i, j = index
        return dot([Cell(x, (n, i)) for n in places], [Cell(flow, (n, j)) for n in places])
    return Sum([Cell(flow, (n, *index)) for n in places])


LINEAR = Linear()
TIED_LINEAR = TiedLinear()
PROJECT_HEADS = ProjectHeads()
CONCAT_HEADS = ConcatHeads()
