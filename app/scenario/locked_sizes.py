"""What of a model no setting of the page changes."""

from __future__ import annotations

from dataclasses import dataclass

from .limits import MAX_TOKENS


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
