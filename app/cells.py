"""Matrices as the page draws them: two-dimensional, with marks. Pure: no panel.

A vector is drawn as one row; a stack of heads as one matrix for each head.
"""

from __future__ import annotations

import numpy as np

from app.scenario import Scenario
from transformer_math import Trace
from transformer_math.ops import IDENTITY, Dropout
from transformer_math.tensor import Index, Tensor, split_head

DROPPED, EDITED, OVERRIDDEN = 1, 2, 4


def own_index(tensor: Tensor, row: int, column: int) -> Index:
    """The index of a drawn cell in the tensor itself.

    Raises:
        ValueError: the tensor has no such cell.
    """
    shape = drawn_shape(tensor)
    if not (0 <= row < shape[0] and 0 <= column < shape[1]):
        raise ValueError(f"{tensor.path} has no cell {row}, {column}.")
    return (row, column) if len(tensor.shape) == 2 else (column,)


def drawn_shape(tensor: Tensor) -> tuple[int, int]:
    """Rows and columns of a tensor as it is drawn."""
    rows, columns = tensor.shape if len(tensor.shape) == 2 else (1, *tensor.shape)
    return rows, columns


def drawn(scenario: Scenario, trace: Trace, path: str) -> tuple[np.ndarray, np.ndarray | None]:
    """Values and marks of a matrix; no marks where no cell has one."""
    tensor = trace[path]
    return tensor.value.reshape(drawn_shape(tensor)), _marks(scenario, tensor)


def drawn_orbit(swept: Trace, path: str) -> np.ndarray | None:
    """The frames (T, rows, columns) of a matrix in a sweep; None where it stands still."""
    tensor = swept[path]
    if "sweep" not in tensor.dims:
        return None
    frames = tensor.value
    return frames if frames.ndim == 3 else frames[:, None, :]


def seen(tensor: Tensor) -> Tensor:
    """Past steps that are switched off: the tensor that is drawn in this one's place."""
    while tensor.op is IDENTITY:
        tensor = tensor.inputs[0]
    return tensor


def _marks(scenario: Scenario, tensor: Tensor) -> np.ndarray | None:
    stored, head = split_head(tensor.path)
    marks: np.ndarray | None = None
    if isinstance(tensor.op, Dropout):
        kept = tensor.op.kept if head is None else tensor.op.kept[head]
        marks = np.where(kept, 0, DROPPED).astype(np.uint8).reshape(drawn_shape(tensor))
    by_hand = tensor.by_hand
    if by_hand is not None and by_hand.any():
        is_parameter = stored in scenario.config.parameter_shapes()
        set_by_hand = np.where(by_hand, EDITED if is_parameter else OVERRIDDEN, 0)
        drawn = set_by_hand.astype(np.uint8).reshape(drawn_shape(tensor))
        marks = drawn if marks is None else marks | drawn
    return marks
