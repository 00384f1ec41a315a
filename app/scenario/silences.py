"""Parts of the model that are silenced: they say nothing, or what they say on average.

A part is named and not its cells, so that all of it stays silent when the tokens change. What its
numbers then are is found when the pass is made (see ``inference/silencing``).
"""

from __future__ import annotations

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
    """A part that is silenced.

    Attributes:
        path: of a matrix with a row for each token; of what is stacked by heads one head's.
        row: the token; None for every one.
        column: the unit; None for every one.
        to: to 0 (``zero``), or to what it says on average (``mean``).
    """

    path: str
    row: int | None = None
    column: int | None = None
    to: str = ZERO

    @property
    def part(self) -> tuple[str, int | None, int | None]:
        """What is silenced, whatever it is set to."""
        return self.path, self.row, self.column

    @property
    def matrix(self) -> MatrixAddress:
        """The matrix that it is a part of."""
        return matrix_address(self.path)

    @property
    def is_whole(self) -> bool:
        """Whether it is all of its matrix."""
        return self.row is None and self.column is None

    def covers(self, path: str, row: int | None, column: int | None) -> bool:
        """Whether a cell of a drawn matrix is silenced by it; of None all of them."""
        return (
            path == self.path
            and (self.row is None or row == self.row)
            and (self.column is None or column == self.column)
        )


Silences = tuple[Silence, ...]


def head_part(scope: str, head: int) -> str:
    """The path by which a head is silenced: what it hands on of the values that it has mixed."""
    return head_path(f"{scope}.context", head)


def heads(config: Config) -> list[str]:
    """The parts that are heads, in order of computation."""
    scopes = [f"encoder.{n}.self_attn" for n in range(config.encoder_layers)]
    for n in range(config.decoder_layers):
        scopes.append(f"decoder.{n}.self_attn")
        if config.encoder_layers:
            scopes.append(f"decoder.{n}.cross_attn")
    return [head_part(scope, head) for scope in scopes for head in range(config.heads)]


def is_of_tokens(stored: str) -> bool:
    """Whether a tensor has a row for each token, of something that is computed for it."""
    prefix, _, leaf = stored.rpartition(".")
    if prefix.endswith("unprojected") or leaf not in TENSORS.get(kind_of(prefix), {}):
        return False
    dims = TENSORS[kind_of(prefix)][leaf].dims
    is_row = len(dims) > 1 and dims[-2] in POSITION_AXES
    return is_row and dims[-1] not in (*POSITION_AXES, "vocab")


def part_shape(config: Config, source: int, target: int, path: str) -> tuple[int, int] | None:
    """Rows, one for each token, and columns of what can be silenced; None where nothing can.

    That is what is computed for each token by itself. The scores and weights of an attention are
    of pairs of tokens, those of the words to come are the answer itself, and attention before any
    projection is no part of the model.
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
    """A silence, if there is such a part; a row may be one that only a longer text has.

    Raises:
        ValueError: there is none; one sentence.
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
