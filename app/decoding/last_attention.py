"""Finds the attention with which the decoder generates the next token."""

import numpy as np

from transformer_math import Trace

from ..model.matrices.attention import AttentionFocus, scopes


def last_position_focus(trace: Trace) -> AttentionFocus:
    """Return the query and key to show: the last position, and the key that it attends to most.

    Use the last layer's cross-attention or, in a decoder-only model, its masked self-attention.
    """
    of_decoder = [scope for scope in scopes(trace) if scope.startswith("decoder.")]
    crossing = [scope for scope in of_decoder if scope.endswith("cross_attn")]
    scope = (crossing or of_decoder)[-1]
    weights = trace[f"{scope}.weights"].value
    last = weights[:, -1]
    head, key = np.unravel_index(int(last.argmax()), last.shape)
    return AttentionFocus(scope, int(head), weights.shape[1] - 1, int(key))
