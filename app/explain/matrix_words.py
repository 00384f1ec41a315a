"""Describes a sublayer's tensors, by the last name of their paths."""

from collections.abc import Mapping
from typing import NamedTuple


class Leaf(NamedTuple):
    """Descriptions of one kind of tensor."""

    number: str
    matrix: str


_BIASES = Leaf("bias", "biases: what is added to each column")

LEAVES: Mapping[str, Leaf] = {
    "W_e": Leaf("embedding", "embedding table: a row of numbers for each known word"),
    "embedding": Leaf("embedding", "each word as a row of numbers"),
    "positions": Leaf("position", "each position as a row of numbers"),
    "sum": Leaf("embedding with its position", "word and position added"),
    "W_q": Leaf("weight of the queries", "weights that make the queries"),
    "W_k": Leaf("weight of the keys", "weights that make the keys"),
    "W_v": Leaf("weight of the values", "weights that make the values"),
    "W_o": Leaf("output weight of the attention", "weights that mix what the heads found"),
    "q": Leaf("query", "queries: what each word looks for"),
    "k": Leaf("key", "keys: what each word offers to be found by"),
    "v": Leaf("value", "values: what each word passes on"),
    "raw_scores": Leaf("product q·k", "scores before scaling: queries times keys"),
    "scores": Leaf("score", "scores: how well each query fits each key"),
    "masked_scores": Leaf(
        "score after the mask", "scores after the mask: −∞ hides what a word must not see"
    ),
    "weights": Leaf("attention weight", "attention weights: the scores as shares of 1"),
    "weights_dropout": Leaf("attention weight after dropout", "attention weights after dropout"),
    "context": Leaf(
        "context, the weighted values", "context: the values, mixed by the attention weights"
    ),
    "concat": Leaf("contexts of all heads", "the contexts of all heads, side by side"),
    "out": Leaf("output of the sublayer", "output of the sublayer, before it is added"),
    "dropout": Leaf("output of the sublayer", "the same after dropout"),
    "residual": Leaf(
        "stream with the sublayer’s output added", "the stream: the output added to what came in"
    ),
    "gamma": Leaf("scale γ of layer norm", "γ: what the normalized numbers are multiplied by"),
    "beta": Leaf("shift β of layer norm", "β: what is added to the normalized numbers"),
    "norm": Leaf(
        "stream after layer norm", "the stream, each row normalized to mean 0 and deviation 1"
    ),
    "W_1": Leaf("first weight of the feed-forward network", "first layer’s weights"),
    "W_2": Leaf("second weight of the feed-forward network", "second layer’s weights"),
    "hidden": Leaf(
        "feed-forward network before its activation", "hidden layer before the activation"
    ),
    "activation": Leaf(
        "activation of the feed-forward network", "hidden layer after the activation"
    ),
    "activation_dropout": Leaf(
        "activation of the feed-forward network after dropout", "hidden layer after dropout"
    ),
    "W_out": Leaf(
        "weight of the output layer", "weights that score every word that could come next"
    ),
    "b_out": Leaf("bias of the output layer", "biases of those scores"),
    "logits": Leaf("logit", "logits: a score for every word that could come next"),
    "probabilities": Leaf("probability", "probability of every word, from the logits by softmax"),
    "token_loss": Leaf(
        "loss of one word",
        "loss of each word: −Σ t log p; t is 1 at the right one, less with label smoothing",
    ),
    "loss": Leaf("loss", "the loss: the mean over all words that count"),
    **dict.fromkeys(("b_q", "b_k", "b_v", "b_o", "b_1", "b_2"), _BIASES),
}


def leaf_of(path: str) -> Leaf | None:
    """Return the descriptions of a tensor or of one of its heads; None if there are none."""
    return LEAVES.get(path.rpartition(".")[2])
