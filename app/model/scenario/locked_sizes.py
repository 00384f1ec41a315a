"""Properties of a loaded model that no setting on the page changes."""

from dataclasses import dataclass

from .limits import MAX_TOKENS


@dataclass(frozen=True, slots=True)
class LockedSizes:
    """A model's fixed properties, apart from its settings and weights.

    Attributes:
        why: a sentence on the reason why the model's sizes cannot change; empty if they can.
        share_embeddings: whether source and target share one embedding table (Section 3.4).
        epsilon: the constant added to the variance in the layer norms.
        max_positions: the number of rows of a learned position table.
    """

    why: str = ""
    share_embeddings: bool = False
    epsilon: float = 1e-5
    max_positions: int = MAX_TOKENS
