"""A small model whose output depends on the source and is not one repeated token."""

from typing import Any

from tests.math.tiny import tiny
from transformer_math import Transformer

LOUDER = {"cross_attn.W_o": 4.0, "W_p": 4.0, "W_e": 3.0, "b_out": 0.3}


def lively(**changes: Any) -> Transformer:
    """Return ``tiny`` with a larger share of source and positions, and a smaller last bias."""
    model = tiny(**changes)
    return model.with_parameters(
        {
            path: array * factor
            for path, array in model.parameters.items()
            for end, factor in LOUDER.items()
            if path.endswith(end)
        }
    )
