"""The Annotated Transformer (Rush, 2018; Huang et al., 2022).

A norm precedes each sublayer, and a final norm follows each stack. The layer norm divides by the
deviation of a sample plus ε; some versions use PyTorch's norm instead.
"""

import dataclasses

from transformer_math.checkpoints.layouts.layout import Layout

_LAYER = "{stack}.layers.{n}."
_OURS = "{stack}.{n}."

_ANNOTATED = Layout(
    name="the Annotated Transformer",
    mark="{encoder}.layers.{n}.sublayer.0.norm.a_2",
    arrays={
        f"{_LAYER}{theirs}.linears.{k}": f"{_OURS}{ours}.{letter}"
        for theirs, ours in (("self_attn", "self_attn"), ("src_attn", "cross_attn"))
        for k, letter in enumerate("qkvo")
    }
    | {
        f"{_LAYER}feed_forward.w_1": f"{_OURS}feed_forward.1",
        f"{_LAYER}feed_forward.w_2": f"{_OURS}feed_forward.2",
        f"{_LAYER}sublayer.0.norm": f"{_OURS}self_attn.norm",
        "{encoder}.layers.{n}.sublayer.1.norm": f"{_OURS}feed_forward.norm",
        "{decoder}.layers.{n}.sublayer.1.norm": f"{_OURS}cross_attn.norm",
        f"{_LAYER}sublayer.2.norm": f"{_OURS}feed_forward.norm",
        "{stack}.norm": "{stack}.final.norm",
    },
    orientation="out, in",
    settings={"norm": "pre", "norm_deviation": "sample", "epsilon": 1e-6},
    assumed={"activation": "relu", "positions": "sinusoidal", "embedding_scale": True},
    around=True,
)
_WITH_PYTORCH = dataclasses.replace(
    _ANNOTATED, mark="{encoder}.layers.{n}.sublayer.0.norm.weight", settings={"norm": "pre"}
)
LAYOUTS = (_ANNOTATED, _WITH_PYTORCH)
