"""The axes and the symbol of every tensor.

A path is ``stack.layer.sublayer.leaf``, for instance ``encoder.0.self_attn.q``; the part before
the leaf is its kind. Axis names: position (of the stack's own sequence), key_position (the same
sequence, as keys), source_position (the source sequence, as the decoder's keys), head, d_model,
d_k, d_v, d_ff, head_d_v (heads side by side), vocab, max_position.
"""

from __future__ import annotations

import functools
from typing import NamedTuple


class TensorSpec(NamedTuple):
    """The names of a tensor's axes, leading axes excluded, and LaTeX of its symbol."""

    dims: tuple[str, ...]
    symbol: str


def _sublayer(mark: str) -> dict[str, TensorSpec]:
    """Return the leaves that every sublayer has; ``mark`` is the index of its symbols R and N."""
    return {
        "dropout": TensorSpec(_STREAM, r"O^{\prime}"),
        "residual": TensorSpec(_STREAM, f"R_{{{mark}}}"),
        "norm": TensorSpec(_STREAM, f"N_{{{mark}}}"),
        **_GAIN,
    }


def _attention(key: str, mark: str) -> dict[str, TensorSpec]:
    """Return the leaves of an attention sublayer; ``key`` is the name of the axis of keys."""
    along = "position" if key == "key_position" else key
    pair = ("head", "position", key)
    return {
        "W_q": TensorSpec(("head", "d_model", "d_k"), r"W^{Q}"),
        "W_k": TensorSpec(("head", "d_model", "d_k"), r"W^{K}"),
        "W_v": TensorSpec(("head", "d_model", "d_v"), r"W^{V}"),
        "W_o": TensorSpec(("head_d_v", "d_model"), r"W^{O}"),
        "b_q": TensorSpec(("head", "d_k"), r"b^{Q}"),
        "b_k": TensorSpec(("head", "d_k"), r"b^{K}"),
        "b_v": TensorSpec(("head", "d_v"), r"b^{V}"),
        "b_o": TensorSpec(("d_model",), r"b^{O}"),
        "q": TensorSpec(("head", "position", "d_k"), "Q"),
        "k": TensorSpec(("head", along, "d_k"), "K"),
        "v": TensorSpec(("head", along, "d_v"), "V"),
        "raw_scores": TensorSpec(pair, r"S^{0}"),
        "scores": TensorSpec(pair, r"S"),
        "masked_scores": TensorSpec(pair, r"S^{M}"),
        "weights": TensorSpec(pair, "A"),
        "weights_dropout": TensorSpec(pair, r"A^{\prime}"),
        "context": TensorSpec(("head", "position", "d_v"), "Z"),
        "concat": TensorSpec(("position", "head_d_v"), "C"),
        "out": TensorSpec(("position", "d_model"), "O"),
        **_sublayer(mark),
    }


_STREAM = ("position", "d_model")

_GAIN = {"gamma": TensorSpec(("d_model",), r"\gamma"), "beta": TensorSpec(("d_model",), r"\beta")}


def _embedding(side: str) -> dict[str, TensorSpec]:
    """Return the leaves of the source or target embedding; ``side`` is ``src`` or ``tgt``."""
    return {
        "ids": TensorSpec(("position",), r"\mathrm{ids}"),
        "W_e": TensorSpec(("vocab", "d_model"), rf"W_{{\mathrm{{{side}}}}}^{{E}}"),
        "W_p": TensorSpec(("max_position", "d_model"), rf"W_{{\mathrm{{{side}}}}}^{{P}}"),
        "embedding": TensorSpec(_STREAM, "E"),
        "positions": TensorSpec(_STREAM, "P"),
        "sum": TensorSpec(_STREAM, "X"),
        "norm": TensorSpec(_STREAM, "N_{e}"),
        "dropout": TensorSpec(_STREAM, r"X^{\prime}"),
        **_GAIN,
    }


# Kind -> leaf -> axes and symbol.
TENSORS: dict[str, dict[str, TensorSpec]] = {
    "source": {**_embedding("src"), "mask": TensorSpec(("position",), "M")},
    "target": {**_embedding("tgt"), "mask": TensorSpec(("position", "key_position"), "M")},
    "self_attn": _attention("key_position", "a"),
    "cross_attn": _attention("source_position", "c"),
    # Attention without projections, a step toward the paper's: Q = K = V = the embeddings.
    "unprojected": {
        name: TensorSpec(dims, symbol)
        for name, dims, symbol in (
            ("raw_scores", ("position", "key_position"), r"S^{0}"),
            ("scores", ("position", "key_position"), r"S"),
            ("masked_scores", ("position", "key_position"), r"S^{M}"),
            ("weights", ("position", "key_position"), "A"),
            ("context", _STREAM, "Z"),
        )
    },
    "feed_forward": {
        "W_1": TensorSpec(("d_model", "d_ff"), "W_{1}"),
        "b_1": TensorSpec(("d_ff",), "b_{1}"),
        "W_2": TensorSpec(("d_ff", "d_model"), "W_{2}"),
        "b_2": TensorSpec(("d_model",), "b_{2}"),
        "hidden": TensorSpec(("position", "d_ff"), "H"),
        "activation": TensorSpec(("position", "d_ff"), "F"),
        "activation_dropout": TensorSpec(("position", "d_ff"), r"F^{\prime}"),
        "out": TensorSpec(_STREAM, "O"),
        **_sublayer("f"),
    },
    "final": {"norm": TensorSpec(_STREAM, "N"), **_GAIN},
    # The inputs of ``attention.multi_head_attention``.
    "multi_head": {
        "query": TensorSpec(_STREAM, "Q"),
        "key": TensorSpec(("key_position", "d_model"), "K"),
        "value": TensorSpec(("key_position", "d_model"), "V"),
        "mask": TensorSpec(("position", "key_position"), "M"),
    },
    "output": {
        "W_out": TensorSpec(("d_model", "vocab"), r"W^{\mathrm{out}}"),
        "b_out": TensorSpec(("vocab",), r"b^{\mathrm{out}}"),
        "W_t": TensorSpec(("d_model", "d_model"), r"W^{T}"),
        "b_t": TensorSpec(("d_model",), r"b^{T}"),
        "hidden": TensorSpec(_STREAM, "H"),
        "activation": TensorSpec(_STREAM, "F"),
        "norm": TensorSpec(_STREAM, "N_{t}"),
        **_GAIN,
        "logits": TensorSpec(("position", "vocab"), "L"),
        "probabilities": TensorSpec(("position", "vocab"), "p"),
        "labels": TensorSpec(("position",), r"\mathrm{labels}"),
        "token_loss": TensorSpec(("position",), r"\ell"),
        # A word, because L is the symbol of the logits.
        "loss": TensorSpec((), r"\mathrm{loss}"),
    },
}


def symbol_of(leaf: str) -> str:
    """Return the symbol of a leaf that is not in ``TENSORS``: its name in upright letters."""
    return r"\mathrm{" + leaf.replace("_", r"\,") + "}"


@functools.lru_cache(maxsize=4096)
def kind_of(prefix: str) -> str:
    """Return the kind of a prefix: ``encoder.0.self_attn.`` -> ``self_attn``."""
    return prefix.rstrip(".").rpartition(".")[2]
