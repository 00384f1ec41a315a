"""The matrices of the page, collected while the stages are laid out."""

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from types import MappingProxyType
from typing import NamedTuple

from transformer_math import Trace
from transformer_math.ops import IDENTITY
from transformer_math.ops.tensor import Tensor

from ...explain import labels
from ...explain.matrix_words import leaf_of
from ...explain.units import in_units
from ...ideas.catalog import ideas_of_part
from ...manifest import (
    AxisEntry,
    Items,
    MatrixChange,
    MatrixEntry,
    MatrixItem,
    OperatorItem,
    RowEntry,
    StageEntry,
    TokenChoice,
    matrix_entry,
)
from ...model.matrices import address, extent, overview
from ...model.matrices.address import PROBABILITIES
from ...model.matrices.scale import is_share
from ...model.matrices.values import matrix_shape, shown_tensor
from ...model.scenario.axis_tokens import POSITION_AXES, AxisTokens
from ...model.scenario.matrix_address import matrix_address
from ...model.scenario.scenario import Scenario
from .texts import Text


class Viewport(NamedTuple):
    """The part of a large model that is drawn."""

    layers: extent.LayerChoice = extent.LayerChoice()
    windows: overview.Windows = MappingProxyType({})  # positions, by path of the large matrix


class Sheet:
    """Lists the drawings of matrices in the order in which the stages draw them."""

    def __init__(
        self,
        scenario: Scenario,
        trace: Trace,
        viewport: Viewport | None = None,
    ) -> None:
        viewport = viewport or Viewport()
        config = scenario.config
        self.scenario = scenario
        self.tokens = scenario.axis_tokens
        self.trace = trace
        self.parameters = config.parameter_shapes()
        self.extent = extent.extent(config, trace, viewport.layers)
        self.matrices: list[MatrixEntry] = []  # the manifest entry of each drawing
        self.is_magnified = False  # whether some matrix is drawn as an overview and a window
        self.token: int | None = None  # position of the only row that is drawn; None for all
        self.windows = viewport.windows  # positions, by path of the large matrix
        self._overviews: set[str] = set()
        self._several_heads = scenario.settings.heads > 1
        self._axes: dict[Hashable, AxisEntry] = {}  # by everything that determines the labels

    @property
    def draws_all(self) -> bool:
        """Whether every number of the pass is drawn on the sheet."""
        return not (self.is_magnified or self.extent.choices or self.extent.tokens)

    def __contains__(self, path: str) -> bool:
        return path in self.trace.tensors

    def tensor(self, path: str) -> Tensor:
        """Return the tensor at a path; if the step is switched off, the input of the step."""
        return shown_tensor(self.trace[path])

    def is_off(self, path: str) -> bool:
        """Return whether a step, such as dropout, a mask or the scale, is switched off."""
        return self.trace[path].op is IDENTITY

    def show(self, path: str) -> list[MatrixItem]:
        """Draw a tensor, or each shown head of a tensor with heads."""
        tensor = self.tensor(path)
        if "head" not in tensor.dims:
            return [self._add(tensor, None)]
        return [self._add(tensor.head(k), k) for k in self.extent.heads]

    def show_head(self, path: str, head: int | None) -> list[MatrixItem]:
        """Draw one head of a tensor; the whole tensor if it has no heads or ``head`` is None."""
        tensor = self.tensor(path)
        if head is None or "head" not in tensor.dims:
            return [self._add(tensor, None)]
        return [self._add(tensor.head(head), head)]

    @contextmanager
    def only(self, token: int | None) -> Iterator[None]:
        """Within the context, draw only one token's row of tensors with a row for each token."""
        self.token = token
        try:
            yield
        finally:
            self.token = None

    def show_all_heads(self, path: str) -> list[MatrixItem]:
        """Draw every head of a tensor in full, never as a window."""
        tensor = self.tensor(path)
        return [
            self.append(self.entry(tensor.head(k), k, is_whole=True))
            for k in range(tensor.shape[0])
        ]

    def mixing(self, scope: str) -> Tensor:
        """Return the weights that mix an attention's values: after dropout, if dropout is on."""
        dropped = f"{scope}.weights_dropout"
        return self.tensor(dropped if dropped in self else f"{scope}.weights")

    def is_large(self, path: str) -> bool:
        """Return whether a tensor, or a head of it, is drawn as an overview and a window."""
        tensor = self.tensor(path)
        view = tensor.head(0) if tensor.dims[0] == "head" else tensor
        return overview.is_large(*matrix_shape(view))

    def show_memory(self, path: str) -> list[MatrixItem]:
        """Draw the encoder's output with the symbol and note for the decoder."""
        item = self._add(self.tensor(path), None)
        self.matrices[-1]["tex"] = memory_symbol(self.tensor(path))
        self.matrices[-1]["note"] += " · the encoder's output"
        return [item]

    def formula(self, *paths: str, head: int | None = None) -> list[str]:
        """Return ``symbol = formula`` of tensors, in LaTeX.

        Symbols of heads have the index i, or the head's number if ``head`` is given.
        """
        return [self._equation(self.tensor(path), head) for path in paths]

    def _equation(self, tensor: Tensor, head: int | None) -> str:
        stacked = "head" in tensor.dims
        in_decoder = tensor.path.startswith("decoder")
        names = []
        for source in (self.tensor(t.path) for t in tensor.inputs):
            crosses = in_decoder and source.path.startswith(("encoder", "source"))
            names.append(memory_symbol(source) if crosses else self._symbol(source, stacked, head))
        return f"{self._symbol(tensor, stacked, head)} = {tensor.op.latex(*names)}"

    def _symbol(self, tensor: Tensor, stacked: bool, head: int | None) -> str:
        """Return the symbol, with a head's index if the formula is about one of several heads."""
        if not (stacked and tensor.dims[0] == "head") or self.scenario.settings.heads == 1:
            return tensor.symbol
        if head is not None:
            return tensor.head(head).symbol
        return tensor.head(0).symbol.replace("_{1}", "_{i}", 1)

    def _add(self, tensor: Tensor, head: int | None) -> MatrixItem:
        if self.token is not None and tensor.dims[0] == "position":
            return self._row(tensor, self.token)
        is_whole = not overview.is_large(*matrix_shape(tensor))
        entry = self.entry(tensor, head, is_whole)
        if is_whole:
            return self.append(entry)
        self.is_magnified = True
        picture = address.overview_path(tensor.path)
        if picture not in self._overviews:
            self._overviews.add(picture)
            self.matrices.append(overview_entry(tensor, entry))
        place = self.windows.get(tensor.path, (0, 0))
        part = window(self.tokens, tensor, place)
        whole = matrix_shape(tensor)
        self.matrices.append({**entry, **part, "whole": whole, "overview": picture})
        return {"matrix": len(self.matrices) - 1}

    def _row(self, tensor: Tensor, token: int) -> MatrixItem:
        """Draw only one token's row, never as a window."""
        shape = 1, matrix_shape(tensor)[1]
        part = _part(self.tokens, tensor, (token, 0), shape)
        axis = labels.AXIS_WORDS.get(tensor.dims[1], tensor.dims[1])
        note = f"1 × {shape[1]} · one token × {axis}"
        return self.append({**self.entry(tensor, None, is_whole=False), **part, "note": note})

    def append(self, entry: MatrixEntry) -> MatrixItem:
        """Append a drawing; return an item with its index."""
        self.matrices.append(entry)
        return {"matrix": len(self.matrices) - 1}

    def entry(self, tensor: Tensor, head: int | None, is_whole: bool) -> MatrixEntry:
        """Return the manifest entry of a drawing; ``is_whole``: whether it is not a window."""
        stored = matrix_address(tensor.path).stored
        entry = matrix_entry(
            tensor.path,
            matrix_shape(tensor),
            tex=tensor.symbol if self._several_heads else self.trace[stored].symbol,
            note=in_units(self.scenario, labels.shape_note(tensor)),
            place=labels.place_words(tensor.path),
            editable=stored in self.parameters,
            role=labels.role(tensor.path),
            head=head,
            constant=tensor.is_leaf and stored not in self.parameters,
        )
        leaf = leaf_of(stored)
        if leaf is not None:
            entry["meaning"] = in_units(self.scenario, leaf.matrix)
        if is_whole:  # a large matrix has too many labels; its window has them instead
            entry["axes"] = self._axis(tensor, 0), self._axis(tensor, 1)
        if is_whole and tensor.path == PROBABILITIES:
            shown = entry["axes"][1]["labels"]
            named = zip(self.scenario.output_vocabulary, shown, strict=True)
            others = {k: word for k, (word, label) in enumerate(named) if word != label}
            if others:
                entry["tokens"] = others
        return rated(entry, self.scenario, tensor)

    def _axis(self, tensor: Tensor, along: int) -> AxisEntry:
        """Return the complete axis of rows (``along`` is 0) or columns (1) of a drawn tensor."""
        name, size = _dims(tensor)[along], matrix_shape(tensor)[along]
        stored = matrix_address(tensor.path).stored
        kind = self.tokens.kind_along(stored, name) if name else tensor.symbol
        key = name, kind, size
        if key not in self._axes:
            self._axes[key] = axis_entry(self.tokens, tensor, along)
        return self._axes[key]


