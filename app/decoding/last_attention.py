"""The attention of the decoder when it is about to write."""

from __future__ import annotations

import numpy as np

from transformer_math import Trace

from ..matrices.attention import AttentionFocus, scopes


def last_position_focus(trace: Trace) -> AttentionFocus:
    """The last position in the decoder's last cross-attention, and the key it attends to most.

    A decoder-only model has no cross-attention; there it is the last masked self-attention.
    """
    of_decoder = [scope for scope in scopes(trace) if scope.startswith("decoder.")]
    crossing = [scope for scope in of_decoder if scope.endswith("cross_attn")]
    scope = (crossing or of_decoder)[-1]
    weights = trace[f"{scope}.weights"].value
    last = weights[:, -1]
    head, key = np.unravel_index(int(last.argmax()), last.shape)
    return AttentionFocus(scope, int(head), weights.shape[1] - 1, int(key))
