"""``torch.nn.Transformer``, encoder and decoder, also inside of other modules.

The module has neither embeddings nor positions nor an output layer; these are found in the module
around it, by the names below or other common names.
"""

from transformer_math.checkpoints.layouts.layout import Layout

_LAYER = "{stack}.layers.{n}."
_OURS = "{stack}.{n}."

LAYOUTS = (
    Layout(
        name="torch.nn.Transformer",
        mark="{decoder}.layers.{n}.multihead_attn.in_proj_weight",
        arrays={
            f"{_LAYER}self_attn.in_proj": f"{_OURS}self_attn.qkv",
            f"{_LAYER}self_attn.out_proj": f"{_OURS}self_attn.o",
            f"{_LAYER}multihead_attn.in_proj": f"{_OURS}cross_attn.qkv",
            f"{_LAYER}multihead_attn.out_proj": f"{_OURS}cross_attn.o",
            f"{_LAYER}linear1": f"{_OURS}feed_forward.1",
            f"{_LAYER}linear2": f"{_OURS}feed_forward.2",
            f"{_LAYER}norm1": f"{_OURS}self_attn.norm",
            "{encoder}.layers.{n}.norm2": f"{_OURS}feed_forward.norm",
            "{decoder}.layers.{n}.norm2": f"{_OURS}cross_attn.norm",
            f"{_LAYER}norm3": f"{_OURS}feed_forward.norm",
            "{stack}.norm": "{stack}.final.norm",
            "source_embedding": "source.e",
            "target_embedding": "target.e",
            "generator": "output.out",
        },
        orientation="out, in",
        assumed={
            "norm": "post",
            "activation": "relu",
            "positions": "sinusoidal",
            "embedding_scale": True,
        },
        around=True,
    ),
)
