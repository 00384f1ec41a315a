"""Hiding a word: no position attends to it, just as none attends to padding (Section 3.1).

The key of the word is masked in every attention over its text. So all other words keep their
positions, which they would not if the word were removed.
"""

from __future__ import annotations

import numpy as np

from transformer_math.arguments import checked
from transformer_math.checks import check_choice, check_whole
from transformer_math.model import Transformer
from transformer_math.ops.override import Hook

READS = {"source": "encoder", "target": "decoder"}
# Text -> the sublayers that attend to its words.
SUBLAYERS = {
    "source": (("encoder", "self_attn"), ("decoder", "cross_attn")),
    "target": (("decoder", "self_attn"),),
}


@checked()
def hidden_word(model: Transformer, side: str, position: int) -> dict[str, Hook]:
    """Return the hooks of a pass without attention to a word: ``model(…, hooks=hidden_word(…))``.

    The word's own row is still computed, but no attention reads it. A query whose keys are all
    hidden gets zeros.

    Args:
        model: the model.
        side: ``source`` or ``target``, the text of the word.
        position: the word's position, from 0.

    Raises:
        ValueError: the model reads no such text, or the position is negative.
    """
    config = model.config
    layers = {"encoder": config.encoder_layers, "decoder": config.decoder_layers}
    check_choice("side", side, tuple(READS))
    if not layers[READS[side]]:
        raise ValueError(f"side is {side}, which this {config.kind} model does not read.")
    check_whole("position", position, 0)

    def hide(masked_scores: np.ndarray) -> None:
        masked_scores[..., position] = -np.inf

    return {
        f"{stack}.{n}.{sublayer}.masked_scores": hide
        for stack, sublayer in SUBLAYERS[side]
        for n in range(layers[stack])
    }
