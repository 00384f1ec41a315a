"""Hiding a word: no position attends to it, as none attends to padding (Section 3.1).

Its key is masked in every attention over its text, so that no other word changes its place, as it
would if the word were taken out.
"""

from __future__ import annotations

import numpy as np

from transformer_math.arguments import checked
from transformer_math.checks import check_choice, check_whole
from transformer_math.model import Transformer
from transformer_math.ops.override import Hook

READS = {"source": "encoder", "target": "decoder"}
# What attends to the words of each text.
SUBLAYERS = {
    "source": (("encoder", "self_attn"), ("decoder", "cross_attn")),
    "target": (("decoder", "self_attn"),),
}


@checked()
def hidden_word(model: Transformer, side: str, position: int) -> dict[str, Hook]:
    """Hooks of a pass in which nothing attends to a word: ``model(…, hooks=hidden_word(…))``.

    Its own row is computed as ever, and read by nobody. A query whose keys are all hidden gets
    zeros.

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
