"""Paths of drawn matrices: a stored tensor, or one head of it."""

from __future__ import annotations

import functools
from typing import NamedTuple

from transformer_math.ops.tensor import split_head


class MatrixAddress(NamedTuple):
    """The path of a drawn matrix and what it addresses.

    Attributes:
        path: as it is drawn, for instance ``encoder.0.self_attn.head.1.q``.
        stored: of the tensor in the trace, without the head: ``encoder.0.self_attn.q``.
        head: which head of that tensor, counted from 0; None for all of it.
    """

    path: str
    stored: str
    head: int | None

    @property
    def front(self) -> tuple[int, ...]:
        """The part of an index in the stored tensor that comes before row and column."""
        return () if self.head is None else (self.head,)


@functools.lru_cache(4096)  # every matrix of every frame is looked up
def matrix_address(path: str) -> MatrixAddress:
    """The matrix that a path addresses, whether or not a model has it."""
    return MatrixAddress(path, *split_head(path))
