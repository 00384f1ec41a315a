"""Matrices as the page draws them: two-dimensional, with marks.

A vector is drawn as one row, and a stack of heads as one matrix per head. Parts of matrices are
matrices, too, and have paths (see ``address``).
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from transformer_math import Trace
from transformer_math.ops import ATTENTION_MASK, IDENTITY, KEY_PADDING_MASK, SOFTMAX, Dropout
from transformer_math.ops.tensor import Index, Tensor

from ..scenario.matrix_address import MatrixAddress, matrix_address
from ..scenario.scenario import Scenario
from . import overview
from .address import BEST, OVERVIEW, Part, part_of
from .scale import is_share

# The upper bits of a cell's flags encode how strongly a change reaches it, 1 to REACH_LEVELS.
REACH_SHIFT, REACH_LEVELS = 5, 7
DROPPED, EDITED, OVERRIDDEN, REACHED, MASKED = 1, 2, 4, 8, 16
REACH = np.uint8(REACHED | REACH_LEVELS << REACH_SHIFT)


class ScenarioTrace(NamedTuple):
    """A scenario and its forward pass."""

    scenario: Scenario
    trace: Trace


ValuesAndMarks = tuple[np.ndarray, np.ndarray | None]


def matrix_shape(tensor: Tensor) -> tuple[int, int]:
    """Return the rows and columns of a tensor as drawn; ``ValueError`` for a stack of heads."""
    if len(tensor.shape) > 2:
        raise ValueError(f"{tensor.path} has a matrix for each head: name one, as in head.0.")
    rows, columns = (1, 1, *tensor.shape)[-2:]
    return rows, columns


def matrix_values(
    scenario: Scenario, trace: Trace, path: str, overviews: overview.Overviews | None = None
) -> ValuesAndMarks:
    """Return values and marks of a matrix or part; marks are None if no cell is marked.

    Raise ``KeyError`` if the pass has no such matrix or part.
    """
    part = part_of(path)
    if part is None:
        tensor, matrix = trace[path], matrix_address(path)
        return tensor.value.reshape(matrix_shape(tensor)), _marks(scenario, tensor, matrix, None)
    if part.made == "products":
        stored, cell = _score(trace, part)
        return _products(stored, cell)[None, :], None
    tensor, matrix = trace[part.path], matrix_address(part.path)
    values = tensor.value.reshape(matrix_shape(tensor))
    if part.made == OVERVIEW:
        kept = overviews or overview.Overviews()
        block = overview.block_in(part, *values.shape)
        stored = trace[matrix.stored]
        return kept.of(tensor, stored, block), _dots(scenario, tensor, matrix, block)
    if part.made == BEST:
        return np.take_along_axis(values, likeliest(trace, part.path), -1), None
    return part.cut(values), _marks(scenario, tensor, matrix, part)


def likeliest(trace: Trace, path: str) -> np.ndarray:
    """Return the columns of the largest numbers of each row; in a sweep, over all frames."""
    tensor = trace[path]
    values = tensor.value.max(axis=0) if "sweep" in tensor.dims else tensor.value
    return overview.likeliest(values)


def with_reach(
    marks: np.ndarray | None, reached: Mapping[str, np.ndarray], path: str, shape: tuple[int, ...]
) -> np.ndarray | None:
    """Add to the marks of a matrix of this shape how strongly a change reaches each cell."""
    if not reached:
        return marks
    part = part_of(path)
    _, stored, head = matrix_address(path if part is None else part.path)
    if stored not in reached or (part is not None and part.made in ("products", BEST)):
        return marks
    hit = overview.as_drawn(reached[stored] if head is None else reached[stored][head])
    if part is not None:
        if part.made == OVERVIEW:
            hit = overview.pooled(hit, overview.block_in(part, *hit.shape))
        else:
            hit = part.cut(hit)
    level = np.ceil(hit.reshape(shape) * REACH_LEVELS).astype(np.uint8)
    more = np.where(level, REACHED | level << REACH_SHIFT, 0).astype(np.uint8)
    return more if marks is None else marks | more


def matrix_frames(swept: Trace, path: str) -> np.ndarray | None:
    """Return the frames (T, rows, columns) of a matrix in a sweep; None if it does not change."""
    part = part_of(path)
    if part is not None and part.made == "products":
        stored, cell = _score(swept, part)
        read = [tensor for tensor in stored.inputs if "sweep" in tensor.dims]
        if not read:
            return None
        count = len(read[0].value)
        return np.stack([_products(_frame(stored, t), cell) for t in range(count)])[:, None, :]
    tensor = swept[path if part is None else part.path]
    if "sweep" not in tensor.dims:
        return None
    frames = tensor.value.reshape(len(tensor.value), *(1, 1, *tensor.shape[1:])[-2:])
    if part is None:
        return frames
    if part.made == OVERVIEW:
        return overview.pooled(frames, overview.block_in(part, *frames.shape[-2:]))
    if part.made == BEST:
        return np.take_along_axis(frames, likeliest(swept, part.path)[None], -1)
    return part.cut(frames)


def shown_tensor(tensor: Tensor) -> Tensor:
    """Return the tensor that is drawn in place of this one, skipping steps that are off."""
    while tensor.op is IDENTITY:
        tensor = tensor.inputs[0]
    return tensor


def _score(trace: Trace, part: Part) -> tuple[Tensor, Index]:
    """Return the raw scores of all heads, and the index of the cell whose products are shown."""
    return trace.locate(part.path, (part.row, part.column))


def _products(scores: Tensor, cell: Index) -> np.ndarray:
    """Compute the terms that the op adds to obtain a score, even if the score is overridden."""
    terms = [term.evaluate() for term in scores.op.explain(scores, cell).children()]
    return np.array(terms, scores.value.dtype)


def _frame(tensor: Tensor, t: int) -> Tensor:
    """Return one frame of a sweep: the tensor with its inputs at setting ``t``."""
    inputs = tuple(source.frame("sweep", t) for source in tensor.inputs)
    return tensor.frame("sweep", t).replace(inputs=inputs)


def _marks(
    scenario: Scenario, tensor: Tensor, matrix: MatrixAddress, part: Part | None
) -> np.ndarray | None:
    _, stored, head = matrix
    shape = matrix_shape(tensor)

    def cut(flags: np.ndarray) -> np.ndarray:
        drawn = flags.reshape(shape)
        return drawn if part is None else part.cut(drawn)

    marks: np.ndarray | None = None
    if isinstance(tensor.op, Dropout):
        kept = tensor.op.kept if head is None else tensor.op.kept[head]
        marks = np.where(cut(kept), 0, DROPPED).astype(np.uint8)
    by_hand = tensor.overridden
    if by_hand is not None and (here := cut(by_hand)).any():
        changed = np.where(here, _edit_flag(scenario, stored), 0).astype(np.uint8)
        marks = changed if marks is None else marks | changed
    masked = _masked(tensor, head)
    if masked is not None and (here := cut(masked)).any():
        closed = np.where(here, MASKED, 0).astype(np.uint8)
        marks = closed if marks is None else marks | closed
    return marks


def _masked(tensor: Tensor, head: int | None) -> np.ndarray | None:
    """Return the cells that a mask hides: scores of −∞, and the weights of 0 that follow."""
    if tensor.op is ATTENTION_MASK or tensor.op is KEY_PADDING_MASK:
        scores = tensor.value
    elif is_share(tensor) and tensor.dims[-1] != "vocab":
        source = tensor
        while source.op is not SOFTMAX:
            source = source.inputs[0]
        scores = source.inputs[0].value if head is None else source.inputs[0].value[head]
    else:
        return None
    masked: np.ndarray = scores == -np.inf
    return masked if scores is tensor.value else masked & (tensor.value == 0)


def _dots(
    scenario: Scenario, tensor: Tensor, matrix: MatrixAddress, block: overview.Block
) -> np.ndarray | None:
    """Return the marks of an overview: the dots that contain an edited or overridden cell."""
    _, stored, head = matrix
    shape, flag = matrix_shape(tensor), _edit_flag(scenario, stored)
    override = tensor.override
    if override is not None and (override.whole is not None or head in override.heads):
        return np.full(overview.overview_shape(*shape, block), flag, np.uint8)
    cells = overview.overridden_cells(tensor)
    if not cells:
        return None
    marks = np.zeros(overview.overview_shape(*shape, block), np.uint8)
    for dot in overview.dots_of(cells, block):
        marks[dot] = flag
    return marks


def _edit_flag(scenario: Scenario, stored: str) -> int:
    return EDITED if stored in scenario.config.parameter_shapes() else OVERRIDDEN
