"""Additive attention masks: 0 for visible keys, −∞ for hidden keys (Section 3.2.3).

Libraries disagree on the meaning of True in a Boolean mask, so the names of the two conversions
state the meaning.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from transformer_math.arguments import checked
from transformer_math.checks import check_whole


@checked()
def from_true_means_attend(keep: ArrayLike, dtype: DTypeLike = np.float32) -> np.ndarray:
    """Return the additive mask of a Boolean mask with True for visible (ONNX, TensorFlow)."""
    return _additive(~np.asarray(keep, bool), dtype)


@checked()
def from_true_means_masked(hide: ArrayLike, dtype: DTypeLike = np.float32) -> np.ndarray:
    """Return the additive mask of a Boolean mask with True for hidden (torch.nn.Transformer)."""
    return _additive(np.asarray(hide, bool), dtype)


def _additive(hide: np.ndarray, dtype: DTypeLike) -> np.ndarray:
    mask: np.ndarray = np.zeros(hide.shape, dtype)
    mask[hide] = -np.inf
    return mask


@checked()
def look_ahead(n: int, dtype: DTypeLike = np.float32) -> np.ndarray:
    """Return the causal mask (n, n): position i attends only to positions j ≤ i (Section 3.1)."""
    check_whole("n", n, 0)
    return from_true_means_attend(np.tri(n, dtype=bool), dtype)


@checked()
def nothing_hidden(n: int, dtype: DTypeLike = np.float32) -> np.ndarray:
    """Return the mask (n, n) with which every position attends to every position."""
    check_whole("n", n, 0)
    return np.zeros((n, n), dtype)


@checked()
def padding(ids: np.ndarray, pad: int, dtype: DTypeLike = np.float32) -> np.ndarray:
    """Return the mask (…, n) that hides padding tokens as keys, for ids (…, n)."""
    return from_true_means_masked(ids == pad, dtype)


@checked(shapes={"pair_mask": "n m", "padding_mask": "… m"})
def combined(pair_mask: np.ndarray, padding_mask: np.ndarray) -> np.ndarray:
    """Return the mask (…, n, n) with all that a pair mask (n, n) or a key mask (…, n) hides."""
    both: np.ndarray = pair_mask + padding_mask[..., None, :]
    return both
