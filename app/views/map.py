"""The left side, bottom: Figure 1 of the paper as a map."""

from __future__ import annotations

from typing import Any

from ..components.figure.figure import Figure
from ..state import AppState


class MapView:
    """Draws the model that the scenario asks for."""

    def __init__(self, state: AppState) -> None:
        self.state = state
        self.figure = Figure(**self._plan())
        state.watch_calmly(self._fill, "scenario")

    def _fill(self, _event: Any) -> None:
        self.figure.param.update(**self._plan())

    def _plan(self) -> dict[str, Any]:
        config = self.state.scenario.config
        return {
            "encoder_layers": config.encoder_layers,
            "decoder_layers": config.decoder_layers,
            "norm": config.norm,
            "final_norm": config.has_final_norm,
            "positions": config.positions != "none",
            "residual": config.residual,
        }
