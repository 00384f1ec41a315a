"""BERT of Hugging Face (Devlin et al., 2018), an encoder without a decoder.

A text is one segment here: the embedding of the first kind of segment is added to every position.
"""

from transformer_math.checkpoints.layouts.layout import Layout

_LAYER, _OURS, _HEAD = "encoder.layer.{n}.", "encoder.{n}.", "cls.predictions."
_PROJECTIONS = ("query", "key", "value")
_BERT = Layout(
    name="BERT",
    types=("bert",),
    mark="encoder.layer.{n}.attention.self.query.weight",
    arrays={
        "embeddings.word_embeddings": "source.e",
        "embeddings.position_embeddings": "source.p",
        "embeddings.token_type_embeddings": "+ source.p[0]",
        "embeddings.LayerNorm": "source.norm",
        **{f"{_LAYER}attention.self.{x}": f"{_OURS}self_attn.{x[0]}" for x in _PROJECTIONS},
        f"{_LAYER}attention.output.dense": f"{_OURS}self_attn.o",
        f"{_LAYER}attention.output.LayerNorm": f"{_OURS}self_attn.norm",
        f"{_LAYER}intermediate.dense": f"{_OURS}feed_forward.1",
        f"{_LAYER}output.dense": f"{_OURS}feed_forward.2",
        f"{_LAYER}output.LayerNorm": f"{_OURS}feed_forward.norm",
        f"{_HEAD}transform.dense": "output.t",
        f"{_HEAD}transform.LayerNorm": "output.norm",
        f"{_HEAD}bias": "output.b_out",
        f"{_HEAD}decoder": "output.out",
    },
    orientation="out, in",
    settings={"norm": "post", "embedding_scale": False, "epsilon": 1e-12},
    assumed={"activation": "gelu"},
    refused={
        **{"is_decoder": "a decoder", "add_cross_attention": "cross-attention"},
        "position_embedding_type": ("absolute", "relative positions"),
    },
    required={
        "output.W_t": "These weights have no head for masked words (cls.predictions): read is what "
        "BertForMaskedLM or BertForPreTraining saves."
    },
    left_out=("pooler.dense.*", "cls.seq_relationship.*"),
)
LAYOUTS = (_BERT,)