def window(
    tokens: AxisTokens, tensor: Tensor, place: overview.Cell, most: overview.Cell = overview.WINDOW
) -> MatrixChange:
    """Return the entry fields of the window on a drawn tensor: its position and labels."""
    whole = matrix_shape(tensor)
    shape = overview.window_shape(*whole, most)
    row, column = overview.clamped(place, *whole, most)
    return _part(tokens, tensor, (row, column), shape)


def single(tokens: AxisTokens, tensor: Tensor, cell: overview.Cell) -> MatrixChange:
    """Return the entry fields of one cell of a tensor as a matrix, whose number is always sent."""
    return _part(tokens, tensor, cell, (1, 1))


def rated(entry: MatrixEntry, scenario: Scenario, tensor: Tensor) -> MatrixEntry:
    """Add the color scale of a tensor's numbers, and whether they can be set, to an entry."""
    if is_share(tensor):
        entry["scale"] = "share"
    if not (entry["editable"] or scenario.can_be_set(tensor.path)):
        entry["fixed"] = True
    return entry


def _part(
    tokens: AxisTokens, tensor: Tensor, place: overview.Cell, shape: overview.Cell
) -> MatrixChange:
    return {
        "path": address.window_path(tensor.path, place, shape),
        "rows": shape[0],
        "cols": shape[1],
        "origin": (tensor.path, *place),
        "axes": axes_of_part(tokens, tensor, place, shape),
    }


