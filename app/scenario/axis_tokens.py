"""The tokens along the axes of a pass's matrices."""

from __future__ import annotations

from dataclasses import dataclass

from transformer_math.graph.paths import TENSORS, kind_of

from .vocabulary import Side, Vocabulary, side_of

POSITION_AXES = ("position", "key_position", "source_position")
TOKEN_LOSS = "output.token_loss"
# What stands beside the position of a token that is about to write: whom it attends to, what next.
_BESIDE_WRITING = ("key_position", "source_position", "vocab")


@dataclass(frozen=True, slots=True)
class AxisTokens:
    """What rows and columns that stand for tokens are called by.

    Attributes:
        source: the tokens of the source.
        target: the tokens that the decoder reads.
        label_tokens: the token that is right at each position of the output.
        vocabulary: the tokens of the embedding tables.
        has_decoder: whether the output is of the target; of an encoder alone it is of the source.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    label_tokens: tuple[str, ...]
    vocabulary: Vocabulary
    has_decoder: bool = True

    def along(self, path: str, axis: str) -> tuple[str, ...] | None:
        """The tokens along one axis of a stored tensor; None where it has dimensions."""
        if path == TOKEN_LOSS:  # each is of the word that should have come
            return self.label_tokens
        return self.read_along(path, axis)

    def read_along(self, path: str, axis: str) -> tuple[str, ...] | None:
        """The tokens that the model is given along one axis; None where it has dimensions."""
        if axis in POSITION_AXES:
            return self.source if self.side(path, axis) == "source" else self.target
        if axis == "vocab":
            return self.vocabulary.tokens(side_of(path, self.has_decoder))
        return None

    def written_along(self, path: str, axis: str) -> tuple[str, ...] | None:
        """The token that is right to be written at each position; None where none is written.

        A row of the decoder's attention, logits or probabilities reads one token and is to write
        the next.
        """
        if axis != "position" or not self.has_decoder or self.side(path, axis) == "source":
            return None
        scope, _, leaf = path.rpartition(".")
        spec = TENSORS.get(kind_of(scope), {}).get(leaf)
        writes = path == TOKEN_LOSS or (spec is not None and spec.dims[-1] in _BESIDE_WRITING)
        return self.label_tokens if writes else None

    def ids_along(self, path: str, axis: str) -> list[int] | None:
        """The row of the embedding table that the token at each place of an axis has."""
        known = self.vocabulary
        if axis in POSITION_AXES:
            side = self.side(path, axis)
            return known.ids(side, self.source if side == "source" else self.target)
        if axis == "vocab":
            return list(range(len(known.tokens(side_of(path, self.has_decoder)))))
        return None

    def side(self, path: str, axis: str) -> Side:
        """Whose tokens stand along an axis of positions."""
        in_encoder = path.startswith(("source.", "encoder.")) or (
            path.startswith("output.") and not self.has_decoder
        )
        return "source" if in_encoder or axis == "source_position" else "target"
