"""Marian, BART and mBART of Hugging Face, which have the same names.

Marian (Junczys-Dowmunt et al., 2018) has sinusoids, first all sines and then all cosines; the bias
of the output is ``final_logits_bias``. BART (Lewis et al., 2019) has learned positions, whose first
two rows are not used, and norms of the embeddings; mBART (Liu et al., 2020) is BART with pre-norm.
"""

import dataclasses

from transformer_math.checkpoints.layouts.layout import Layout

_LAYER, _OURS = "{stack}.layers.{n}.", "{stack}.{n}."

_MARIAN = Layout(
    name="Marian",
    types=("marian",),
    mark="decoder.layers.{n}.encoder_attn.q_proj.weight",
    without="decoder.layer*norm*.weight",
    arrays={
        "encoder.embed_tokens": "source.e",
        "decoder.embed_tokens": "target.e",
        "shared": "source.e, target.e",
        "encoder.embed_positions": "source.p",
        "decoder.embed_positions": "target.p",
        **{
            f"{_LAYER}{theirs}.{name}_proj": f"{_OURS}{ours}.{name[0]}"
            for theirs, ours in (("self_attn", "self_attn"), ("encoder_attn", "cross_attn"))
            for name in ("q", "k", "v", "out")
        },
        f"{_LAYER}self_attn_layer_norm": f"{_OURS}self_attn.norm",
        f"{_LAYER}encoder_attn_layer_norm": f"{_OURS}cross_attn.norm",
        f"{_LAYER}fc1": f"{_OURS}feed_forward.1",
        f"{_LAYER}fc2": f"{_OURS}feed_forward.2",
        f"{_LAYER}final_layer_norm": f"{_OURS}feed_forward.norm",
        "lm_head": "output.out",
        "final_logits_bias": "output.b_out",
    },
    orientation="out, in",
    settings={"norm": "post", "positions": "sinusoidal_halves"},
    assumed={"activation": "silu", "embedding_scale": True},
    refused=dict.fromkeys(
        ("normalize_before", "normalize_embedding"), "norms that Marian's layers do not have"
    ),
)
_BART = dataclasses.replace(
    _MARIAN,
    name="BART",
    types=("bart",),
    mark="decoder.layers.{n}.encoder_attn.q_proj.weight & decoder.layernorm_embedding.weight",
    without="decoder.layer_norm.weight",
    arrays={
        **_MARIAN.arrays,
        "encoder.embed_positions": "source.p[2:]",
        "decoder.embed_positions": "target.p[2:]",
        "encoder.layernorm_embedding": "source.norm",
        "decoder.layernorm_embedding": "target.norm",
    },
    settings={"norm": "post"},
    assumed={"activation": "gelu", "embedding_scale": False},
    refused={},
)
_MBART = dataclasses.replace(
    _BART,
    name="mBART",
    types=("mbart",),
    mark=f"{_BART.mark} & decoder.layer_norm.weight",
    without="",
    arrays={**_BART.arrays, "{stack}.layer_norm": "{stack}.final.norm"},
    settings={"norm": "pre"},
    assumed={"activation": "gelu", "embedding_scale": True},
)
LAYOUTS = (_MARIAN, _BART, _MBART)
