"""The center's other tabs: positions as pictures, and what the model costs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import Any

import numpy as np

from transformer_math import Config, layer_cost
from transformer_math.cost import crossover
from transformer_math.ops import SinusoidalPositions

from .. import theme
from ..charts.cost import cost
from ..charts.positions import position_map, waves
from ..components.component import Placed
from ..components.layout import HTML, Chart, Column
from ..explain import parameter_table
from ..scenario.scenario import Scenario
from ..state import AppState

POSITIONS_SHOWN = 64


class PicturesView:
    """Charts are made when their tab is first opened, so that the page itself opens fast."""

    def __init__(self, state: AppState) -> None:
        self.state = state
        self.dark = False
        self.column = Column(visible=False)
        self._open: Callable[[], list[Placed]] | None = None
        state.param.watch(self._on_scenario, "scenario")

    def show(self, name: str) -> None:
        """Open one of the tabs, or none of them."""
        self._open = {"positions": self._positions, "cost": self._cost}.get(name)
        self.column.visible = self._open is not None
        self._draw()

    def set_dark(self, dark: bool) -> None:
        """Light or dark: the charts' colors are put in on the server."""
        if dark != self.dark:
            self.dark = dark
            self._draw()

    def _on_scenario(self, event: Any) -> None:
        old, new = event.old, event.new
        if (old.model, old.settings, old.source, old.target, old.answers, old.view) != (
            new.model,
            new.settings,
            new.source,
            new.target,
            new.answers,
            new.view,
        ):
            self._draw()

    def _draw(self) -> None:
        self.column.objects = self._open() if self._open else []

    # -- positions ---------------------------------------------------------------------------

    def _positions(self) -> list[Placed]:
        scenario = self.state.scenario
        kind = scenario.settings.positions
        if not kind.startswith("sinusoidal"):
            return [
                _text(
                    "Positions as waves",
                    "The model's positions are set to "
                    + ("a learned table" if kind == "learned" else "none")
                    + "; choose sine, cosine in the settings to see the waves.",
                )
            ]
        d_model, halves = scenario.settings.d_model, kind == "sinusoidal_halves"
        at = np.arange(max(POSITIONS_SHOWN, len(scenario.source)))
        table = SinusoidalPositions(d_model, halves, "float64").forward(at)
        dimensions = list(range(min(d_model, 8)))
        return [
            _text(
                "Positions as waves",
                "Each dimension of the positional encoding is a wave along the sequence. The dots "
                "are the rows of P for the tokens of your source. Fast waves tell neighbors apart, "
                "slow ones tell the beginning from the end; together no two positions are alike.",
            ),
            Chart(waves(at, table, dimensions, scenario.source, halves, self.dark)),
            _text(
                "The same as a map",
                f"All {d_model} dimensions at {len(at)} positions, from −1 to 1. A column is what "
                "is added to the token standing there. Sinusoids go on for ever, so sequences may "
                "be longer than any seen in training.",
            ),
            Chart(position_map(table, scenario.view.palette, self.dark)),
        ]

    # -- cost --------------------------------------------------------------------------------

    def _cost(self) -> list[Placed]:
        scenario = self.state.scenario
        config = scenario.config
        now = len(scenario.source if config.encoder_layers else scenario.target)
        even = crossover(config)
        lengths = np.unique(np.geomspace(1, max(4096, 4 * even), 60).astype(int))
        costs = [layer_cost(config, int(n)) for n in lengths]
        parts = {
            "projections, O(n · d²)": np.array([c.projections for c in costs]),
            "scores and mixing, O(n² · d)": np.array([c.scores for c in costs]),
            "feed-forward, O(n · d²)": np.array([c.feed_forward for c in costs]),
            "the whole layer": np.array([c.multiply_adds for c in costs]),
        }
        one = layer_cost(config, now)
        return [
            _text(
                "What a layer costs",
                f"One encoder layer on your {now} tokens takes {one.multiply_adds:,} "
                f"multiply-adds, keeps {_bytes(one.weight_bytes)} of weights and "
                f"{_bytes(one.activation_bytes)} of intermediate numbers. The part that compares "
                "every token with every other grows with n²; at this size it overtakes the rest "
                f"from n = {even:,.0f} on (dashed line). "
                "That is why very long texts are expensive. The solid line is your text.",
            ),
            Chart(cost(lengths, parts, now, even, self.dark)),
            _text("Where the parameters are", ""),
            _table(scenario),
            _text("The models of the paper", ""),
            _paper_table(),
            _text(
                "",
                "The paper speaks of 65 and 213 million. With its vocabulary of 37,000 tokens and "
                "one table for source, target and output the count of all its matrices gives the "
                "figures above.",
            ),
        ]


def _text(heading: str, text: str) -> HTML:
    title = f"<h2>{escape(heading)}</h2>" if heading else ""
    body = f"<p>{escape(text)}</p>" if text else ""
    return HTML(title + body, stylesheets=[theme.PROSE])


def _table(scenario: Scenario) -> HTML:
    lines = parameter_table.lines(scenario.config)
    rows = [
        (
            line.group,
            line.leaf,
            f"{line.times} × {line.symbols}" if line.times > 1 else line.symbols,
            f"{line.times} × " * (line.times > 1) + "·".join(map(str, line.size)),
            f"{line.total:,}",
        )
        for line in lines
    ]
    total = sum(line.total for line in lines)
    rows.append(("all", "", "", "", f"{total:,}"))
    return _html_table(("part", "name", "formula", "in numbers", "parameters"), rows)


def _paper_table() -> HTML:
    rows = []
    for name in ("paper-base", "paper-big"):
        config = Config.preset(name)
        rows.append(
            (
                name,
                f"{config.d_model}",
                f"{config.heads}",
                f"{config.feed_forward_width}",
                f"{config.encoder_layers} + {config.decoder_layers}",
                f"{config.dropout.embedding}",
                f"{config.parameter_count() / 1e6:.1f} million",
            )
        )
    head = ("model", "d_model", "heads", "d_ff", "layers", "dropout", "parameters")
    return _html_table(head, rows)


def _html_table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> HTML:
    def line(cells: tuple[str, ...], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in cells) + "</tr>"

    text = "<table><thead>" + line(head, "th") + "</thead><tbody>"
    text += "".join(line(cells, "td") for cells in rows) + "</tbody></table>"
    return HTML(text, stylesheets=[theme.PROSE])


def _bytes(count: int) -> str:
    return f"{count / 1e3:,.1f} kB" if count < 1e6 else f"{count / 1e6:,.1f} MB"
