"""Arrays that models store beside their weights: sinusoids, masks and counters."""

from __future__ import annotations

import numpy as np

from transformer_math import positional

# Maximum error of a stored table of sinusoids, which may be in half precision.
_NEAR = 1e-2
_WAVES = {
    "sinusoidal": positional.sinusoidal,
    "sinusoidal_halves": positional.sinusoidal_halves,
}


def wave_of(table: np.ndarray) -> str | None:
    """Return the kind of sinusoids in a table of positions (…, n, d); None for other numbers."""
    if table.ndim < 2 or not table.size:
        return None
    rows = table.reshape(-1, table.shape[-1])
    for kind, wave in _WAVES.items():
        if np.allclose(rows, wave(*rows.shape), rtol=0, atol=_NEAR):
            return kind
    return None


def is_weight(array: np.ndarray) -> bool:
    """Return whether an array can be a weight: no whole numbers, no single number, no mask."""
    return array.dtype.kind == "f" and array.size > 1 and not is_look_ahead(array)


def is_look_ahead(array: np.ndarray) -> bool:
    """Return whether an array (…, n, n) has one number up to the diagonal and another beyond it."""
    if array.ndim < 2 or array.shape[-1] != array.shape[-2] or array.shape[-1] < 2:
        return False
    if array.size != array.shape[-1] ** 2:
        return False
    square = array.reshape(array.shape[-2:])
    seen = np.tri(len(square), dtype=bool)
    first, last = square[0, 0], square[0, -1]
    return bool(first != last and (square[seen] == first).all() and (square[~seen] == last).all())
