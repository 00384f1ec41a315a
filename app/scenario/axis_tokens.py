"""The tokens along the axes of a pass's matrices."""

from __future__ import annotations

from dataclasses import dataclass

from .vocabulary import Vocabulary, side_of


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
        if path == "output.token_loss":  # each is of the word that should have come
            return self.label_tokens
        if axis in ("position", "key_position"):
            in_encoder = path.startswith(("source.", "encoder.")) or (
                path.startswith("output.") and not self.has_decoder
            )
            return self.source if in_encoder else self.target
        if axis == "source_position":
            return self.source
        if axis == "vocab":
            return self.vocabulary.tokens(side_of(path, self.has_decoder))
        return None
