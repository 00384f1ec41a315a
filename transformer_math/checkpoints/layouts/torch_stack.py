"""One stack of ``torch.nn``: a ``TransformerEncoder``, or layers of it in a list.

With a look-ahead mask, the stack is a decoder without an encoder. No array shows the mask, so the
stack counts as a decoder because of its name, or if ``causal_mask`` is given.
"""

from transformer_math.checkpoints.layouts.layout import Layout

LAYOUTS = (
    Layout(
        name="torch.nn.TransformerEncoder",
        mark="*.{n}.self_attn.in_proj_weight",
        without="*.{n}.multihead_attn.in_proj_weight",
        arrays={
            "*.{n}.self_attn.in_proj": "{stack}.{n}.self_attn.qkv",
            "*.{n}.self_attn.out_proj": "{stack}.{n}.self_attn.o",
            "*.{n}.linear1": "{stack}.{n}.feed_forward.1",
            "*.{n}.linear2": "{stack}.{n}.feed_forward.2",
            "*.{n}.norm1": "{stack}.{n}.self_attn.norm",
            "*.{n}.norm2": "{stack}.{n}.feed_forward.norm",
            "norm": "{stack}.final.norm",
            "source_embedding": "{side}.e",
            "target_embedding": "{side}.e",
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
