"""Computes the data, sentences and edits of the picture of layer norm."""

from typing import Any, NamedTuple

import numpy as np

from transformer_math import Trace
from transformer_math.explain.normalizing import (
    Normalizing,
    cell_for_centered,
    cell_for_standard,
    normalizing,
)
from transformer_math.ops.layer_norm import LayerNorm
from transformer_math.ops.tensor import Tensor

from ...explain import labels
from ...model.matrices.address import CellAddress
from ...model.matrices.values import shown_tensor
from ...model.scenario.scenario import Scenario
from ...number_text import fixed, joined
from ...typed_text import quoted
from ..focus import row_in_focus
from ..settings import NormSettings

MAX_DOTS = 32
LEAST = 1e-3  # the smallest standardized number from which γ can be computed


def norms(trace: Trace) -> list[str]:
    """Return the paths of all layer norms, in order of computation."""
    return [path for path, tensor in trace.tensors.items() if isinstance(tensor.op, LayerNorm)]


class NormRow(NamedTuple):
    """A row that is the input of a layer norm."""

    path: str  # the path of the norm
    row: int
    tensor: Tensor  # the output tensor of the norm
    read: Tensor  # the input tensor of the norm, as drawn
    constant: float  # the trial constant added to the row
    factor: float  # the trial factor, by which the row is multiplied first

    @property
    def steps(self) -> Normalizing:
        """The steps of the row with the trial constant and factor."""
        return self._of(self.factor * np.asarray(self.read.value[self.row], float) + self.constant)

    @property
    def untried(self) -> Normalizing:
        """The steps of the row as it is in the model."""
        return self._of(np.asarray(self.read.value[self.row], float))

    def _of(self, row: np.ndarray) -> Normalizing:
        _, gamma, beta = self.tensor.inputs
        return normalizing(row, gamma.value, beta.value, self.op)

    @property
    def op(self) -> LayerNorm:
        """The norm with its settings."""
        assert isinstance(self.tensor.op, LayerNorm)
        return self.tensor.op


def norm_row(
    trace: Trace,
    chosen: NormSettings,
    selected: CellAddress | None = None,
    followed: tuple[str, int] | None = None,
) -> NormRow | None:
    """Return the chosen row; by default the row of the selected number, or the row in focus."""
    paths = norms(trace)
    if not paths:
        return None
    of_followed = [path for path in paths if followed and path.startswith(f"{followed[0]}.")]
    usual = _around(selected, paths) or (of_followed or paths)[0]
    path = chosen.norm if chosen.norm in paths else usual
    tensor = trace[path]
    row = chosen.row
    if row < 0:
        stack = path.partition(".")[0]
        if selected is not None and selected.path.startswith(stack):
            row = selected.row
        else:
            row = row_in_focus(trace, stack, len(tensor.value), followed)
    row = min(row, len(tensor.value) - 1)
    read = shown_tensor(tensor.inputs[0])
    return NormRow(path, row, tensor, read, chosen.constant, chosen.factor)


def _around(selected: CellAddress | None, paths: list[str]) -> str | None:
    """Return the norm of the sublayer that contains the selected number."""
    if selected is None:
        return None
    places = [path for path in paths if selected.path.startswith(path.rpartition(".")[0] + ".")]
    return places[0] if places else None


def norm_data(scenario: Scenario, found: NormRow, step: float) -> dict[str, Any]:
    """Return the data of the component `Normalizing`."""
    steps = found.steps
    width = len(steps.row)
    cells = np.unique(np.linspace(0, width - 1, min(width, MAX_DOTS)).astype(int))
    symbols = [labels.plain(each.symbol) for each in found.tensor.inputs[1:]]
    titles = [
        "the row",
        f"− {_short(steps.mean)}, its mean",
        f"÷ {_short(steps.deviation)}, its deviation",
        f"× {symbols[0]}, learned",
        f"+ {symbols[1]}, learned: the result",
    ]
    means, deviations = steps.steps.mean(axis=1), steps.steps.std(axis=1)
    return {
        "labels": [f"d{k}" for k in cells],
        "cells": cells.tolist(),
        "steps": steps.steps[:, cells].tolist(),
        "lines": [
            {
                "title": f"{title}: mean {_short(mean)}, deviation {_short(deviation)}",
                "mean": float(mean),
                "deviation": float(deviation),
            }
            for title, mean, deviation in zip(titles, means, deviations, strict=True)
        ],
        "settable": [
            *[scenario.can_be_set(found.read.path) and width > 1] * 3,
            *(scenario.can_be_set(each.path) for each in found.tensor.inputs[1:]),
        ],
        "step": step,
        "constant": found.constant,
        "factor": found.factor,
    }


def moved(scenario: Scenario, found: NormRow, line: int, cell: int, value: float) -> Scenario:
    """Return the scenario after a dot was moved on one of the lines.

    A dot on the first three lines sets a number of the row. A dot on the fourth line sets γ, and on
    the last line β, for all rows. Raise ValueError if the row has no such number, or if no number
    moves the dot to the value.
    """
    steps = found.steps
    if cell >= len(steps.row):
        raise ValueError(f"The row has {len(steps.row)} numbers, counted from 0.")
    if line > 2:
        _, gamma, beta = found.tensor.inputs
        if line == 4:
            return scenario.with_value(beta.path, (cell,), value - steps.scaled[cell])
        if abs(steps.standard[cell]) < LEAST:
            raise ValueError("This number is nearly 0, so that no γ moves it.")
        return scenario.with_value(gamma.path, (cell,), value / steps.standard[cell])
    if line == 1:
        value = cell_for_centered(steps.row, cell, value)
    elif line == 2:
        value = cell_for_standard(steps.row, cell, value, found.op)
    untried = (value - found.constant) / found.factor
    return scenario.with_value(found.read.path, (found.row, cell), untried)


def norm_sentence(scenario: Scenario, found: NormRow) -> str:
    """Describe the steps of the row in numbers, and the effect of a trial on the result."""
    now, tried = found.untried, found.steps
    tokens = scenario.axis_tokens.along(found.path, found.tensor.dims[0])
    token = labels.visible([tokens[found.row]])[0] if tokens else str(found.row)
    largest = int(np.abs(tried.row).argmax())
    numbers = tried.steps[:, largest].tolist()
    said = (
        f"The row of {quoted(token or '∅')} has mean {_short(tried.mean)} and deviation "
        f"{_short(tried.deviation)}. Its largest number, d{largest}, is, from line to line, "
        f"{joined([_short(x) for x in numbers])}. "
    )
    if found.constant == 0 and found.factor == 1:
        return said + "However large the numbers were, they leave in the same range."
    done = []
    if found.factor != 1:
        done.append(f"multiplied by {found.factor:g}")
    if found.constant:
        done.append(f"moved by {_short(found.constant)}")
    off = float(np.abs(tried.result - now.result).max())
    if off < 1e-9:
        left = "and the result is the same to the last digit: the norm undoes it"
    else:
        where = "beside the deviation" if found.op.is_sample else "under the root"
        left = (
            f"and no number of the result moves by more than {off:.0e}: the norm undoes it, but "
            f"for ε = {found.op.epsilon:.0e} {where}"
        ).replace("e-0", "e-")
    return f"{said}The row was {' and '.join(done)}, {left}."


def _short(x: float) -> str:
    return fixed(x, 2) if abs(x) < 1000 else f"{x:.2e}".replace("-", "−", 1)
