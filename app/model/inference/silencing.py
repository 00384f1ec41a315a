"""The overrides of a scenario's pass: edited cells and ablated parts.

Mean ablation uses the means of the unedited model, so that the means depend only on the parameters
and stay fixed while a cell is edited or swept. The means are taken over held-out pairs if the model
has training data, otherwise over the rows of its text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from transformer_math import Trace, Transformer
from transformer_math.experiments import mean_values
from transformer_math.graph.overrides import Overrides
from transformer_math.ops.tensor import Index

from ..scenario.matrix_address import matrix_address
from ..scenario.scenario import Scenario
from ..scenario.silences import MEAN, Silence, is_of_tokens
from .held_out import HeldOut, held_out

MOST_PAIRS = 200  # maximum number of pairs that a mean is taken over
_WORK = 40_000_000  # maximum multiply-adds of the passes over these pairs
_KEPT = 1_000  # maximum number of cached means, one for each tensor and text

Cells = dict[Index, float]


def averaged_pairs(scenario: Scenario) -> HeldOut | None:
    """Return the pairs that means are taken over; None if means are taken over the text."""
    found = held_out(scenario, 1)
    if found is None:
        return None
    tokens = found.source.shape[1] + found.target.shape[1]
    each = tokens * scenario.config.parameter_count()
    return held_out(scenario, max(8, min(MOST_PAIRS, _WORK // each)))


def reads_ahead(scenario: Scenario) -> bool:
    """Return whether an ablation to a mean over the text makes positions depend on later words."""
    return any(
        each.to == MEAN and each.path.startswith(("decoder.", "target."))
        for each in scenario.silences
    ) and (averaged_pairs(scenario) is None)


class Averages:
    """The mean activations of one model's tensors, computed on demand and cached."""

    def __init__(self) -> None:
        self._model: Transformer | None = None
        self._known: dict[object, np.ndarray] = {}

    def copy(self) -> Averages:
        """Return a copy for use in another thread."""
        other = Averages()
        other._model, other._known = self._model, {**self._known}
        return other

    def of(
        self, scenario: Scenario, model: Transformer, paths: Iterable[str]
    ) -> Mapping[str, np.ndarray]:
        """Return the mean row (columns,) of each path, in the model before any edit."""
        if model is not self._model or len(self._known) > _KEPT:
            self._model, self._known = model, {}
        pairs = averaged_pairs(scenario)
        text = None if pairs is not None else (scenario.source, scenario.target)
        wanted = list(dict.fromkeys(paths))
        matrices = [matrix_address(path) for path in wanted]
        if any((text, matrix.stored) not in self._known for matrix in matrices):
            passes = [model(*scenario.inputs)] if pairs is None else list(_passes(model, pairs))
            every = [path for path in passes[0].tensors if is_of_tokens(path)]
            found = mean_values(passes, every)
            self._known |= {(text, path): found[path] for path in every}
        rows = {}
        for path, stored, head in matrices:
            mean = self._known[text, stored]
            rows[path] = mean if head is None else mean[head]
        return rows


def overrides(scenario: Scenario, model: Transformer, averages: Averages) -> Overrides:
    """Return all overrides of a scenario's pass, in the form that ``transformer_math`` takes.

    If several ablations set the same cell, the narrowest takes precedence; edits take precedence
    over ablations.
    """
    edited = scenario.overrides()
    if not scenario.silences:
        return edited
    arrays, cells = silenced(scenario, model, averages)
    for path, edits in edited.items():
        cells.setdefault(path, {}).update(edits)
    found: dict[str, np.ndarray | Cells] = dict(arrays)
    for path, numbers in cells.items():
        whole = arrays.get(path)
        if whole is None:
            found[path] = numbers
        else:
            for index, number in numbers.items():
                whole[index] = number
    return found


def silenced(
    scenario: Scenario, model: Transformer, averages: Averages
) -> tuple[dict[str, np.ndarray], dict[str, Cells]]:
    """Return ablated whole matrices by path, and other ablated parts as cells of stored tensors."""
    parts = [each for each in scenario.silences if _is_in_text(scenario, each)]
    means = averages.of(scenario, model, [each.path for each in parts if each.to == MEAN])
    arrays: dict[str, np.ndarray] = {}
    cells: dict[str, Cells] = {}
    for each in sorted(parts, key=lambda part: (part.row is not None) + (part.column is not None)):
        rows, columns = scenario.part_shape(each.path) or (0, 0)
        said = means[each.path] if each.to == MEAN else np.zeros(columns)
        if each.is_whole:
            arrays[each.path] = np.broadcast_to(said, (rows, columns)).copy()
            continue
        matrix = each.matrix
        found = cells.setdefault(matrix.stored, {})
        for i in range(rows) if each.row is None else (each.row,):
            for j in range(columns) if each.column is None else (each.column,):
                found[*matrix.front, i, j] = float(said[j])
    return arrays, cells


def _is_in_text(scenario: Scenario, silence: Silence) -> bool:
    """Return whether the present text contains the ablated part."""
    shape = scenario.part_shape(silence.path)
    if shape is None:
        return False
    row, column = silence.row or 0, silence.column or 0
    return row < shape[0] and column < shape[1]


def _passes(model: Transformer, pairs: HeldOut) -> Iterable[Trace]:
    has = bool(model.config.encoder_layers), bool(model.config.decoder_layers)
    for each in pairs.by_length():
        source, target = (ids if read else None for ids, read in zip(each, has, strict=True))
        yield model(source, target)
