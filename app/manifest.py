"""The manifest: all that the board draws, before any number of it. It travels as JSON.

``components/board/data/types.js`` has the same names for the browser.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NotRequired, TypedDict, Unpack


class CellNames(TypedDict, total=False):
    """What rows and columns are called in full, where that is more than their labels.

    Attributes:
        row_names: of its rows.
        col_names: of its columns.
    """

    row_names: list[str]
    col_names: list[str]


class MatrixDetails(CellNames, total=False):
    """What is known of a drawn matrix beside its path, its size and its labels.

    Attributes:
        tex: its symbol.
        note: its shape in words, or what else stands under it.
        role: what it is in attention, by which it is colored.
        head: which head it is of; None if of none.
        editable: whether its cells are parameters.
        fixed: whether its cells cannot be set: those of a mask, and the loss.
        scale: ``share`` where its numbers are shares of 1; else they go both ways from 0.
        constant: whether it is neither computed nor learned.
        origin: of a part: the matrix it is of, and the row and column where in that it begins.
        products: whether it has the terms of the sum that the one cell ``origin`` is.
        overview: of a window: the path of the overview above it.
        whole: of a window or an overview: rows and columns of its matrix.
        block: of an overview: rows and columns of cells that a dot stands for.
        letters: of an overview: what the labels of rows and columns begin with.
        lanes: the stacks whose tokens its rows and its columns are; None where they are none.
        of: of the likeliest words: of how many.
        words: of the likeliest words: which they are, for each row.
    """

    tex: str
    note: str
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


class MatrixEntry(MatrixDetails):
    """A drawn matrix, or a part of one that is drawn by itself."""

    path: str
    rows: int
    cols: int
    row_labels: list[str]
    col_labels: list[str]


class MatrixChange(MatrixDetails):
    """What is new where another part of a matrix is drawn in the place of one."""

    path: str
    rows: NotRequired[int]
    cols: NotRequired[int]
    row_labels: NotRequired[list[str]]
    col_labels: NotRequired[list[str]]


class MatrixItem(TypedDict):
    """A matrix in a row of a stage, by its number in the manifest."""

    matrix: int


class OperatorItem(TypedDict):
    """An operator between matrices, in LaTeX."""

    operator: str


class LinksItem(TypedDict):
    """Attention weights as links between tokens, a matrix for each head."""

    links: list[int]
    large: NotRequired[bool]
    scope: NotRequired[str]


class ThumbsItem(TypedDict):
    """Attention weights of several layers, all heads of them small."""

    thumbs: list[int]
    scopes: list[str]
    label: str
    stack: str
    heads: int
    opens: NotRequired[bool]  # whether pressing one opens the Attention view on it


class PairItem(TypedDict):
    """The choice of a pair of query and key."""

    pair: list[int]
    scope: str


Item = MatrixItem | OperatorItem | LinksItem | ThumbsItem | PairItem
Items = Sequence[Item]


class RowEntry(TypedDict):
    """One line of a stage: matrices and operators, under formulas."""

    tex: list[str] | None
    caption: str | None
    items: list[Item]
    stacked: NotRequired[bool]  # one above the other, column over column


class More(TypedDict):
    """What a reader may unfold."""

    summary: str
    text: list[str]


class StageEntry(TypedDict):
    """A heading, a few sentences, and rows that read as the formulas do.

    ``heads`` is how many there are to choose between, if each is shown by itself; ``tokens``
    which there are, if one alone can be shown.
    """

    id: str
    part: str
    title: str
    text: list[str]
    more: More | None
    heads: int
    tokens: TokenChoice | None
    rows: list[RowEntry]
    settings: NotRequired[list[dict[str, Any]]]  # of the model, as a form has them


class StripItem(TypedDict):
    """A matrix that has a row for each token: its rows lie on the lanes of a stack.

    Attributes:
        strip: the number of the matrix.
        stack: whose lanes its rows are.
        title: what it is, in words; empty where its symbol says enough.
        under: learned vectors that stand under its columns, one below the other.
        sign: an operator before it.
        lens: whether the words that the output would read off its rows stand beside them.
    """

    strip: int
    stack: str
    title: str
    under: list[int]
    sign: NotRequired[str]
    lens: NotRequired[bool]


class LanesItem(TypedDict):
    """Attention as links between lanes, a matrix of weights for each head.

    Attributes:
        lanes: the numbers of the matrices.
        stack: whose lanes the queries are.
        keys: whose lanes the keys are.
    """

    lanes: list[int]
    stack: str
    keys: str


class TilesEntry(TypedDict):
    """Learned matrices under the sublayer that uses them, one below the other."""

    tex: str
    tiles: list[int]


class PartEntry(TypedDict):
    """A sublayer of the whole picture, or what comes before the first and after the last.

    Attributes:
        id: of the part.
        stack: on whose lanes it stands.
        kind: ``input``, ``attention``, ``cross``, ``feed_forward``, ``norm`` or ``output``.
        title: what it is called.
        layer: counted from 0; None where it is of no layer.
        stage: the stage that reads it as formulas.
        tex: its formulas.
        items: what stands on its lanes, in order of computation.
        tiles: its weights.
        weights: how many learned numbers it has, also where they are folded away.
        residual: whether what enters it is added to what it computes.
        unfolds: whether there is more of it than is drawn.
        unfolded: whether all of it is drawn.
    """

    id: str
    stack: str
    kind: str
    title: str
    layer: int | None
    stage: str
    tex: list[str]
    items: list[StripItem | LanesItem]
    tiles: list[TilesEntry]
    weights: int
    residual: bool
    unfolds: bool
    unfolded: bool


class LanesEntry(TypedDict):
    """The lanes of a stack: a token each.

    Attributes:
        stack: ``encoder`` or ``decoder``.
        title: its name.
        words: the tokens.
        names: the same in full.
        right: the word that is right at the end of each lane; of a stack that writes nothing none.
    """

    stack: str
    title: str
    words: list[str]
    names: list[str]
    right: list[str]


class WholeEntry(TypedDict):
    """The whole model as one picture: lanes of tokens, and along them the parts.

    Attributes:
        stacks: the lanes.
        parts: in order of computation.
        lens: whether words stand along the lanes, from depth to depth.
    """

    lens: bool
    stacks: list[LanesEntry]
    parts: list[PartEntry]


class Choice(TypedDict):
    """A layer or a head of a large model, to be chosen by its number; ``all`` stands for all."""

    name: str
    label: str
    count: int
    chosen: int
    all: NotRequired[int]


class TokenChoice(TypedDict):
    """One token to be followed through a stage by itself, or all of them.

    Attributes:
        name: of the choice.
        labels: the tokens.
        names: what they are called in full.
        chosen: its position; −1 for all.
    """

    name: str
    labels: list[str]
    names: list[str]
    chosen: int


class SilencedPart(TypedDict):
    """A part that is silenced.

    Attributes:
        path: its matrix.
        row: the token; None for every one.
        column: the unit; None for every one.
        to: what it is silenced to.
        label: which it is, in a word or two where its place is in sight.
        words: the whole of it in words.
    """

    path: str
    row: int | None
    column: int | None
    to: str
    label: str
    words: str


class FocusEntry(TypedDict):
    """Which attention is shown large, and which of its pairs."""

    scope: str
    head: int
    query: int
    key: int


class Manifest(TypedDict):
    """The structure of the board.

    Attributes:
        version: counts up with each structure.
        structure: a short text by which the addresses of its cells are known later.
        matrices: all that is drawn, and what is only sent.
        stages: in order of computation.
        whole: the picture of the whole model, where that is what is shown.
        choices: which layer and head of a large model is drawn.
        silenced: the parts that are silenced, if there are any.
        hint: a sentence for the status line.
        focus: of the Attention view.
        only_pictures: whether no number stands there, so that none is to be read out below.
        pinned: numbers of the matrices that the browser always has.
        likeliest: of these the largest probabilities, where not all are sent.
        selected: of these the selected number alone, where not all is drawn.
    """

    version: int
    structure: NotRequired[str]
    matrices: list[MatrixEntry]
    stages: list[StageEntry]
    whole: NotRequired[WholeEntry]
    choices: list[Choice]
    silenced: NotRequired[list[SilencedPart]]
    hint: NotRequired[str]
    focus: NotRequired[FocusEntry]
    only_pictures: NotRequired[bool]
    pinned: NotRequired[list[int]]
    likeliest: NotRequired[int]
    selected: NotRequired[int]


def matrix_entry(
    path: str,
    shape: tuple[int, int],
    labels: tuple[list[str], list[str]] | None = None,
    **details: Unpack[MatrixDetails],
) -> MatrixEntry:
    """The entry of a drawn matrix.

    Args:
        path: the matrix, or the part of one.
        shape: rows and columns.
        labels: of rows and columns; None where they are not written.
        details: what else is known of it.
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
