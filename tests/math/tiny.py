"""A small model whose sizes all differ and whose parameters are all random."""

from typing import Any

import numpy as np

from transformer_math import Config, Transformer

SOURCE = [3, 1, 4, 1, 5]
TARGET = [2, 7, 1]
SETTINGS: dict[str, Any] = {
    "d_model": 6,
    "heads": 2,
    "d_ff": 11,
    "encoder_layers": 1,
    "decoder_layers": 1,
    "source_vocabulary": 13,
    "target_vocabulary": 17,
    "attention_bias": True,
    "output_bias": True,
    "dtype": "float64",
}


def tiny(**changes: Any) -> Transformer:
    """Return the model; γ is not 1 and no bias is 0, so that omitting one changes the result."""
    config = Config(**{**SETTINGS, **changes})
    random = np.random.default_rng(7)
    parameters = {
        path: random.normal(1.0 if path.endswith("gamma") else 0.0, 0.6, shape)
        for path, shape in config.parameter_shapes().items()
    }
    return Transformer(config, parameters)


def read_by(model: Transformer, source: Any, target: Any) -> tuple[Any, Any]:
    """Return the ids that a model reads, with None for a stack that it lacks."""
    config = model.config
    return (source if config.encoder_layers else None, target if config.decoder_layers else None)


VARIANTS: dict[str, dict[str, Any]] = {
    "post": {},
    "pre": {"norm": "pre", "activation": "gelu"},
    "post_final_norm": {"final_norm": True, "activation": "silu"},
    "no_biases": {"attention_bias": False, "feed_forward_bias": False, "output_bias": False},
    "tied": {"source_vocabulary": 17, "tie_output": True, "share_embeddings": True},
    "tied_apart": {"tie_output": True, "activation": "tanh"},
    "own_widths": {"d_k": 5, "d_v": 4, "heads": 3, "attention_scale": "d_model"},
    "halves_unscaled": {"positions": "sinusoidal_halves", "embedding_scale": False},
    "odd_halves": {"d_model": 9, "heads": 3, "positions": "sinusoidal_halves"},
    "learned_positions": {"positions": "learned", "max_positions": 7, "attention_scale": "none"},
    "no_positions": {"positions": "none", "activation": "identity"},
    "all_seen": {"causal_mask": False},
    "padded": {"source_pad": 1, "target_pad": 7},
    "encoder_only": {"decoder_layers": 0, "source_pad": 5},
    "decoder_only": {"encoder_layers": 0, "target_pad": 1},
    # The settings of GPT-2 and of BERT.
    "gpt": {
        "encoder_layers": 0,
        "norm": "pre",
        "activation": "gelu_tanh",
        "positions": "learned",
        "max_positions": 7,
        "embedding_scale": False,
        "tie_output": True,
        "output_bias": False,
    },
    "bert": {
        "decoder_layers": 0,
        "source_pad": 5,
        "activation": "gelu",
        "positions": "learned",
        "max_positions": 7,
        "embedding_scale": False,
        "embedding_norm": True,
        "output_transform": True,
        "tie_output": True,
    },
    "normed_embeddings": {"embedding_norm": True, "norm": "pre"},
    # The settings of the Annotated Transformer, with an ε that is not negligible.
    "sample_norm": {
        "norm": "pre",
        "norm_deviation": "sample",
        "activation": "gelu",
        "epsilon": 0.1,
    },
    "sample_norm_post": {"norm_deviation": "sample", "embedding_norm": True, "epsilon": 0.1},
    "float32": {"dtype": "float32"},
}
