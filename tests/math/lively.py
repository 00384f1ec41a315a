"""A small model that says different things of different sources, not one token over and over."""

from typing import Any

from tests.math.tiny import tiny
from transformer_math import Transformer

LOUDER = {"cross_attn.W_o": 4.0, "W_p": 4.0, "W_e": 3.0, "b_out": 0.3}


def lively(**changes: Any) -> Transformer:
    """``tiny`` with more of source and position in it and less of the last bias."""
    model = tiny(**changes)
    return model.with_parameters(
        {
            path: array * factor
            for path, array in model.parameters.items()
            for end, factor in LOUDER.items()
            if path.endswith(end)
        }
    )
