"""Tests NumPy's matrix product after a loop with SIMD has replaced its inner loop."""

from collections.abc import Iterator

import numpy as np


def is_right() -> bool:
    """Return whether products of all kinds of factors agree with the unchanged ``einsum``."""
    return all(_is_product(a, b, order) for a, b in _factors() for order in ("C", "F"))


def _is_product(a: np.ndarray, b: np.ndarray, order: str) -> bool:
    expected = np.einsum("...ij,...jk->...ik", a.astype(np.float64), b.astype(np.float64))
    out = np.asarray(np.full(expected.shape, np.nan, np.float32), order=order)  # type: ignore[call-overload]
    np.matmul(a, b, out=out)
    return bool(np.allclose(out, expected, rtol=1e-4, atol=1e-4))


def _factors() -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield factors of several sizes and layouts, some batched or broadcast, one without terms."""
    random = np.random.default_rng(0)

    def of(*shape: int) -> np.ndarray:
        return random.standard_normal(shape, dtype=np.float32)

    yield of(17, 13), of(13, 11)
    yield of(8, 16), of(16, 24)
    yield of(9, 33).T, of(9, 21)
    yield of(20, 7), of(30, 7).T
    yield of(6, 40)[:, ::2], of(20, 32)[:, ::2]
    yield of(3, 5, 6, 12), of(3, 5, 12, 10)
    yield of(4, 9, 8), of(8, 8)
    yield of(3, 1, 7, 8), of(2, 8, 5)
    yield of(5, 0), of(0, 9)
    yield of(1, 300), of(300, 3)
    yield of(64, 64), of(64, 64)
