"""The tokens along the axes of a pass's matrices."""

from dataclasses import dataclass

from transformer_math.graph.paths import TENSORS, kind_of

from .shown_ids import shown_ids
from .vocabulary import Side, Vocabulary, side_of

POSITION_AXES = ("position", "key_position", "source_position")
TOKEN_LOSS = "output.token_loss"
# Last axes of tensors whose rows predict the next token: attention keys and the vocabulary.
_BESIDE_WRITING = ("key_position", "source_position", "vocab")


@dataclass(frozen=True, slots=True)
class AxisTokens:
    """The tokens that label the rows and columns of a pass's matrices."""

    source: tuple[str, ...]
    target: tuple[str, ...]  # as the decoder reads it
    label_tokens: tuple[str, ...]  # the correct token at each position of the output
    vocabulary: Vocabulary
    has_decoder: bool = True  # whether the output belongs to the target, not the source
    # Whether the label tokens are those that the model writes, rather than the correct tokens; None
    # with dropout or without a mask, where the pass predicts words that it does not write.
    writes: bool | None = True
    model: str = ""  # decides whether an article's printed ids are shown

    def kind_along(self, path: str, axis: str) -> tuple[object, ...]:
        """Return a key of the labels along an axis; axes of one size and key have equal labels."""
        if axis in POSITION_AXES:
            writes = self.written_along(path, axis) is not None
            return self.side(path, axis), writes, path == TOKEN_LOSS
        return (side_of(path, self.has_decoder),) if axis == "vocab" else ()

    def along(self, path: str, axis: str) -> tuple[str, ...] | None:
        """Return the tokens along one axis of a stored tensor; None if it has no tokens."""
        if path == TOKEN_LOSS:  # the loss at a position belongs to the token that should come next
            return self.label_tokens
        return self.read_along(path, axis)

    def read_along(self, path: str, axis: str) -> tuple[str, ...] | None:
        """Return the input tokens along one axis of a stored tensor; None if it has no tokens."""
        if axis in POSITION_AXES:
            return self.source if self.side(path, axis) == "source" else self.target
        if axis == "vocab":
            return self.vocabulary.tokens(side_of(path, self.has_decoder))
        return None

    def written_along(self, path: str, axis: str) -> tuple[str, ...] | None:
        """Return the label token at each index of an axis; None if its rows predict no tokens.

        Rows of the decoder's attention, logits and probabilities read one token and predict the
        next.
        """
        if axis != "position" or not self.has_decoder or self.side(path, axis) == "source":
            return None
        if self.writes is None:
            return None
        scope, _, leaf = path.rpartition(".")
        spec = TENSORS.get(kind_of(scope), {}).get(leaf)
        writes = path == TOKEN_LOSS or (spec is not None and spec.dims[-1] in _BESIDE_WRITING)
        return self.label_tokens if writes else None

    def ids_along(self, path: str, axis: str) -> list[int] | None:
        """Return the token id to show at each index of an axis; None if it is no axis of tokens."""
        tokens = self.read_along(path, axis)
        if tokens is None:
            return None
        of_words = axis == "vocab"
        side = side_of(path, self.has_decoder) if of_words else self.side(path, axis)
        own = [*range(len(tokens))] if of_words else self.vocabulary.ids(side, tokens)
        return shown_ids(self.model, side, tokens, own)

    def side(self, path: str, axis: str) -> Side:
        """Return the side, source or target, whose tokens run along a position axis."""
        in_encoder = path.startswith(("source.", "encoder.")) or (
            path.startswith("output.") and not self.has_decoder
        )
        return "source" if in_encoder or axis == "source_position" else "target"
