"""What of a model no setting of the page changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .limits import MAX_TOKENS

Unit = Literal["character", "word"]


@dataclass(frozen=True, slots=True)
class Closed:
    """How a model with a vocabulary of its own reads and writes; the words are its weights'.

    Attributes:
        start: the token that decoding starts from; None where that is not known.
        end: the token that ends an answer.
        pad: the token that fills up and is masked as a key.
        unit: what one token is when text is typed.
        never: tokens that no answer has, because the model was never trained to write them.
    """

    start: str | None = None
    end: str | None = None
    pad: str | None = None
    unit: Unit = "character"
    never: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LockedSizes:
    """What a model has beside its settings and its weights.

    Attributes:
        why: the sentence that says why its sizes stay as they are; empty if they may change.
        share_embeddings: whether source and target have one table (Section 3.4).
        epsilon: of the layer norms.
        max_positions: rows of a learned table of positions.
    """

    why: str = ""
    share_embeddings: bool = False
    epsilon: float = 1e-5
    max_positions: int = MAX_TOKENS
