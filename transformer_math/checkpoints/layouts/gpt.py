"""GPT-2 of Hugging Face, and other implementations whose arrays have the same names.

Hugging Face has ``Conv1D``, which computes x W; nanoGPT and minGPT (Karpathy) have PyTorch's
``Linear``, which computes x Wᵀ.
"""

import dataclasses

from transformer_math.checkpoints.layouts.layout import Layout

_GPT2 = Layout(
    name="GPT-2",
    types=("gpt2",),
    mark="h.{n}.attn.c_attn.weight",
    arrays={
        "wte": "target.e",
        "wpe": "target.p",
        "h.{n}.ln_1": "decoder.{n}.self_attn.norm",
        "h.{n}.attn.c_attn": "decoder.{n}.self_attn.qkv",
        "h.{n}.attn.c_proj": "decoder.{n}.self_attn.o",
        "h.{n}.ln_2": "decoder.{n}.feed_forward.norm",
        "h.{n}.mlp.c_fc": "decoder.{n}.feed_forward.1",
        "h.{n}.mlp.c_proj": "decoder.{n}.feed_forward.2",
        "ln_f": "decoder.final.norm",
        "lm_head": "output.out",
    },
    orientation="in, out",
    settings={"norm": "pre", "embedding_scale": False},
    assumed={"activation": "gelu_tanh"},
    refused={
        "scale_attn_by_inverse_layer_idx": "scores divided by the layer's number",
        "add_cross_attention": "cross-attention",
    },
    left_out=("h.{n}.attn.bias", "h.{n}.attn.masked_bias"),
)
_BY_HAND = dataclasses.replace(
    _GPT2, name="nanoGPT", types=(), orientation="out, in", assumed={"activation": "gelu"}
)
LAYOUTS = (_GPT2, _BY_HAND)
