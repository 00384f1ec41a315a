"""Builds the rows of a list of changed numbers, each with a name, values and an effect."""

from collections.abc import Mapping, Sequence
from typing import TypedDict

import numpy as np

from transformer_math import Trace
from transformer_math.experiments import SingleNumber
from transformer_math.ops.expression import Cell
from transformer_math.ops.tensor import Index

from ..explain import labels
from ..model.scenario.scenario import Scenario
from ..typed_text import isolated

MOST = 200  # maximum number of rows in a list


class NumberRow(TypedDict):
    """A changed number."""

    path: str  # of the drawn matrix; ``i`` and ``j`` are row and column
    i: int
    j: int
    name: str  # such as ``W_src^E[black, d3]``
    place: str  # such as ``encoder layer 1, feed-forward network``
    now: float  # before the change
    value: float  # after the change
    sentence: list[str]  # written after the change; empty if unknown
    changed: list[bool]  # whether each of these words differs from before
    length: int  # the number of words before the change


def rows_of_singles(
    scenario: Scenario,
    trace: Trace,
    found: Sequence[SingleNumber],
    written: Sequence[tuple[str, ...]],
) -> list[NumberRow]:
    """Return the rows of single numbers, at most ``MOST``."""
    texts = [*written[:MOST], *[()] * MOST]
    return [
        _row(scenario, trace, one.path, one.cell, one.now, one.value, text)
        for one, text in zip(found[:MOST], texts, strict=False)
    ]


def rows_of_moved(
    scenario: Scenario,
    trace: Trace,
    start: Mapping[str, np.ndarray],
    arrays: Mapping[str, np.ndarray],
) -> list[NumberRow]:
    """Return the rows of the numbers that an experiment changed, the largest change first.

    The scenario and its trace are the result; ``start`` and ``arrays`` have the numbers before and
    after, by stored path.
    """
    moved = [
        (path, tuple(map(int, cell)))
        for path, array in arrays.items()
        for cell in np.argwhere(array != start[path])
    ]
    moves = [abs(float(arrays[path][cell]) - float(start[path][cell])) for path, cell in moved]
    order = np.argsort(-np.array(moves), kind="stable")[:MOST].tolist()
    return [
        _row(scenario, trace, path, cell, float(start[path][cell]), float(arrays[path][cell]), ())
        for path, cell in (moved[k] for k in order)
    ]


def _row(  # noqa: PLR0913 -- one per part of a row
    scenario: Scenario,
    trace: Trace,
    path: str,
    cell: Index,
    now: float,
    value: float,
    target: tuple[str, ...],
) -> NumberRow:
    shown = Cell(trace[path], cell)
    drawn, place = shown.address
    i, j = (0, 0, *place)[-2:]
    words = target[1:]
    old = scenario.target[1:]
    return {
        "path": drawn,
        "i": i,
        "j": j,
        "name": labels.cell_name(scenario.axis_tokens, shown),
        "place": _place(scenario, drawn),
        "now": now,
        "value": value,
        "sentence": [isolated(word) or "∅" for word in words],
        "changed": [k >= len(old) or word != old[k] for k, word in enumerate(words)],
        "length": len(old),
    }


def _place(scenario: Scenario, path: str) -> str:
    """Return the place of a matrix in words; for embeddings and the output, with the stack."""
    last = "decoder" if scenario.settings.decoder_layers else "encoder"
    ends = {
        "source": "encoder, word embeddings",
        "target": "decoder, word embeddings",
        "output": f"{last}, output",
    }
    return ends.get(path.partition(".")[0]) or labels.place_words(path)
