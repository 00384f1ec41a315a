"""Declares tables with a column per token, whose cells have colors and can be selected."""

from collections.abc import Sequence
from typing import ClassVar, NotRequired, TypedDict

import param

from ...components.callbacks import Callbacks
from ...components.component import Component, Message
from ...components.form.form import Form
from ...components.messages import AnyMessage

CellIndex = tuple[int, int, int]  # table, row and column


class TokenCell(TypedDict):
    """The content of a cell."""

    text: str
    title: str  # the full text, for tooltips and screen readers
    # The cell's place on the color scale, -1 to 1; None for no color.
    share: float | None
    faint: NotRequired[bool]  # whether the text is drawn faintly, because it matters little


class TokenRow(TypedDict):
    """A row of a table, with its label."""

    label: str
    cells: list[TokenCell]


class TokenRows(TypedDict):
    """A table over the tokens of one text."""

    title: str
    columns: list[str]
    rows: list[TokenRow]


class Choose(AnyMessage):
    """A cell was pressed."""

    table: int
    row: int
    column: int


class ExperimentForm(Form):
    """A form above a table, in as many lines as needed."""

    layout = param.Selector(default="row", objects=["row"])

    sheets = (
        "../../components/form/form.css",
        "../../components/form/controls.css",
        "experiment_form.css",
    )


class TokenTable(Component):
    """Shows tables, whose cells can be pressed."""

    entry = "token_table.js"
    sheets = ("token_table.css",)

    tables = param.List(default=[], item_type=dict, doc="The tables, see `TokenRows`.")

    chosen = param.List(default=[], item_type=int, doc="Table, row and column of one cell, or []")

    legend = param.Dict(default={}, doc="`low` and `high`, the meaning of the ends of the scale.")

    hears: ClassVar = {"choose": Choose}

    on_choose = Callbacks[[CellIndex]]()  # the pressed cell

    @property
    def places(self) -> tuple[object, ...]:
        return tuple(
            (table["title"], *table["columns"], *(row["label"] for row in table["rows"]))
            for table in self.tables
        )

    def hear(self, message: Message) -> None:
        """Handle a pressed cell; unknown cells are ignored."""
        table, row, column = (message[name] for name in ("table", "row", "column"))
        rows = self.tables[table]["rows"] if _has(self.tables, table) else ()
        cells = rows[row]["cells"] if _has(rows, row) else ()
        if _has(cells, column):
            self.on_choose.call((table, row, column))


def _has(items: Sequence[object], at: int) -> bool:
    return 0 <= at < len(items)
