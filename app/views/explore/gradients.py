"""Gradients on the board, where they are to be shown."""

from __future__ import annotations

from collections.abc import Callable, Collection

import numpy as np

from transformer_math.ops.tensor import Index

from ...explain import gradient, value
from ...explain.value import Rectangle
from ...matrices import gradients
from ...state import AppState, Selection


class GradientPlane:
    """The gradients of what is drawn; nothing is backpropagated before they are shown."""

    def __init__(self, state: AppState) -> None:
        self.state = state

    @property
    def is_on(self) -> bool:
        """Whether gradients are shown in the place of values."""
        return self.state.scenario.view.plane == "gradient"

    def operands(self, cell: Selection) -> list[Rectangle]:
        """The cells that a value, or where gradients are shown its gradient, was computed from."""
        if not self.is_on:
            return value.operands(self.state.trace, *cell)
        return gradient.operands(self.state.runner.with_gradients(self.state.scenario), *cell)

    def reader(self) -> Callable[[str], np.ndarray] | None:
        """A function that reads the gradients of a matrix; None where they are not shown."""
        if not self.is_on:
            return None
        trace = self.state.runner.with_gradients(self.state.scenario)
        return lambda path: gradients.matrix_gradient(trace, path)

    def most_frames(self, wanted: int, drawn: Collection[str]) -> int:
        """For how many frames of an oscillation there is time and room."""
        if not self.is_on:
            return wanted
        trace = self.state.trace
        return gradients.affordable(trace, drawn, wanted)

    def swept(
        self, path: str, index: Index, settings: list[float], drawn: Collection[str]
    ) -> gradients.GradientSweep | None:
        """The gradients of an oscillation; None where they are not shown."""
        if not self.is_on:
            return None
        return gradients.GradientSweep(self.state.trace, path, index, settings, drawn)
