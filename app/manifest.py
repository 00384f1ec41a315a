"""Declares the manifest: the structure of the board as JSON, without its numbers.

``board/data/types.js`` declares the same types for the browser.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Literal, NotRequired, TypedDict, Unpack


class AxisEntry(TypedDict):
    """An axis of drawn matrices; matrices with the same axis share it.

    Attributes:
        labels: the label at each index: a token, a word, or a dimension such as ``d0``.
        names: the full names, where they differ from the labels.
        stack: the stack whose tokens are along the axis, if any.
    """

    labels: list[str]
    names: NotRequired[list[str]]
    stack: NotRequired[str]


class MatrixDetails(TypedDict, total=False):
    """Properties of a drawn matrix, other than its path and size.

    Attributes:
        tex: the symbol in LaTeX.
        note: the shape in words, or another caption.
        place: the place in the model, in words.
        meaning: a description of the numbers.
        role: the role in attention, which determines the color.
        head: the index of the attention head; None if the matrix belongs to no head.
        editable: whether the cells are parameters.
        fixed: whether the cells cannot be set, as in a mask or the loss.
        scale: ``share`` if all numbers are between 0 and 1; otherwise the color scale is symmetric.
        constant: whether the matrix is neither computed nor learned.
        origin: for a part of a matrix: the path of the matrix, and the first row and column.
        products: whether the numbers are the summands of the single cell at ``origin``.
        overview: for a window: the path of the overview above it.
        whole: for a window or an overview: the numbers of rows and columns of the full matrix.
        block: for an overview: the rows and columns of cells that one dot represents.
        letters: for an overview: the prefixes of row and column labels.
        axes: the axes of the rows and the columns; absent without labels, as for an overview.
        of: for the likeliest words: the size of the vocabulary.
        words: for the likeliest words: the ids of the words in each row.
        tokens: for the probabilities: column -> token if the label differs, as for a space.
    """

    tex: str
    note: str
    place: str
    meaning: str
    role: str
    head: int | None
    editable: bool
    fixed: bool
    scale: Literal["share"]
    constant: bool
    origin: tuple[str, int, int]
    products: bool
    overview: str
    whole: tuple[int, int]
    block: tuple[int, int]
    letters: tuple[str, str]
    axes: tuple[AxisEntry, AxisEntry]
    of: int
    words: list[list[str]]
    tokens: dict[int, str]


class MatrixEntry(MatrixDetails):
    """A drawn matrix, or a part of one that is drawn separately."""

    path: str
    rows: int
    cols: int


class MatrixChange(MatrixDetails):
    """The properties that change when another part of a matrix is drawn in the same place."""

    path: str
    rows: NotRequired[int]
    cols: NotRequired[int]


class MatrixItem(TypedDict):
    """A matrix in a row of a stage, by its index in the manifest."""

    matrix: int


class OperatorItem(TypedDict):
    """An operator between matrices, in LaTeX."""

    operator: str


class LinksItem(TypedDict):
    """Attention weights as links between tokens; one matrix per head."""

    links: list[int]
    large: NotRequired[bool]
    scope: NotRequired[str]


class ThumbsItem(TypedDict):
    """Thumbnails of the attention weights of all heads in several layers."""

    thumbs: list[int]
    scopes: list[str]
    label: str
    place: str  # names the kind of attention on each thumbnail
    heads: int


class PairItem(TypedDict):
    """The selector for a pair of query and key."""

    pair: list[int]
    scope: str


Item = MatrixItem | OperatorItem | LinksItem | ThumbsItem | PairItem
Items = Sequence[Item]


class RowEntry(TypedDict):
    """One row of a stage: matrices and operators below their formulas."""

    tex: list[str] | None
    caption: str | None
    items: list[Item]
    stacked: NotRequired[bool]  # drawn one below the other, with aligned columns


class More(TypedDict):
    """A detail that the user can expand."""

    summary: str
    text: list[str]


class StageEntry(TypedDict):
    """A stage: a heading, a few sentences, and rows in the form of the formulas.

    ``heads`` is the number of heads to choose from, if they are shown one at a time; ``tokens`` is
    the choice of a token, if a single token can be shown.
    """

    id: str
    part: str
    title: str
    text: list[str]
    more: More | None
    heads: int
    tokens: TokenChoice | None
    rows: list[RowEntry]
    settings: NotRequired[list[dict[str, Any]]]  # the model's settings, as shown in a form
    ideas: NotRequired[list[tuple[str, str]]]  # view and label of each picture that explains it


class StripItem(TypedDict):
    """A matrix with one row per token, drawn on the lanes of a stack.

    Attributes:
        strip: the index of the matrix.
        stack: the stack on whose lanes the rows are drawn.
        title: the name in words; empty if the symbol is enough.
        words: a one-word description beside the symbol, shared by the heads of one tensor.
        under: indices of learned vectors drawn below the columns, from top to bottom.
        sign: an operator in front of the matrix.
        lens: whether the logit lens shows the words predicted from the rows.
        backward: the title while gradients are shown, if ``title`` is empty.
    """

    strip: int
    stack: str
    title: str
    words: NotRequired[str]
    under: list[int]
    sign: NotRequired[str]
    lens: NotRequired[bool]
    backward: NotRequired[str]


class LanesItem(TypedDict):
    """Attention as links between lanes; one matrix of weights per head.

    Attributes:
        lanes: the indices of the matrices.
        stack: the stack of the queries.
        keys: the stack of the keys.
    """

    lanes: list[int]
    stack: str
    keys: str


class TilesEntry(TypedDict):
    """Learned matrices, or losses, drawn below their sublayer, from top to bottom.

    Attributes:
        tex: the common symbol.
        tiles: the indices of the matrices.
        starts_row: whether the tiles are placed below all previous ones.
    """

    tex: str
    tiles: list[int]
    starts_row: NotRequired[bool]


class PartEntry(TypedDict):
    """A sublayer in the whole picture, or the model's input or output.

    Attributes:
        id: the identifier of the part.
        stack: the stack on whose lanes the part is drawn.
        kind: ``input``, ``attention``, ``cross``, ``feed_forward``, ``norm`` or ``output``.
        title: the name of the part.
        words: a description in plain words; empty if none is needed.
        layer: the layer, counted from 1; None outside of layers, or if the stack has one layer.
        stage: the stage that shows the part as formulas.
        tex: the formulas in LaTeX.
        items: the matrices and attentions on the lanes, in order of computation.
        tiles: the weights.
        weights: the number of parameters, including collapsed ones.
        adds: a description of the residual connection in words; empty without one.
        unfolds: whether the part can be expanded.
        unfolded: whether the part is expanded.
        ideas: view and label of each picture that explains the part.
    """

    id: str
    stack: str
    kind: str
    title: str
    words: str
    layer: int | None
    stage: str
    tex: list[str]
    items: list[StripItem | LanesItem]
    tiles: list[TilesEntry]
    weights: int
    adds: str
    unfolds: bool
    unfolded: bool
    ideas: list[tuple[str, str]]


class LanesEntry(TypedDict):
    """The lanes of a stack, one per token.

    Attributes:
        stack: ``encoder`` or ``decoder``.
        title: the name of the stack.
        words: the tokens as shown.
        names: the full names of the tokens.
        right: the correct word of each lane, None if there is none; empty for a stack that predicts
            nothing.
        allowed: the equally correct words of each lane; empty if there is only one.
        room: the number of lanes with reserved space; lanes without a word are empty.
    """

    stack: str
    title: str
    words: list[str]
    names: list[str]
    room: int
    right: list[str | None]
    allowed: list[list[str]]


class WholeEntry(TypedDict):
    """The whole model as one picture: lanes of tokens, with the parts along them.

    Attributes:
        stacks: the lanes of each stack.
        parts: the parts in order of computation.
        lens: whether the logit lens is shown along the lanes, at each depth.
    """

    lens: bool
    stacks: list[LanesEntry]
    parts: list[PartEntry]


class Choice(TypedDict):
    """The choice of a layer or head of a large model by its number; ``all`` selects all."""

    name: str
    label: str
    count: int
    chosen: int
    all: NotRequired[int]


class TokenChoice(TypedDict):
    """The choice of a single token to follow through a stage, or of all tokens.

    Attributes:
        name: the name of the choice.
        labels: the tokens as shown.
        names: the full names of the tokens.
        chosen: the chosen position; −1 for all.
    """

    name: str
    labels: list[str]
    names: list[str]
    chosen: int


class SilencedPart(TypedDict):
    """A silenced part of the model.

    Attributes:
        path: the path of the part's matrix.
        row: the token's row; None for every row.
        column: the unit's column; None for every column.
        to: the value that replaces the numbers.
        label: a short label, for places with visible context.
        words: the full description.
        unheard: the heads of the part's attention that are silenced in that row.
    """

    path: str
    row: int | None
    column: int | None
    to: str
    label: str
    words: str
    unheard: list[int]


class FocusEntry(TypedDict):
    """The attention and the query-key pair that are shown enlarged."""

    scope: str
    head: int
    query: int
    key: int


class Manifest(TypedDict):
    """The structure of the board.

    Attributes:
        version: increases with each new structure.
        model: the name of the model; numbers of different models are not compared.
        structure: a short hash of the structure; an old cell address is valid while it is equal.
        matrices: all matrices that are drawn, or only sent.
        stages: the stages in order of computation.
        whole: the picture of the whole model, if that view is open.
        lanes: the lanes of each stack, if another view is open.
        choices: the selectors for the layers and heads of a large model.
        silenced: the silenced parts, if any.
        hint: a sentence for the status line.
        focus: the enlarged attention in the Attention view.
        pinned: indices of the matrices whose values are always sent.
        likeliest: the index of the matrix of which only the largest probabilities are sent.
        selected: the index of the matrix of which only the selected cell is sent.
    """

    version: int
    model: NotRequired[str]
    structure: NotRequired[str]
    matrices: list[MatrixEntry]
    stages: list[StageEntry]
    whole: NotRequired[WholeEntry]
    lanes: NotRequired[list[LanesEntry]]
    choices: list[Choice]
    silenced: NotRequired[list[SilencedPart]]
    hint: NotRequired[str]
    focus: NotRequired[FocusEntry]
    pinned: NotRequired[list[int]]
    likeliest: NotRequired[int]
    selected: NotRequired[int]


def matrix_entry(
    path: str, shape: tuple[int, int], **details: Unpack[MatrixDetails]
) -> MatrixEntry:
    """Build the manifest entry of a drawn matrix.

    Args:
        path: the path of the matrix, or of a part of a matrix.
        shape: the numbers of rows and columns.
        details: the other properties of the matrix.
    """
    defaults: MatrixDetails = {"tex": "", "editable": False, "head": None}
    return {**defaults, **details, "path": path, "rows": shape[0], "cols": shape[1]}


def manifest_json(manifest: Manifest) -> str:
    """Encode a manifest as JSON with each axis once; matrices refer to axes by their numbers."""
    axes: dict[int, tuple[int, AxisEntry]] = {}  # by identity

    def number(axis: AxisEntry) -> int:
        return axes.setdefault(id(axis), (len(axes), axis))[0]

    matrices = [
        {**entry, "axes": [*map(number, entry["axes"])]} if "axes" in entry else entry
        for entry in manifest["matrices"]
    ]
    table = [axis for _, axis in axes.values()]
    return json.dumps({**manifest, "matrices": matrices, "axes": table})
