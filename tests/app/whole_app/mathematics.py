"""Computes the numbers of a scenario with `transformer_math` alone, without the app's own pass.

Edited parameters are written into the model's arrays, whereas the app overrides them in a pass.
Silences are set cell by cell, and the written text is found word by word.
"""

import re
from functools import cached_property
from typing import Any

import numpy as np
from tinkerformer.model.inference.silencing import averaged_pairs
from tinkerformer.model.scenario.edits import TOKEN_AXIS
from tinkerformer.model.scenario.limits import MAX_TOKENS
from tinkerformer.model.scenario.scenario import Scenario

from transformer_math import Labels, Trace, Transformer
from transformer_math.ops.tensor import split_head

Cells = dict[tuple[int, ...], float]
CUT = re.compile(r"(\d+)(?:\+(\d+))?(?:,(\d+)(?:\+(\d+))?)?")


class Computed:
    """Return the pass of a scenario; if the model writes the target, first find the target."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = _written(scenario) if scenario.writes_itself else scenario

    @cached_property
    def trace(self) -> Trace:
        return _pass(self.scenario, self.scenario.training)

    @cached_property
    def with_gradients(self) -> Trace:
        trace = _pass(self.scenario, self.scenario.training)
        trace.backward()
        return trace

    def drawn(self, path: str) -> np.ndarray | None:
        """Return a matrix as the board draws it, by its path there; None if it has no numbers."""
        whole, _, part = path.partition("@")
        if whole.rpartition(".")[2] == "pair":
            return self._products(whole, part)
        if whole not in self.trace:
            return None
        return _part(_as_rows(self.trace[whole].value), part)

    def gradient(self, path: str) -> np.ndarray | None:
        whole, _, part = path.partition("@")
        if whole not in self.with_gradients or part == "likeliest":
            return None
        found = self.with_gradients[whole].grad
        shape = _as_rows(self.trace[whole].value).shape
        return _part(np.full(shape, np.nan) if found is None else found.reshape(shape), part)

    def _products(self, whole: str, place: str) -> np.ndarray:
        """Return the products whose sum is the raw score of a query and a key."""
        stored, head = split_head(whole)
        scope = stored.rpartition(".")[0]
        query, key = (int(at) for at in place.split(","))
        rows = [self.trace[f"{scope}.{name}"].value[head] for name in ("q", "k")]
        return (rows[0][query] * rows[1][key])[None]


def _as_rows(value: np.ndarray) -> np.ndarray:
    return value.reshape((1, 1, *value.shape)[-2:])


def _part(values: np.ndarray, part: str) -> np.ndarray:
    if not part:
        return values
    if part == "likeliest":
        return -np.sort(-values, axis=-1, kind="stable")[:, :12]
    if part.startswith("overview"):
        return _overview(values, part.removeprefix("overview"))
    found = CUT.fullmatch(part)
    assert found is not None, part
    row, rows, column, columns = (None if at is None else int(at) for at in found.groups())
    kept = values[row : row + (rows or 1)]
    return kept if column is None else kept[:, column : column + (columns or 1)]


def _overview(values: np.ndarray, block: str) -> np.ndarray:
    """Return the number furthest from 0 in each block of cells."""
    high, wide = map(int, block.split("x")) if block else map(_step, values.shape, (96, 160))
    rows = [slice(at, at + high) for at in range(0, values.shape[0], high)]
    columns = [slice(at, at + wide) for at in range(0, values.shape[1], wide)]
    return np.array([[_furthest(values[r, c]) for c in columns] for r in rows])


def _step(size: int, most: int) -> int:
    step = 1
    while -(-size // step) > most:
        step *= 2
    return step


def _furthest(values: np.ndarray) -> float:
    return float(values.flat[np.abs(values).argmax()])


# -- the pass -------------------------------------------------------------------------------------


def _pass(scenario: Scenario, training: bool) -> Trace:
    model, overridden = _model(scenario), _overridden(scenario)
    return model(
        np.array(scenario.ids("source")),
        np.array(scenario.ids("target")),
        training=training,
        seed=scenario.mask_seed,
        overrides=overridden,
        with_unprojected=True,
        labels=Labels(np.array(scenario.labels()), scenario.settings.label_smoothing),
    )


def _made(scenario: Scenario) -> Transformer:
    """Return the model without edits."""
    words = scenario.source_vocabulary, scenario.target_vocabulary
    seed, weights = scenario.settings.seed, scenario.weights
    if weights is None:
        return Transformer.create(scenario.config, seed, *words)
    return Transformer(scenario.config, weights.parameters(scenario.config, seed, *words))


def _model(scenario: Scenario) -> Transformer:
    made = _made(scenario)
    arrays = {path: array.copy() for path, array in made.parameters.items()}
    for path, cells in _edits(scenario).items():
        for index, value in cells.items():
            if path in arrays:
                arrays[path][index] = value
    return Transformer(scenario.config, arrays)


def _edits(scenario: Scenario) -> dict[str, Cells]:
    """Return path -> edited cells, without the cells that this text does not have."""
    found: dict[str, Cells] = {}
    for edit, value in scenario.edits.items():
        shape, place = scenario.shape(edit.path), list(edit.place)
        axis = TOKEN_AXIS.get(edit.path.rpartition(".")[2])
        if axis is not None:
            words = scenario.vocabulary_of(edit.path)
            place[axis] = words.index(place[axis]) if place[axis] in words else -1
        fits = shape is not None and len(shape) == len(place)
        if fits and all(0 <= at < size for at, size in zip(place, shape, strict=True)):
            found.setdefault(edit.path, {})[tuple(place)] = value
    return found


def _overridden(scenario: Scenario) -> dict[str, Cells]:
    """Return the overridden cells; edits override silences, and narrow silences wide ones."""
    found: dict[str, Cells] = {}
    by_width = sorted(scenario.silences, key=lambda s: (s.row is not None) + (s.column is not None))
    for each in by_width:
        rows, columns = scenario.part_shape(each.path) or (0, 0)
        stored, head = split_head(each.path)
        said = _mean(scenario, stored, head) if each.to == "mean" else np.zeros(columns)
        for i in range(rows):
            for j in range(columns):
                if each.row in (None, i) and each.column in (None, j):
                    at = (i, j) if head is None else (head, i, j)
                    found.setdefault(stored, {})[at] = float(said[j])
    for path, cells in _edits(scenario).items():
        if path not in scenario.config.parameter_shapes():
            found.setdefault(path, {}).update(cells)
    return found


def _mean(scenario: Scenario, stored: str, head: int | None) -> np.ndarray:
    """Return the average row of a part, without edits."""
    model, pairs = _made(scenario), averaged_pairs(scenario)
    texts: list[Any] = [tuple(np.array(scenario.ids(side)) for side in ("source", "target"))]
    if pairs is not None:
        texts = list(pairs.by_length())
    values = [model(*text)[stored].value for text in texts]
    own = [value if head is None else np.take(value, head, axis=-3) for value in values]
    return np.concatenate([x.reshape(-1, x.shape[-1]) for x in own]).astype(float).mean(0)


def _written(scenario: Scenario) -> Scenario:
    """Return the scenario with the target that greedy decoding writes, without dropout."""
    known = scenario.vocabulary
    words: tuple[str, ...] = (known.start or "",)
    most = min(MAX_TOKENS, 2 * len(scenario.source) + 4)
    if scenario.settings.positions == "learned":
        most = min(most, scenario.locked.max_positions)
    while len(words) < most:
        now = scenario.with_written(words)
        logits = _pass(now, False)["output.logits"].value[-1].copy()
        logits[now.vocabulary.forbidden_ids] = -np.inf
        word = now.target_vocabulary[int(logits.argmax())]
        if word == known.end:
            break
        words = (*words, word)
    return scenario.with_written(words)
