"""Decides which part of a model the page draws.

The pass always computes everything. Of a large model with thousands of matrices, the page draws
only one layer of each stack and, if that is still too much, one head. The feed-forward networks,
which work on each token separately, can be drawn for a single token.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from transformer_math import Config, Trace
from transformer_math.graph.paths import TENSORS
from transformer_math.ops import IDENTITY

from ...manifest import Choice
from ..scenario.matrix_address import matrix_address

MAX_MATRICES = 600  # if there are more, one layer of each stack is drawn
MAX_OF_A_LAYER = 200  # if one layer of each stack has more, one head is drawn

STACKS = ("encoder", "decoder")
ALL_HEADS = ALL_TOKENS = -1
FEED_FORWARD = "feed_forward"


class LayerChoice(NamedTuple):
    """The layers, head and tokens to draw if the model is too large to draw all of them."""

    encoder: int = 0
    decoder: int = 0
    head: int = 0  # ``ALL_HEADS`` for all
    encoder_token: int = ALL_TOKENS  # the token drawn in the encoder's feed-forward networks
    decoder_token: int = ALL_TOKENS

    @property
    def of_all_tokens(self) -> LayerChoice:
        """A copy that draws every token."""
        return self._replace(encoder_token=ALL_TOKENS, decoder_token=ALL_TOKENS)

    def toward(self, path: str, row: int | None = None) -> LayerChoice:
        """Return a copy that draws the layer and head of a path, and the token of a row."""
        parts = path.split(".")
        look = self
        if len(parts) > 1 and parts[0] in STACKS and parts[1].isdecimal():
            look = look.with_choice(parts[0], int(parts[1]))
        head = matrix_address(path).head
        if head is not None and look.head != ALL_HEADS:
            look = look._replace(head=head)
        token = token_choice(parts[0])
        if row is not None and _is_of_one_token(path) and getattr(look, token) != ALL_TOKENS:
            look = look.with_choice(token, row)
        return look

    def with_choice(self, name: str, number: int) -> LayerChoice:
        """Return a copy with one choice replaced; ``ValueError`` if there is no such choice."""
        if name not in self._fields:
            raise ValueError(f"There is no choice of {name}.")
        return self._replace(**{name: number})


class Extent(NamedTuple):
    """The drawn part of a model."""

    layers: Mapping[str, range]  # by stack
    heads: range
    choices: list[Choice]  # offered by the board; empty if everything is drawn
    # Stack -> the token drawn in its feed-forward networks; a missing stack draws all tokens.
    tokens: Mapping[str, int] = MappingProxyType({})

    @property
    def is_whole(self) -> bool:
        """Whether every layer, head and token is drawn."""
        return not self.choices and not self.tokens

    def shows(self, path: str) -> bool:
        """Return whether the matrix at this path is drawn, provided that the model has it."""
        stack, _, rest = path.partition(".")
        number = rest.partition(".")[0]
        if stack in STACKS and number.isdecimal() and int(number) not in self.layers[stack]:
            return False
        head = matrix_address(path).head
        return head is None or head in self.heads

    def shows_row(self, path: str, row: int) -> bool:
        """Return whether this row of a matrix is drawn, provided that the model has the row."""
        token = self.tokens.get(path.partition(".")[0])
        return self.shows(path) and (token is None or row == token or not _is_of_one_token(path))


def extent(config: Config, trace: Trace, look: LayerChoice) -> Extent:
    """Return the part of a pass that is drawn for a choice of layers and head."""
    counts = {"encoder": config.encoder_layers, "decoder": config.decoder_layers}
    layers = {stack: range(count) for stack, count in counts.items()}
    heads = range(config.heads)
    choices: list[Choice] = []
    if _drawn(trace, layers) > MAX_MATRICES:
        for stack, count in counts.items():
            if count > 1:
                chosen = min(max(getattr(look, stack), 0), count - 1)
                layers[stack] = range(chosen, chosen + 1)
                choices.append(_choice(stack, f"{stack.capitalize()} layer", count, chosen))
    if config.heads > 1 and _drawn(trace, layers) > MAX_OF_A_LAYER and choices:
        chosen = min(max(look.head, ALL_HEADS), config.heads - 1)
        if chosen != ALL_HEADS:
            heads = range(chosen, chosen + 1)
        choices.append({**_choice("head", "Head", config.heads, chosen), "all": ALL_HEADS})
    return Extent(layers, heads, choices, _tokens(trace, look))


def token_choice(stack: str) -> str:
    """Return the field of ``LayerChoice`` with the token of a stack's feed-forward networks."""
    return f"{stack}_token"


def _tokens(trace: Trace, look: LayerChoice) -> dict[str, int]:
    """Return the chosen tokens by stack, without those beyond the end of the text."""
    found = {}
    for stack in STACKS:
        first, chosen = f"{stack}.0.{FEED_FORWARD}.hidden", getattr(look, token_choice(stack))
        if first in trace and 0 <= chosen < trace[first].shape[0]:
            found[stack] = chosen
    return found


def _is_of_one_token(path: str) -> bool:
    """Return whether each row of a matrix belongs to one token in a feed-forward network."""
    scope, _, leaf = path.rpartition(".")
    spec = TENSORS[FEED_FORWARD].get(leaf)
    return scope.endswith(f".{FEED_FORWARD}") and spec is not None and spec.dims[0] == "position"


def _choice(name: str, label: str, count: int, chosen: int) -> Choice:
    return {"name": name, "label": label, "count": count, "chosen": chosen}


def _drawn(trace: Trace, layers: Mapping[str, range]) -> int:
    """Count the matrices drawn in these layers, one for each head, without steps that are off."""
    all_heads = Extent(layers, range(0), [])
    return sum(
        tensor.shape[0] if "head" in tensor.dims else 1
        for path, tensor in trace.tensors.items()
        if tensor.op is not IDENTITY and all_heads.shows(path)
    )
