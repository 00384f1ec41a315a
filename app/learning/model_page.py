"""The interface through which a training run uses the page of its model."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from typing import TYPE_CHECKING, Protocol

from ..model.scenario.edits import Edit
from ..model.scenario.moments import Moments
from ..model.scenario.run_curves import RunCurves
from ..model.scenario.scenario import Scenario
from ..model.scenario.training_checksum import RepeatedTraining
from ..model.scenario.weights import Weights

if TYPE_CHECKING:
    from .session import TrainingSession


class ModelPage(Protocol):
    """The page whose model is trained."""

    @property
    def scenario(self) -> Scenario:
        """The current scenario."""

    def change(self, scenario: Scenario, of: Hashable = None) -> None:
        """Replace the scenario as an undo step."""

    training: TrainingSession | None
    learning: bool
    notice: str  # a sentence for the user, shown once
    moments: Moments | None  # optimizer moments of the current weights
    curves: RunCurves | None  # curves of the run that produced the weights, up to their step
    curves_of: Weights | None  # the weights that the curves belong to
    repeated: RepeatedTraining | None  # the training that reproduces an opened model

    def replace_weights(
        self, weights: Weights | None, steps: int, without: Collection[Edit] = ()
    ) -> None:
        """Show the model after another step, with some of its edits removed."""