def axes_of_part(
    tokens: AxisTokens, tensor: Tensor, place: overview.Cell, shape: overview.Cell
) -> tuple[AxisEntry, AxisEntry]:
    """Return the axes of some rows and columns of a drawn tensor."""
    rows, columns = (
        axis_entry(tokens, tensor, along, place[along], shape[along]) for along in (0, 1)
    )
    return rows, columns


def axis_entry(
    tokens: AxisTokens, tensor: Tensor, along: int, start: int = 0, count: int | None = None
) -> AxisEntry:
    """Return the axis of some or all rows (``along`` is 0) or columns (1) of a drawn tensor."""
    name = _dims(tensor)[along]
    if not name:
        is_mean = along == 1  # a tensor without dimensions is the mean loss
        return {"labels": ["mean" if is_mean else labels.plain(tensor.symbol)]}
    stored, size = matrix_address(tensor.path).stored, matrix_shape(tensor)[along]
    stretch = tokens, stored, name, size, start, size if count is None else start + count
    found: AxisEntry = {"labels": labels.axis_titles(*stretch)}
    if labels.has_names(tokens, stored, name):
        found["names"] = labels.axis_names(*stretch)
    if name in POSITION_AXES:
        found["stack"] = "encoder" if tokens.side(stored, name) == "source" else "decoder"
    return found


def overview_entry(
    tensor: Tensor, entry: MatrixEntry, block: overview.Block | None = None
) -> MatrixEntry:
    """Return the entry of an overview, with its number of dots and the cells per dot.

    ``entry`` is the entry of the large matrix.
    """
    shape = matrix_shape(tensor)
    row_axis, column_axis = _dims(tensor)
    letters = labels.AXIS_LETTERS
    found = matrix_entry(
        address.overview_path(tensor.path, block),
        overview.overview_shape(*shape, block),
        head=entry["head"],
        tex=entry["tex"],
        origin=(tensor.path, 0, 0),
        block=block or overview.block_of(*shape),
        whole=shape,
        letters=(letters.get(row_axis, ""), letters.get(column_axis, "")),
    )
    if "scale" in entry:
        found["scale"] = entry["scale"]
    return found


def _dims(tensor: Tensor) -> tuple[str, ...]:
    """Return the names of the two axes of a drawn tensor; the row axis of a vector has no name."""
    return ("", "", *tensor.dims)[-2:]


def stage(
    stage_id: str,
    heading: tuple[str, str],
    text: Text,
    rows: list[RowEntry],
    heads: int = 0,
    tokens: TokenChoice | None = None,
) -> StageEntry:
    """Return a stage of the board; ``heading`` is the part of the model, and the title.

    ``heads`` is the number of heads that can be shown separately, ``tokens`` the tokens.
    """
    return {
        "id": stage_id,
        "part": heading[0],
        "title": heading[1],
        "text": text.paragraphs,
        "more": {"summary": text.summary, "text": text.more} if text.more else None,
        "heads": heads,
        "tokens": tokens,
        "rows": rows,
        "ideas": ideas_of_part(stage_id),
    }


def sign(tex: str) -> Items:
    """Return an operator between two matrices."""
    return [OperatorItem(operator=tex)]


def memory_symbol(tensor: Tensor) -> str:
    """Return an encoder tensor's symbol for decoder formulas, marked because letters are shared."""
    return tensor.symbol + r"^{\mathrm{enc}}"


def row(
    *items: Items, tex: list[str] | None = None, caption: str | None = None, stacked: bool = False
) -> RowEntry:
    """Return one line of a stage: matrices and operators, under formulas.

    If ``stacked``, the matrices are placed one above the other, with aligned columns.
    """
    found: RowEntry = {
        "tex": tex,
        "caption": caption or None,
        "items": [item for group in items for item in group],
    }
    if stacked:
        found["stacked"] = True
    return found
