"""The manifest: the structure of everything that the board draws, without its numbers, as JSON.

``board/data/types.js`` declares the same types for the browser.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NotRequired, TypedDict, Unpack


class CellNames(TypedDict, total=False):
    """Full names of rows and columns, where they differ from the labels.

    Attributes:
        row_names: the full names of the rows.
        col_names: the full names of the columns.
    """

    row_names: list[str]
    col_names: list[str]


class MatrixDetails(CellNames, total=False):
    """Properties of a drawn matrix, other than its path, size and labels.

    Attributes:
        tex: its symbol in LaTeX.
        note: its shape in words, or another caption.
        place: where in the model it is, in words.
        meaning: a description of its numbers.
        role: its role in attention, which determines its color.
        head: the index of its attention head; None if it belongs to no head.
        editable: whether its cells are parameters.
        fixed: whether its cells cannot be set, as for a mask or the loss.
        scale: ``share`` if its numbers are between 0 and 1; otherwise the color scale is symmetric.
        constant: whether it is neither computed nor learned.
        origin: for a part: its matrix, and the row and column in it at which the part begins.
        products: whether it holds the summands of the single cell at ``origin``.
        overview: for a window: the path of the overview above it.
        whole: for a window or an overview: the numbers of rows and columns of the full matrix.
        block: for an overview: the rows and columns of cells that one dot represents.
        letters: for an overview: the prefixes of row and column labels.
        lanes: the stacks whose tokens its rows and columns are; None if they are not tokens.
        of: for the likeliest words: the size of the vocabulary.
        words: for the likeliest words: their ids in each row.
        tokens: for the probabilities: column -> token if its label differs, as for a space.
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
    lanes: tuple[str | None, str | None]
    of: int
    words: list[list[str]]
    tokens: dict[int, str]


class MatrixEntry(MatrixDetails):
    """A drawn matrix, or a part of one that is drawn separately."""

    path: str
    rows: int
    cols: int
    row_labels: list[str]
    col_labels: list[str]


class MatrixChange(MatrixDetails):
    """The changed properties if another part of a matrix is drawn in the same place."""

    path: str
    rows: NotRequired[int]
    cols: NotRequired[int]
    row_labels: NotRequired[list[str]]
    col_labels: NotRequired[list[str]]


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
    stack: str
    heads: int


class PairItem(TypedDict):
    """The selector for a pair of query and key."""

    pair: list[int]
    scope: str


Item = MatrixItem | OperatorItem | LinksItem | ThumbsItem | PairItem
Items = Sequence[Item]


class RowEntry(TypedDict):
    """One row of a stage: matrices and operators under formulas."""

    tex: list[str] | None
    caption: str | None
    items: list[Item]
    stacked: NotRequired[bool]  # drawn one below the other, with aligned columns


class More(TypedDict):
    """A detail that the user can expand."""

    summary: str
    text: list[str]


class StageEntry(TypedDict):
    """A stage: a heading, a few sentences, and rows that read like the formulas.

    ``heads`` is the number of heads to choose from, if they are shown one at a time; ``tokens`` are
    the tokens to choose from, if one can be shown alone.
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
        stack: the stack whose lanes hold its rows.
        title: its name in words; empty if its symbol is enough.
        words: a one-word description beside its symbol; the heads of one tensor share it.
        under: indices of learned vectors drawn below its columns, from top to bottom.
        sign: an operator in front of it.
        lens: whether the logit lens shows the words predicted from its rows.
        backward: its title while gradients are shown, if it has none.
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
        tex: the symbol of all of them.
        tiles: their indices.
        starts_row: whether they are placed below all previous tiles.
    """

    tex: str
    tiles: list[int]
    starts_row: NotRequired[bool]


class PartEntry(TypedDict):
    """A sublayer in the whole picture, or the input before the first or the output after the last.

    Attributes:
        id: the identifier of the part.
        stack: the stack on whose lanes it is drawn.
        kind: ``input``, ``attention``, ``cross``, ``feed_forward``, ``norm`` or ``output``.
        title: its name.
        words: a description in plain words; empty if none is needed.
        layer: its layer, counted from 1; None if it belongs to none, or its stack has only one.
        stage: the stage that shows it as formulas.
        tex: its formulas in LaTeX.
        items: what is drawn on the lanes, in order of computation.
        tiles: its weights.
        weights: its number of parameters, including collapsed ones.
        adds: what its residual connection adds to what, in words; empty without one.
        unfolds: whether it can be expanded.
        unfolded: whether it is expanded.
        ideas: view and label of each picture that explains it.
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
        title: its name.
        words: the tokens as shown.
        names: the full names of the tokens.
        right: the correct word of each lane, None if there is none; empty for a stack that predicts
            nothing.
        allowed: the equally correct words of each lane; empty if there is only one.
        room: the number of lanes with reserved space; lanes beyond the words are empty.
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
        path: the path of its matrix.
        row: the token's row; None for every row.
        column: the unit's column; None for every column.
        to: what its numbers are replaced by.
        label: a short label, for where the context is visible.
        words: the full description.
        unheard: the heads of its attention that are silenced in that row.
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
        structure: a short hash, by which addresses of cells are matched to a structure later.
        matrices: all matrices that are drawn or only sent.
        stages: in order of computation.
        whole: the picture of the whole model, if that view is open.
        lanes: the lanes of each stack, if another view is open.
        choices: the selectors for the layers and heads of a large model.
        silenced: the silenced parts, if any.
        hint: a sentence for the status line.
        focus: the enlarged attention in the Attention view.
        pinned: indices of the matrices whose values are always sent.
        likeliest: indices of the matrices of which only the largest probabilities are sent.
        selected: indices of the matrices of which only the selected cell is sent.
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
    path: str,
    shape: tuple[int, int],
    labels: tuple[list[str], list[str]] | None = None,
    **details: Unpack[MatrixDetails],
) -> MatrixEntry:
    """Build the manifest entry of a drawn matrix.

    Args:
        path: the path of the matrix, or of a part of one.
        shape: the numbers of rows and columns.
        labels: the labels of rows and columns; None for no labels.
        details: its other properties.
    """
    rows, columns = labels or ([], [])
    defaults: MatrixDetails = {"tex": "", "editable": False, "head": None}
    return {
        **defaults,
        **details,
        "path": path,
        "rows": shape[0],
        "cols": shape[1],
        "row_labels": rows,
        "col_labels": columns,
    }
