"""The names of every tensor: its axes and its symbol, by the kind of place it stands in.

A path is ``stack.layer.sublayer.leaf``; the kind is the part before the leaf. Axis names:
position (of the stack's own sequence), key_position (the same sequence, as keys),
source_position (the source, seen from the decoder), head, d_model, d_k, d_v, d_ff, vocab.
"""

from __future__ import annotations

import functools
from typing import NamedTuple


class TensorSpec(NamedTuple):
    """Axis names and LaTeX symbol of one tensor name."""

    dims: tuple[str, ...]
    symbol: str


def _sublayer(mark: str) -> dict[str, TensorSpec]:
    """The leaves that every sublayer has; ``mark`` tells its R and N from its neighbors'."""
    return {
        "dropout": TensorSpec(_STREAM, r"O^{\prime}"),
        "residual": TensorSpec(_STREAM, f"R_{{{mark}}}"),
        "norm": TensorSpec(_STREAM, f"N_{{{mark}}}"),
        **_GAIN,
    }


def _attention(key: str, mark: str) -> dict[str, TensorSpec]:
    """The leaves of an attention sublayer whose keys run over the axis ``key``."""
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
    """The leaves of one side, ``src`` or ``tgt``; their tables are different ones."""
    return {
        "ids": TensorSpec(("position",), r"\mathrm{ids}"),
        "W_e": TensorSpec(("vocab", "d_model"), rf"W_{{\mathrm{{{side}}}}}^{{E}}"),
        "W_p": TensorSpec(("max_position", "d_model"), rf"W_{{\mathrm{{{side}}}}}^{{P}}"),
        "embedding": TensorSpec(_STREAM, "E"),
        "positions": TensorSpec(_STREAM, "P"),
        "sum": TensorSpec(_STREAM, "X"),
        "dropout": TensorSpec(_STREAM, r"X^{\prime}"),
    }


TENSORS: dict[str, dict[str, TensorSpec]] = {
    "source": {**_embedding("src"), "mask": TensorSpec(("position",), "M")},
    "target": {**_embedding("tgt"), "mask": TensorSpec(("position", "key_position"), "M")},
    "self_attn": _attention("key_position", "a"),
    "cross_attn": _attention("source_position", "c"),
    # The lecture's first step, before any projection: Q = K = V = the embeddings themselves.
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
    # Attention called by itself on three arrays.
    "multi_head": {
        "query": TensorSpec(_STREAM, "Q"),
        "key": TensorSpec(("key_position", "d_model"), "K"),
        "value": TensorSpec(("key_position", "d_model"), "V"),
        "mask": TensorSpec(("position", "key_position"), "M"),
    },
    "output": {
        "W_out": TensorSpec(("d_model", "vocab"), r"W^{\mathrm{out}}"),
        "b_out": TensorSpec(("vocab",), r"b^{\mathrm{out}}"),
        "logits": TensorSpec(("position", "vocab"), "L"),
        "probabilities": TensorSpec(("position", "vocab"), "p"),
        "labels": TensorSpec(("position",), r"\mathrm{labels}"),
        "token_loss": TensorSpec(("position",), r"\ell"),
        # Not the letter L, which is the logits'.
        "loss": TensorSpec((), r"\mathrm{loss}"),
    },
}


def symbol_of(leaf: str) -> str:
    """The symbol of a leaf that has none of its own: ``capped_logits`` in upright letters."""
    return r"\mathrm{" + leaf.replace("_", r"\,") + "}"


@functools.lru_cache(maxsize=4096)
def kind_of(prefix: str) -> str:
    """``encoder.0.self_attn.`` -> ``self_attn``."""
    return prefix.rstrip(".").rpartition(".")[2]
