"""Masks: additive inside, 0 where a key may be seen and −∞ where not (Section 3.2.3).

Libraries disagree on what True means in a Boolean mask, so the two adapters are named for it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, DTypeLike


def from_true_means_attend(keep: ArrayLike, dtype: DTypeLike = np.float32) -> np.ndarray:
    """Additive mask out of one whose True means that a key may be seen (ONNX, TensorFlow)."""
    return _additive(~np.asarray(keep, bool), dtype)


def from_true_means_masked(hide: ArrayLike, dtype: DTypeLike = np.float32) -> np.ndarray:
    """Additive mask out of one whose True means that a key is hidden (torch.nn.Transformer)."""
    return _additive(np.asarray(hide, bool), dtype)


def _additive(hide: np.ndarray, dtype: DTypeLike) -> np.ndarray:
    mask: np.ndarray = np.zeros(hide.shape, dtype)
    mask[hide] = -np.inf
    return mask


def look_ahead(n: int, dtype: DTypeLike = np.float32) -> np.ndarray:
    """(n, n): position i sees the positions j ≤ i, itself included (Section 3.1)."""
    return from_true_means_attend(np.tri(n, dtype=bool), dtype)


def nothing_hidden(n: int, dtype: DTypeLike = np.float32) -> np.ndarray:
    """(n, n): every position sees every other, as if there were no look-ahead mask."""
    return np.zeros((n, n), dtype)


def padding(ids: np.ndarray, pad: int, dtype: DTypeLike = np.float32) -> np.ndarray:
    """(…, n) out of ids (…, n): padding tokens are hidden as keys."""
    return from_true_means_masked(ids == pad, dtype)


def combined(pair_mask: np.ndarray, padding_mask: np.ndarray) -> np.ndarray:
    """(…, n, n): hidden is what either mask (n, n) or (…, n) hides."""
    both: np.ndarray = pair_mask + padding_mask[..., None, :]
    return both
