"""What is set in the pass of a scenario: cells that were edited, and parts that are silenced.

What a part says on average is asked of the model as it was made or learned, without edits: so it
stays the same whatever is slid and swept, and depends on the parameters alone. Of a model with
pairs to learn from the average is over pairs that it has not seen, of another one over the rows of
its text.
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

MOST_PAIRS = 200  # that an average is over
_WORK = 40_000_000  # products of a parameter and a token that it may take
_KEPT = 1_000  # averages, of so many tensors and texts

Cells = dict[Index, float]


def averaged_pairs(scenario: Scenario) -> HeldOut | None:
    """The pairs that averages are over; None where they are over the rows of the text."""
    found = held_out(scenario, 1)
    if found is None:
        return None
    tokens = found.source.shape[1] + found.target.shape[1]
    each = tokens * scenario.config.parameter_count()
    return held_out(scenario, max(8, min(MOST_PAIRS, _WORK // each)))


def reads_ahead(scenario: Scenario) -> bool:
    """Whether what is silenced depends on words that come later: by an average over the text."""
    return any(
        each.to == MEAN and each.path.startswith(("decoder.", "target."))
        for each in scenario.silences
    ) and (averaged_pairs(scenario) is None)


class Averages:
    """What the parts of one model say on average, found when first asked for."""

    def __init__(self) -> None:
        self._model: Transformer | None = None
        self._known: dict[object, np.ndarray] = {}

    def copy(self) -> Averages:
        """The same, to find more of them in another thread."""
        other = Averages()
        other._model, other._known = self._model, {**self._known}
        return other

    def of(
        self, scenario: Scenario, model: Transformer, paths: Iterable[str]
    ) -> Mapping[str, np.ndarray]:
        """Path -> (columns,), the average row.

        Args:
            scenario: its data and its text.
            model: before any edit.
            paths: of parts that can be silenced.
        """
        if model is not self._model or len(self._known) > _KEPT:
            self._model, self._known = model, {}
        pairs = averaged_pairs(scenario)
        text = None if pairs is not None else (scenario.source, scenario.target)
        wanted = list(dict.fromkeys(paths))
        matrices = [matrix_address(path) for path in wanted]
        if any((text, matrix.stored) not in self._known for matrix in matrices):
            passes = [_pass(scenario, model)] if pairs is None else list(_passes(model, pairs))
            every = [path for path in passes[0].tensors if is_of_tokens(path)]
            found = mean_values(passes, every)
            self._known |= {(text, path): found[path] for path in every}
        rows = {}
        for path, stored, head in matrices:
            mean = self._known[text, stored]
            rows[path] = mean if head is None else mean[head]
        return rows


def overrides(scenario: Scenario, model: Transformer, averages: Averages) -> Overrides:
    """All that is set in a scenario's pass, as the mathematics takes it.

    Of two that set the same cell the narrower one does: a part of a part, and an edit before all.
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
    """Whole matrices by their paths, and single rows and columns as cells of stored tensors."""
    parts = [each for each in scenario.silences if _rests_not(scenario, each)]
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


def _rests_not(scenario: Scenario, silence: Silence) -> bool:
    """Whether this text has what is silenced."""
    shape = scenario.part_shape(silence.path)
    if shape is None:
        return False
    row, column = silence.row or 0, silence.column or 0
    return row < shape[0] and column < shape[1]


def _pass(scenario: Scenario, model: Transformer) -> Trace:
    ids = (np.array(scenario.ids(side)) for side in ("source", "target"))
    return model(*ids)


def _passes(model: Transformer, pairs: HeldOut) -> Iterable[Trace]:
    return (model(*ids) for ids in pairs.by_length())
