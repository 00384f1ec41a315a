"""The stages of the Learn view: cross-attention of every head, and one matrix of parameters."""

from __future__ import annotations

from typing import NamedTuple

from transformer_math import Trace
from transformer_math.ops.tensor import Tensor

from ..explain import labels
from ..manifest import Manifest, MatrixEntry, MatrixItem, matrix_entry
from ..matrices.values import matrix_shape
from ..scenario.axis_tokens import AxisTokens
from .sheet import row, stage, stretch
from .texts import Text

PLANES = {"value": "values", "gradient": "gradients", "change": "change since the start"}

_OF_PLANE = {
    "value": "",
    "gradient": "gradient of the loss",
    "change": "change since the start",
}

HINT = "Point at a cell to read it."
_READ = (
    "A row is a letter about to be written, a column a character of the source: how much the one "
    "attends to the other. "
)
DATES_TEXT = [
    _READ + "Watch the first letter of the month turn to the month’s two digits, and each digit "
    "of day and year to its own. The later letters of the month mostly do not: the decoder knows "
    "them from the letters before."
]
OWN_TEXT = [_READ + "At first every row is spread over the whole source."]
GRADIENT_TEXT = [
    "How the loss of this example would change if a weight were a little larger: it would grow "
    "where the number is positive and shrink where it is negative."
]
MATRIX_TEXT = {
    "value": ["The numbers that are learned. They start small and random."],
    "gradient": [
        "The gradient of this example’s loss: the optimizer goes against it. Once the example is "
        "right hardly any is left."
    ],
    "change": ["How far every number has moved since the first step."],
}


class LearnPlane(NamedTuple):
    """What is drawn of a moment of learning.

    Attributes:
        plane: which numbers, one of ``PLANES``.
        parameter: the path of the matrix that is drawn below the attention.
        is_dates: whether the pairs are dates, of which the text says what to watch for.
    """

    plane: str
    parameter: str
    is_dates: bool = False


def manifest(tokens: AxisTokens, trace: Trace, version: int, shown: LearnPlane) -> Manifest:
    """The structure of the Learn view: what is drawn of a pass, and which plane of it.

    Args:
        tokens: of the pass and the vocabularies, for the labels.
        trace: the pass.
        version: the number of this structure.
        shown: what is drawn.
    """
    plane, parameter = shown.plane, shown.parameter
    matrices: list[MatrixEntry] = []
    attention = [path for path in trace.paths() if path.endswith(".cross_attn.weights")]
    rows = [row(_all_heads(tokens, trace[path], plane, matrices)) for path in attention]
    for path, one in zip(attention, rows, strict=True):
        if len(attention) > 1:
            one["caption"] = f"Decoder layer {int(path.split('.')[1]) + 1}."
    chosen = trace[parameter]
    of_plane = f", {_OF_PLANE[plane]}" if _OF_PLANE[plane] else ""
    what = GRADIENT_TEXT if plane == "gradient" else DATES_TEXT if shown.is_dates else OWN_TEXT
    stages = [
        stage(
            "learn.attention",
            ("", f"Cross-attention of every head{of_plane}"),
            Text(what),
            rows,
        ),
        stage(
            "learn.matrix",
            ("", f"{parameter}{of_plane}"),
            Text(MATRIX_TEXT[plane]),
            [row(_all_heads(tokens, chosen, plane, matrices))],
        ),
    ]
    return {"version": version, "matrices": matrices, "stages": stages, "choices": [], "hint": HINT}


def _all_heads(
    tokens: AxisTokens, tensor: Tensor, plane: str, matrices: list[MatrixEntry]
) -> list[MatrixItem]:
    """The drawing of a tensor, one for each head where it has heads; never as a window."""
    stacked = tensor.dims[0] == "head"
    views = [tensor.head(k) for k in range(tensor.shape[0])] if stacked else [tensor]
    items: list[MatrixItem] = []
    for head, view in enumerate(views):
        shape = matrix_shape(view)
        rows, columns = stretch(tokens, view, (0, 0), shape)
        entry = matrix_entry(
            view.path,
            shape,
            (_written(tokens) if tensor.path.endswith(".weights") else rows, columns),
            tex=view.symbol if stacked and len(views) > 1 else tensor.symbol,
            note=_OF_PLANE[plane] or labels.shape_note(view),
            role=labels.role(view.path),
            head=head if stacked else None,
        )
        items.append({"matrix": len(matrices)})
        matrices.append(entry)
    return items


def _written(tokens: AxisTokens) -> list[str]:
    """The right letters to write, one at each position."""
    return [*(f"→{letter}" for letter in labels.visible(tokens.target[1:])), "end"]
