"""The names of every tensor: its axes and its symbol, by the kind of place it stands in.

A path is ``stack.layer.sublayer.leaf``; the kind is the part before the leaf. Axis names:
position (of the stack's own sequence), key_position (the same sequence, as keys),
source_position (the source, seen from the decoder), head, d_model, d_k, d_v, d_ff, vocab.
"""

from __future__ import annotations

from typing import NamedTuple


class Leaf(NamedTuple):
    """Axis names and LaTeX symbol of one tensor name."""

    dims: tuple[str, ...]
    symbol: str


def _sublayer(mark: str) -> dict[str, Leaf]:
    """The leaves that every sublayer has; ``mark`` tells its R and N from its neighbors'."""
    return {
        "dropout": Leaf(_STREAM, r"O^{\prime}"),
        "residual": Leaf(_STREAM, f"R_{{{mark}}}"),
        "norm": Leaf(_STREAM, f"N_{{{mark}}}"),
        **_GAIN,
    }


def _attention(key: str, mark: str) -> dict[str, Leaf]:
    """The leaves of an attention sublayer whose keys run over the axis ``key``."""
    along = "position" if key == "key_position" else key
    pair = ("head", "position", key)
    return {
        "W_q": Leaf(("head", "d_model", "d_k"), r"W^{Q}"),
        "W_k": Leaf(("head", "d_model", "d_k"), r"W^{K}"),
        "W_v": Leaf(("head", "d_model", "d_v"), r"W^{V}"),
        "W_o": Leaf(("head_d_v", "d_model"), r"W^{O}"),
        "b_q": Leaf(("head", "d_k"), r"b^{Q}"),
        "b_k": Leaf(("head", "d_k"), r"b^{K}"),
        "b_v": Leaf(("head", "d_v"), r"b^{V}"),
        "b_o": Leaf(("d_model",), r"b^{O}"),
        "q": Leaf(("head", "position", "d_k"), "Q"),
        "k": Leaf(("head", along, "d_k"), "K"),
        "v": Leaf(("head", along, "d_v"), "V"),
        "raw_scores": Leaf(pair, r"S^{0}"),
        "scores": Leaf(pair, r"S"),
        "masked_scores": Leaf(pair, r"S^{M}"),
        "weights": Leaf(pair, "A"),
        "weights_dropout": Leaf(pair, r"A^{\prime}"),
        "context": Leaf(("head", "position", "d_v"), "Z"),
        "concat": Leaf(("position", "head_d_v"), "C"),
        "out": Leaf(("position", "d_model"), "O"),
        **_sublayer(mark),
    }


_STREAM = ("position", "d_model")

_GAIN = {"gamma": Leaf(("d_model",), r"\gamma"), "beta": Leaf(("d_model",), r"\beta")}


def _embedding(side: str) -> dict[str, Leaf]:
    """The leaves of one side, ``src`` or ``tgt``; their tables are different ones."""
    return {
        "ids": Leaf(("position",), r"\mathrm{ids}"),
        "W_e": Leaf(("vocab", "d_model"), rf"W_{{\mathrm{{{side}}}}}^{{E}}"),
        "W_p": Leaf(("max_position", "d_model"), rf"W_{{\mathrm{{{side}}}}}^{{P}}"),
        "embedding": Leaf(_STREAM, "E"),
        "positions": Leaf(_STREAM, "P"),
        "sum": Leaf(_STREAM, "X"),
        "dropout": Leaf(_STREAM, r"X^{\prime}"),
    }


LEAVES: dict[str, dict[str, Leaf]] = {
    "source": {**_embedding("src"), "mask": Leaf(("position",), "M")},
    "target": {**_embedding("tgt"), "mask": Leaf(("position", "key_position"), "M")},
    "self_attn": _attention("key_position", "a"),
    "cross_attn": _attention("source_position", "c"),
    # The lecture's first step, before any projection: Q = K = V = the embeddings themselves.
    "unprojected": {
        name: Leaf(dims, symbol)
        for name, dims, symbol in (
            ("raw_scores", ("position", "key_position"), r"S^{0}"),
            ("scores", ("position", "key_position"), r"S"),
            ("masked_scores", ("position", "key_position"), r"S^{M}"),
            ("weights", ("position", "key_position"), "A"),
            ("context", _STREAM, "Z"),
        )
    },
    "feed_forward": {
        "W_1": Leaf(("d_model", "d_ff"), "W_{1}"),
        "b_1": Leaf(("d_ff",), "b_{1}"),
        "W_2": Leaf(("d_ff", "d_model"), "W_{2}"),
        "b_2": Leaf(("d_model",), "b_{2}"),
        "hidden": Leaf(("position", "d_ff"), "H"),
        "activation": Leaf(("position", "d_ff"), "F"),
        "activation_dropout": Leaf(("position", "d_ff"), r"F^{\prime}"),
        "out": Leaf(_STREAM, "O"),
        **_sublayer("f"),
    },
    "final": {"norm": Leaf(_STREAM, "N"), **_GAIN},
    # Attention called by itself on three arrays.
    "multi_head": {
        "query": Leaf(_STREAM, "Q"),
        "key": Leaf(("key_position", "d_model"), "K"),
        "value": Leaf(("key_position", "d_model"), "V"),
        "mask": Leaf(("position", "key_position"), "M"),
    },
    "output": {
        "W_out": Leaf(("d_model", "vocab"), r"W^{\mathrm{out}}"),
        "b_out": Leaf(("vocab",), r"b^{\mathrm{out}}"),
        "logits": Leaf(("position", "vocab"), "L"),
        "probabilities": Leaf(("position", "vocab"), "p"),
        "labels": Leaf(("position",), r"\mathrm{labels}"),
        "token_loss": Leaf(("position",), r"\ell"),
        # Not the letter L, which is the logits'.
        "loss": Leaf((), r"\mathrm{loss}"),
    },
}


def kind_of(prefix: str) -> str:
    """``encoder.0.self_attn.`` -> ``self_attn``."""
    return prefix.rstrip(".").rpartition(".")[2]
