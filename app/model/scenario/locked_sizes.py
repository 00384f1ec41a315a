"""Properties of a loaded model that no setting on the page changes."""

from dataclasses import dataclass

from .limits import MAX_TOKENS


@dataclass(frozen=True, slots=True)
class LockedSizes:
    """A model's fixed properties, apart from its settings and weights."""

    why: str = ""  # a sentence on why the sizes cannot change; empty if they can
    share_embeddings: bool = False  # whether source and target share one table (Section 3.4)
    epsilon: float = 1e-5  # of the layer norms
    max_positions: int = MAX_TOKENS  # rows of a learned position table
