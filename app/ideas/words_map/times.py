"""Restores kept steps of the training run for a picture, and computes the paths of words."""

import numpy as np

from transformer_math.explain.plane import Plane

from ...learning import TrainingSession
from .computation import Table

MOST_ON_A_WAY = 24  # steps on a path, evenly spaced


class Times:
    """The kept steps of the run that trained the page's model, if there is one."""

    def __init__(self, training: TrainingSession) -> None:
        self._training = training

    @property
    def steps(self) -> list[int]:
        """The steps that can be restored."""
        run = self._training.current
        return [] if run is None else run.snapshots.steps

    def last(self, path: str) -> np.ndarray | None:
        """Return a table after the last step of the run; it defines the axes at every step."""
        run = self._training.current
        return None if run is None else run.trainer.model.parameters[path]

    def ways(self, table: Table, plane: Plane, until: int) -> list[np.ndarray]:
        """Return the positions of each word at the kept steps before a step, (steps, 2) each."""
        run = self._training.current
        steps = [step for step in self.steps if step < until]
        if run is None or not steps:
            return []
        count = min(len(steps), MOST_ON_A_WAY)
        chosen = np.unique(np.linspace(0, len(steps) - 1, count).astype(int))
        kept = [run.snapshots[steps[k]][table.path] for k in chosen]
        if len(kept[0]) <= table.ids.max() or kept[0].shape[1] != table.rows.shape[1]:
            return []  # the run has other words, or a different width
        places = [plane.coordinates(each[table.ids].astype(float)) for each in kept]
        return list(np.array(places).swapaxes(0, 1))
