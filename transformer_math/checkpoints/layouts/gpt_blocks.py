"""Hand-written GPTs with one matrix for each of queries, keys and values: the first minGPT, and the
lecture "Let's build GPT" (Karpathy, 2023), whose heads are modules of their own.
"""

from transformer_math.checkpoints.layouts.layout import Layout

_BLOCK = "blocks.{n}."
_OURS = "decoder.{n}."
_LETTERS = {"query": "q", "key": "k", "value": "v"}
_NORMS = {
    "blocks.{n}.ln1": "decoder.{n}.self_attn.norm",
    "blocks.{n}.ln2": "decoder.{n}.feed_forward.norm",
    "ln_f": "decoder.final.norm",
}
_USUAL = {"norm": "pre", "embedding_scale": False}

LAYOUTS = (
    Layout(
        name="minGPT",
        mark="blocks.{n}.attn.query.weight",
        arrays={f"{_BLOCK}attn.{name}": f"{_OURS}self_attn.{x}" for name, x in _LETTERS.items()}
        | _NORMS
        | {
            f"{_BLOCK}attn.proj": f"{_OURS}self_attn.o",
            f"{_BLOCK}mlp.0": f"{_OURS}feed_forward.1",
            f"{_BLOCK}mlp.2": f"{_OURS}feed_forward.2",
        },
        settings=_USUAL,
        assumed={"activation": "gelu"},
        around=True,
    ),
    Layout(
        name="the GPT of “Let's build GPT”",
        mark="blocks.{n}.sa.heads.{h}.query.weight",
        arrays={
            f"{_BLOCK}sa.heads.{{h}}.{name}": f"{_OURS}self_attn.{x}"
            for name, x in _LETTERS.items()
        }
        | _NORMS
        | {
            f"{_BLOCK}sa.proj": f"{_OURS}self_attn.o",
            f"{_BLOCK}ffwd.net.0": f"{_OURS}feed_forward.1",
            f"{_BLOCK}ffwd.net.2": f"{_OURS}feed_forward.2",
        },
        settings=_USUAL,
        assumed={"activation": "relu"},
        around=True,
    ),
)
