"""Checks and weights for tensors whose rows belong to tokens."""

from __future__ import annotations

import numpy as np

from transformer_math.graph.trace import Trace
from transformer_math.ops.tensor import Tensor

# Axes along which a mean over tokens is taken.
TOKEN_AXES = ("batch", "position", "source_position", "key_position")


def check_rows_of_tokens(tensor: Tensor) -> None:
    """Check that a tensor has real numbers and a row for each token.

    Raises:
        ValueError: the tensor is a parameter, or has no such rows.
    """
    rows = tensor.dims[-2:-1]
    if tensor.is_leaf or tensor.value.dtype.kind != "f" or not set(rows) & set(TOKEN_AXES):
        what = "is given, not computed, and" if tensor.is_leaf else "is no matrix of real numbers:"
        raise ValueError(
            f"{tensor.path} {what} has no row for each token; name a computed tensor such as "
            "encoder.0.feed_forward.out."
        )


def token_weights(trace: Trace, tensor: Tensor) -> np.ndarray | None:
    """Return the mask of the cells without padding tokens; None if there is no padding.

    The result broadcasts to the tensor's value.
    """
    found: np.ndarray | None = None
    for axis, name in enumerate(tensor.dims):
        if name not in TOKEN_AXES or name == "batch":
            continue
        known = _known(trace, "source" if _reads_source(trace, tensor.path, name) else "target")
        if known is None:
            continue
        shape = [1] * tensor.value.ndim
        shape[axis] = known.shape[-1]
        if known.ndim > 1 and "batch" in tensor.dims:
            shape[tensor.dims.index("batch")] = len(known)
        along = known.reshape(shape)
        found = along if found is None else found & along
    return found


def _reads_source(trace: Trace, path: str, axis: str) -> bool:
    """Return whether an axis of a tensor runs over the tokens of the source."""
    if axis == "source_position" or "target.ids" not in trace.tensors:
        return True
    return path.startswith(("source.", "encoder."))


def _known(trace: Trace, side: str) -> np.ndarray | None:
    """Return the mask of a side's tokens (…, n) that are not padding; None without padding.

    The target has a mask of pairs; a token that may not attend to itself is padding.
    """
    mask = trace.tensors.get(f"{side}.mask")
    if mask is None:
        return None
    value = mask.value if side == "source" else np.diagonal(mask.value, 0, -2, -1)
    hidden = np.isneginf(value)
    return ~hidden if hidden.any() else None
