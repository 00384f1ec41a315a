"""Finds the attention with which the decoder generates the next token."""

import numpy as np

from transformer_math import Trace

from ..model.matrices.attention import AttentionFocus, last_attention


def last_position_focus(trace: Trace) -> AttentionFocus:
    """Return the query and key to show: the last position, and the key that it attends to most.

    Use the last layer's cross-attention or, in a decoder-only model, its masked self-attention.
    """
    scope = last_attention(trace, "decoder")
    assert scope is not None
    weights = trace[f"{scope}.weights"].value
    last = weights[:, -1]
    head, key = np.unravel_index(int(last.argmax()), last.shape)
    return AttentionFocus(scope, int(head), weights.shape[1] - 1, int(key))
