"""The model of the course "PyTorch Seq2Seq" (Trevett, 2019): post-norm and learned positions."""

from transformer_math.checkpoints.layouts.layout import Layout

_LAYER = "{stack}.layers.{n}."
_OURS = "{stack}.{n}."
_ATTENTIONS = {"self_attention": "self_attn", "encoder_attention": "cross_attn"}

LAYOUTS = (
    Layout(
        name="the Transformer of PyTorch Seq2Seq",
        mark="{stack}.layers.{n}.self_attention.fc_q.weight",
        arrays={
            f"{_LAYER}{theirs}.fc_{letter}": f"{_OURS}{ours}.{letter}"
            for theirs, ours in (
                ("self_attention", "self_attn"),
                ("encoder_attention", "cross_attn"),
            )
            for letter in "qkvo"
        }
        | {
            f"{_LAYER}positionwise_feedforward.fc_1": f"{_OURS}feed_forward.1",
            f"{_LAYER}positionwise_feedforward.fc_2": f"{_OURS}feed_forward.2",
            f"{_LAYER}self_attn_layer_norm": f"{_OURS}self_attn.norm",
            f"{_LAYER}enc_attn_layer_norm": f"{_OURS}cross_attn.norm",
            f"{_LAYER}ff_layer_norm": f"{_OURS}feed_forward.norm",
            "{encoder}.tok_embedding": "source.e",
            "{encoder}.pos_embedding": "source.p",
            "{decoder}.tok_embedding": "target.e",
            "{decoder}.pos_embedding": "target.p",
            "{decoder}.fc_out": "output.out",
        },
        orientation="out, in",
        settings={"norm": "post"},
        assumed={"activation": "relu", "embedding_scale": True},
    ),
)
