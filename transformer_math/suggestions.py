"""Suggestions for misspelled settings of ``Config`` and for the names of other libraries."""

from __future__ import annotations

import difflib
from collections.abc import Collection

_HEADS = "heads"
_VOCABULARIES = "source_vocabulary and target_vocabulary"
_LAYERS = "encoder_layers and decoder_layers"
_LENGTH = "max_positions, for learned positions"
# Name in another library -> the settings here, as the error message says them.
ALIASES = {
    **dict.fromkeys(("n_heads", "num_heads", "nhead", "n_head", "num_attention_heads"), _HEADS),
    **dict.fromkeys(("encoder_attention_heads", "decoder_attention_heads"), _HEADS),
    **dict.fromkeys(("hidden_size", "n_embd", "embed_dim", "dim", "dmodel"), "d_model"),
    **dict.fromkeys(("dim_feedforward", "intermediate_size", "d_mlp", "ffn_dim", "dff"), "d_ff"),
    **dict.fromkeys(("encoder_ffn_dim", "decoder_ffn_dim"), "d_ff"),
    **dict.fromkeys(("num_layers", "n_layers", "n_layer", "num_hidden_layers"), _LAYERS),
    "num_encoder_layers": "encoder_layers",
    "num_decoder_layers": "decoder_layers",
    **dict.fromkeys(("d_head", "head_dim"), "d_k and d_v"),
    **dict.fromkeys(("vocab_size", "d_vocab"), _VOCABULARIES),
    "src_vocab_size": "source_vocabulary",
    "tgt_vocab_size": "target_vocabulary",
    "decoder_vocab_size": "target_vocabulary",
    **dict.fromkeys(("n_ctx", "max_position_embeddings", "block_size", "max_len"), _LENGTH),
    **dict.fromkeys(("layer_norm_eps", "eps", "layer_norm_epsilon"), "epsilon"),
    **dict.fromkeys(("act_fn", "activation_function", "hidden_act"), "activation"),
    "norm_first": 'norm, "pre" or "post"',
    "bias": "attention_bias, feed_forward_bias and output_bias",
    "tie_word_embeddings": "tie_output",
    "share_encoder_decoder_embeddings": "share_embeddings",
    "scale_embedding": "embedding_scale",
    "static_position_embeddings": 'positions, such as "sinusoidal"',
    **dict.fromkeys(("pad_token_id", "padding_idx"), "source_pad and target_pad"),
}


def unknown_setting_message(name: str, known: Collection[str]) -> str:
    """The error message for an unknown setting, with a suggestion if there is one."""
    close = difflib.get_close_matches(name, known, 1)
    meant = ALIASES.get(name.lower(), close[0] if close else None)
    be = "are" if meant and " and " in meant else "is"
    hint = f"; {meant} {be} meant" if meant else ""
    return f"A config has no setting called {name}{hint}."
