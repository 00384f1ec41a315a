"""Ablation: parts of the model that are silenced, set to 0 or to their mean activation.

A silence names a part rather than its cells, so it still applies to the whole part when the tokens
change. The new numbers are computed with the pass (see ``inference/silencing``).
"""

from typing import NamedTuple

from transformer_math import Config
from transformer_math.graph.paths import TENSORS, kind_of
from transformer_math.ops.tensor import head_path

from .axis_tokens import POSITION_AXES
from .limits import MAX_TOKENS
from .matrix_address import MatrixAddress, matrix_address
from .tensor_shapes import shape_of

ZERO, MEAN = "zero", "mean"
VALUES = (ZERO, MEAN)
MAX_SILENCES = 400


class Silence(NamedTuple):
    """The ablation of one part."""

    path: str  # the path of a matrix, or one head of it, that has a row for each token
    row: int | None = None  # the token position; None for all
    column: int | None = None  # the unit; None for all
    to: str = ZERO  # ``zero`` or ``mean``

    @property
    def part(self) -> tuple[str, int | None, int | None]:
        """The part that is ablated, without the value it is set to."""
        return self.path, self.row, self.column

    @property
    def matrix(self) -> MatrixAddress:
        """The address of the matrix that contains the part."""
        return matrix_address(self.path)

    @property
    def is_whole(self) -> bool:
        """Whether the part is its whole matrix."""
        return self.row is None and self.column is None

    def unheard_heads(self, count: int) -> list[int]:
        """Return the heads that the ablation removes: none, one, or all ``count`` of them."""
        _, stored, head = self.matrix
        scope, _, leaf = stored.rpartition(".")
        if self.column is not None or not scope.endswith("_attn"):
            return []
        if leaf == "out":
            return [*range(count)]
        return [head] if leaf == "context" and head is not None else []

    def covers(self, path: str, row: int | None, column: int | None) -> bool:
        """Return whether this ablation sets a cell, or with None a whole row, column or matrix."""
        return (
            path == self.path
            and (self.row is None or row == self.row)
            and (self.column is None or column == self.column)
        )


Silences = tuple[Silence, ...]


def unheard_heads(
    silences: Silences, scope: str, count: int, row: int | None = None
) -> frozenset[int]:
    """Return the silenced heads of an attention sublayer with ``count`` heads.

    Count the heads that are silenced in a row; without a row, those silenced in all rows.
    """
    return frozenset(
        head
        for part in silences
        if part.path.startswith(f"{scope}.") and part.row in (None, row)
        for head in part.unheard_heads(count)
    )


def head_part(scope: str, head: int) -> str:
    """Return the path at which a head is ablated: its output, the weighted sum of its values."""
    return head_path(f"{scope}.context", head)


def heads(config: Config) -> list[str]:
    """Return the paths of all heads' outputs, in order of computation."""
    scopes = [f"encoder.{n}.self_attn" for n in range(config.encoder_layers)]
    for n in range(config.decoder_layers):
        scopes.append(f"decoder.{n}.self_attn")
        if config.encoder_layers:
            scopes.append(f"decoder.{n}.cross_attn")
    return [head_part(scope, head) for scope in scopes for head in range(config.heads)]


def is_of_tokens(stored: str) -> bool:
    """Return whether a tensor is computed and has a row for each token."""
    prefix, _, leaf = stored.rpartition(".")
    if prefix.endswith("unprojected") or leaf not in TENSORS.get(kind_of(prefix), {}):
        return False
    dims = TENSORS[kind_of(prefix)][leaf].dims
    is_row = len(dims) > 1 and dims[-2] in POSITION_AXES
    return is_row and dims[-1] not in (*POSITION_AXES, "vocab")


def part_shape(config: Config, source: int, target: int, path: str) -> tuple[int, int] | None:
    """Return rows (one per token) and columns of a matrix; None if the matrix cannot be ablated.

    Only activations of single tokens can be ablated. Attention scores and weights belong to pairs
    of tokens, output logits and probabilities are the answer itself, and attention without
    projections is not part of the model.
    """
    _, stored, head = matrix_address(path)
    shape = shape_of(config, source, target, stored)
    if shape is None or not is_of_tokens(stored):
        return None
    if len(shape) == 2:
        is_there = head is None
    else:
        is_there = head is not None and head < shape[0] and path == head_path(stored, head)
    return (shape[-2], shape[-1]) if is_there else None


def checked(silence: Silence, shape: tuple[int, int] | None) -> Silence:
    """Return the silence if its part exists; its row may lie beyond the present text.

    Raise ``ValueError`` with one sentence if there is no such part.
    """
    path, row, column, to = silence
    if shape is None:
        raise ValueError(f"There is no part {path[:80]} that can be silenced.")
    if row is not None and not 0 <= row < max(shape[0], MAX_TOKENS):
        raise ValueError(f"{path} has no row {row} that can be silenced.")
    if column is not None and not 0 <= column < shape[1]:
        raise ValueError(f"{path} has no column {column} that can be silenced.")
    if to not in VALUES:
        raise ValueError(f"A part is silenced to one of {', '.join(VALUES)}.")
    return silence
