"""Paths of drawn matrices: a stored tensor, or one head of it."""

import functools
from typing import NamedTuple

from transformer_math.ops.tensor import split_head


class MatrixAddress(NamedTuple):
    """The path of a drawn matrix, split into its stored tensor and its head."""

    path: str  # such as ``encoder.0.self_attn.head.1.q``
    stored: str  # the tensor in the trace, without the head: ``encoder.0.self_attn.q``
    head: int | None  # from 0; None for the whole tensor

    @property
    def front(self) -> tuple[int, ...]:
        """The leading index into the stored tensor, before row and column: the head, or empty."""
        return () if self.head is None else (self.head,)


@functools.lru_cache(4096)  # called for every matrix of every frame
def matrix_address(path: str) -> MatrixAddress:
    """Split the path of a drawn matrix; the model need not have such a matrix."""
    return MatrixAddress(path, *split_head(path))
