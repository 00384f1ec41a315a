"""Shows the cost of a layer, and the number of parameters by matrix."""

from itertools import combinations

import numpy as np

from transformer_math import Config, layer_cost
from transformer_math.cost import crossover

from ...components.component import Placed
from ...components.layout import HTML, Chart
from ...explain import parameter_table
from ...model.scenario.scenario import Scenario
from ..kit.charts import ChartsPicture
from ..kit.prose import table, text
from ..kit.symbols import Symbol


def cost(scenario: Scenario, dark: bool) -> list[Placed]:
    """Return the chart and the tables, with the text above each."""
    from ...charts.cost import cost_curves

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
        text(
            "What a layer costs",
            f"One encoder layer on your {now} tokens takes {one.multiply_adds:,} "
            f"multiply-adds, keeps {_bytes(one.weight_bytes)} of weights and "
            f"{_bytes(one.activation_bytes)} of intermediate numbers. The part that compares "
            "every token with every other grows with n²; at this size it overtakes the rest "
            f"from n = {even:,.0f} on (dashed line). "
            "That is why very long texts are expensive. The solid line is your text.",
        ),
        Chart(cost_curves(lengths, parts, now, even, dark)),
        *_coinciding(parts),
        text("Where the parameters are", ""),
        _parameter_table(scenario),
        text("The models of the paper", ""),
        _paper_table(),
        text(
            "",
            "The paper gives 65 and 213 million. These figures assume its vocabulary of 37,000 "
            "tokens, and one table for source, target and output.",
        ),
    ]


def _coinciding(parts: dict[str, np.ndarray]) -> list[HTML]:
    """Name the curves that coincide, if any."""
    pairs = [
        "Two curves lie on each other and share one line in both colors: "
        f"{first.partition(',')[0]} and {other.partition(',')[0]} "
        "take the same number of multiply-adds at this size."
        for first, other in combinations(parts, 2)
        if np.array_equal(parts[first], parts[other])
    ]
    return [text("", " ".join(pairs))] if pairs else []


def _parameter_table(scenario: Scenario) -> HTML:
    lines = parameter_table.lines(scenario.config)
    rows: list[tuple[str, ...]] = [
        (
            line.group,
            Symbol(line.symbol),
            Symbol(f"{line.times} × {line.symbols}" if line.times > 1 else line.symbols),
            f"{line.times} × " * (line.times > 1) + "·".join(map(str, line.size)),
            f"{line.total:,}",
        )
        for line in lines
    ]
    total = sum(line.total for line in lines)
    rows.append(("all", "", "", "", f"{total:,}"))
    return table(("part", "name", "formula", "in numbers", "parameters"), rows)


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
    widths = Symbol(r"d_{\mathrm{model}}"), Symbol(r"d_{\mathrm{ff}}")
    head = ("model", widths[0], "heads", widths[1], "layers", "dropout", "parameters")
    return table(head, rows)


def _bytes(count: int) -> str:
    return f"{count / 1e3:,.1f} kB" if count < 1e6 else f"{count / 1e6:,.1f} MB"


class CostPicture(ChartsPicture):
    """The cost picture, redrawn when sizes or lengths change."""

    name = "cost"

    def drawn_from(self, scenario: Scenario) -> object:
        return scenario.config, len(scenario.source), len(scenario.target)

    def charts(self, scenario: Scenario) -> list[Placed]:
        return cost(scenario, self.dark)
