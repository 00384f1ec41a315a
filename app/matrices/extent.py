"""How much of a model the page draws at once.

Everything is always computed. A large model has thousands of matrices, though: of such a one the
page draws one layer of each stack, and if that is still much, one head.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from transformer_math import Config, Trace
from transformer_math.ops import IDENTITY
from transformer_math.ops.tensor import split_head

from ..manifest import Choice

MAX_MATRICES = 600  # more of them are drawn layer by layer
MAX_OF_A_LAYER = 200  # more than these in one layer of each stack are drawn head by head

STACKS = ("encoder", "decoder")
ALL_HEADS = -1


class LayerChoice(NamedTuple):
    """Which layers and head are drawn of a model that is not drawn as a whole.

    Attributes:
        encoder: layer of the encoder, counted from 0.
        decoder: layer of the decoder.
        head: counts from 0; ``ALL_HEADS`` for all.
    """

    encoder: int = 0
    decoder: int = 0
    head: int = 0

    def toward(self, path: str) -> LayerChoice:
        """The same, moved to the layer and the head of a matrix or a stage."""
        parts = path.split(".")
        look = self
        if len(parts) > 1 and parts[0] in STACKS and parts[1].isdecimal():
            look = look.with_choice(parts[0], int(parts[1]))
        head = split_head(path)[1]
        if head is not None and look.head != ALL_HEADS:
            look = look._replace(head=head)
        return look

    def with_choice(self, name: str, number: int) -> LayerChoice:
        """The same with another layer or head.

        Raises:
            ValueError: there is no such thing to choose.
        """
        if name not in self._fields:
            raise ValueError(f"There is no choice of {name}.")
        return self._replace(**{name: number})


class Extent(NamedTuple):
    """What of a model is drawn.

    Attributes:
        layers: for each stack, which layers.
        heads: which heads.
        choices: what there is to choose from, as the board shows it; nothing if all is drawn.
    """

    layers: Mapping[str, range]
    heads: range
    choices: list[Choice]

    def shows(self, path: str) -> bool:
        """Whether a matrix of this path is drawn, if the model has it."""
        stack, _, rest = path.partition(".")
        number = rest.partition(".")[0]
        if stack in STACKS and number.isdecimal() and int(number) not in self.layers[stack]:
            return False
        head = split_head(path)[1]
        return head is None or head in self.heads


def extent(config: Config, trace: Trace, look: LayerChoice) -> Extent:
    """What is drawn of a pass with this choice of layers and head."""
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
    return Extent(layers, heads, choices)


def _choice(name: str, label: str, count: int, chosen: int) -> Choice:
    return {"name": name, "label": label, "count": count, "chosen": chosen}


def _drawn(trace: Trace, layers: Mapping[str, range]) -> int:
    """How many matrices are drawn of these layers: heads count each, idle steps do not."""
    all_heads = Extent(layers, range(0), [])
    return sum(
        tensor.shape[0] if "head" in tensor.dims else 1
        for path, tensor in trace.tensors.items()
        if tensor.op is not IDENTITY and all_heads.shows(path)
    )
