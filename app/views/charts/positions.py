"""The Positions tab: the positional encoding as waves and as a map (Section 3.5)."""

from __future__ import annotations

import numpy as np

from transformer_math.ops import SinusoidalPositions

from ...components.component import Placed
from ...components.layout import Chart
from ...scenario.scenario import Scenario
from .prose import text

POSITIONS_SHOWN = 64


def positions(scenario: Scenario, dark: bool) -> list[Placed]:
    """The contents of the Positions tab."""
    from ...charts.positions import position_map, waves

    kind = scenario.settings.positions
    if not kind.startswith("sinusoidal"):
        return [
            text(
                "Positions as waves",
                "The model's positions are set to "
                + ("a learned table" if kind == "learned" else "none")
                + "; choose sine, cosine in the settings to see the waves.",
            )
        ]
    d_model = scenario.settings.d_model
    encoding = SinusoidalPositions(d_model, kind == "sinusoidal_halves", "float64")
    length = max(POSITIONS_SHOWN, len(scenario.source))
    table = encoding.forward(np.arange(length))
    return [
        text(
            "Positions as waves",
            "Each dimension of the positional encoding is a wave along the sequence. The dots "
            "are the rows of P for the tokens of your source. Fast waves tell neighbors apart, "
            "slow ones tell the beginning from the end; together no two positions are alike.",
        ),
        Chart(waves(encoding, length, scenario.source, dark)),
        text(
            "The same as a map",
            f"All {d_model} dimensions at {length} positions, from −1 to 1. A column is what "
            "is added to the token standing there. Sinusoids go on for ever, so sequences may "
            "be longer than any seen in training.",
        ),
        Chart(position_map(table, scenario.view.palette, dark)),
    ]
