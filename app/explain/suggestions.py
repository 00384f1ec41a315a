"""What is worth trying on the model that is open, chosen by its own numbers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from transformer_math import Trace

from ..inference.forward_pass import ForwardPassRunner
from ..inference.text import data_of, text_of
from ..matrices import attention
from ..matrices.address import PROBABILITIES, CellAddress
from ..matrices.scale import span
from ..scenario.scenario import Scenario
from ..scenario.vocabulary import Side
from .what_if import likely_answers, response

MAX_WORDS = 2000  # a larger vocabulary is not searched for a word that is like another
MAX_TRIED = 200_000  # parameters of a model of which every column is tried
MAX_EDITS = 2_000  # every pass that is tried reads every edit
TRIED_POINTS = 21  # values that each number of an embedding is tried at
TINY = 1e-9


class Swap(NamedTuple):
    """Another token at a position of one side."""

    side: Side
    position: int
    token: str


class Look(NamedTuple):
    """One row of one head's attention that is to look at a single column.

    Attributes:
        path: of the head's weights.
        row: the query.
        column: the key that it is to look at.
        now: the key that it looks at most.
    """

    path: str
    row: int
    column: int
    now: int


def swap(scenario: Scenario, trace: Trace) -> Swap | None:
    """The exchange of a token for the one most like it, by the angle between their embeddings.

    Where it is known what a text means, both have to mean something, and not the same.
    """
    side = _read_side(scenario)
    tokens = getattr(scenario, side)
    table = f"{side}.W_e"
    known = dict.fromkeys(_real(scenario, scenario.vocabulary.tokens(side)))
    if table not in trace or not 1 < len(known) <= MAX_WORDS:
        return None
    rows = trace[table].value.astype(float)
    rows = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), TINY)
    ids = {token: scenario.vocabulary.row(side, token) for token in known}
    found = [
        (float(rows[ids[token]] @ rows[row]), -at, other)
        for at, token in enumerate(tokens)
        if token in known
        for other, row in ids.items()
        if other != token and row is not None
    ]
    for _, at, other in sorted(found, reverse=True):
        if _means_another(scenario, side, -at, other):
            return Swap(side, -at, other)
    return None


def look(
    scenario: Scenario, trace: Trace, runner: ForwardPassRunner, key: int | None = None
) -> Look | None:
    """The strongest link of the last attention, turned to where that changes the answer most.

    Args:
        scenario: what is on the page.
        trace: its pass.
        runner: whose model is used for what is tried.
        key: the position of the key that is preferred, if a link leads to it.
    """
    scope = _last_attention(trace)
    if scope is None:
        return None
    stacked = trace[f"{scope}.weights"].value
    keys = scenario.source if scope.endswith("cross_attn") else _tokens_of(scenario, scope)
    columns = [at for at, token in enumerate(keys) if _real(scenario, [token])]
    rows = _asked_rows(scenario, scope)
    links = [
        (column == key, float(stacked[head, row, column]), head, row, column)
        for head in range(len(stacked))
        for row in rows
        for column in columns
        if stacked[head, row, column] > 0
    ]
    for _, _, head, row, now in sorted(links, reverse=True):
        path = f"{scope}.head.{head}.weights"
        others = [k for k in columns if keys[k] != keys[now] and stacked[head, row, k] > 0]
        if others:
            best = _most_telling(scenario, trace, runner, path, row, others)
            return Look(path, row, best, now)
    return None


def swing(scenario: Scenario, trace: Trace, token: str) -> CellAddress | None:
    """The number of a token's embedding that moves an answer most; of a large model the largest."""
    side = _read_side(scenario)
    row = scenario.vocabulary.row(side, token)
    path = f"{side}.W_e"
    if row is None or path not in trace:
        return None
    tensor = trace[path]
    numbers = range(tensor.shape[-1])
    if _takes_long(scenario) or PROBABILITIES not in trace:
        return CellAddress(path, row, int(np.abs(tensor.value[row]).argmax()))
    answers = likely_answers(trace[PROBABILITIES].value, scenario.asked, 0)

    def variation(k: int) -> float:
        index = (row, k)
        curve = response(trace, path, index, answers, span(tensor, index), points=TRIED_POINTS)
        return curve.variation

    return CellAddress(path, row, max(numbers, key=variation))


def looking_only(scenario: Scenario, found: Look) -> Scenario:
    """The scenario with the row of a suggestion looking at its column alone."""
    width = len(scenario.source if "cross_attn" in found.path else _tokens_of(scenario, found.path))
    values: dict[tuple[int, ...], float] = {
        (found.row, k): float(k == found.column) for k in range(width)
    }
    return scenario.with_values(found.path, values)


def _takes_long(scenario: Scenario) -> bool:
    """Whether trying a dozen variations of the scenario would take longer than a moment."""
    return scenario.config.parameter_count() > MAX_TRIED or len(scenario.edits) > MAX_EDITS


def _read_side(scenario: Scenario) -> Side:
    return "source" if scenario.settings.encoder_layers else "target"


def _tokens_of(scenario: Scenario, path: str) -> tuple[str, ...]:
    return scenario.source if path.startswith("encoder") else scenario.target


def _real(scenario: Scenario, tokens: tuple[str, ...] | list[str]) -> list[str]:
    """Those that are words or characters, and no marks of the vocabulary."""
    known = scenario.vocabulary
    marks = ("", known.start, known.end, known.pad)
    return [t for t in tokens if t not in marks and not (t[:1] == "<" and t[-1:] == ">")]


def _means_another(scenario: Scenario, side: Side, at: int, token: str) -> bool:
    data = data_of(scenario)
    if data is None or side != "source":
        return True
    tokens = [*scenario.source[:at], token, *scenario.source[at + 1 :]]
    try:
        now = data.translate(text_of(scenario))
    except ValueError:
        return True  # nobody knows what it means now, either
    try:
        return now is None or data.translate(text_of(scenario.with_tokens(side, tokens))) != now
    except ValueError:
        return False


def _last_attention(trace: Trace) -> str | None:
    known = attention.scopes(trace)
    crossing = [scope for scope in known if scope.endswith("cross_attn")]
    return next(reversed(crossing or known), None)


def _asked_rows(scenario: Scenario, scope: str) -> list[int]:
    """The rows from which a word is predicted that is no mark."""
    tokens = _tokens_of(scenario, scope)
    if scope.startswith("encoder"):
        return [at for at, token in enumerate(tokens) if _real(scenario, [token])]
    return [at for at, token in enumerate(tokens[1:]) if _real(scenario, [token])]


def _most_telling(
    scenario: Scenario,
    trace: Trace,
    runner: ForwardPassRunner,
    path: str,
    row: int,
    columns: list[int],
) -> int:
    """The column that changes what the row predicts most; of a large model none is tried."""
    if _takes_long(scenario) or PROBABILITIES not in trace:
        return columns[-1]
    now = trace[PROBABILITIES].value[row]
    trials = ForwardPassRunner(beside=runner)

    def change(column: int) -> float:
        there = trials.trace(looking_only(scenario, Look(path, row, column, column)))
        return float(np.abs(there[PROBABILITIES].value[row] - now).sum())

    return max(columns, key=change)
