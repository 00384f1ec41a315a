"""Chooses experiments that are worth trying on a model, from its numbers."""

from typing import Any, NamedTuple

import numpy as np

from transformer_math import Trace
from transformer_math.graph.sweep import sweep_by

from ..model.inference.text import data_of, text_of
from ..model.matrices import attention
from ..model.matrices.address import PROBABILITIES
from ..model.scenario.scenario import Scenario
from ..model.scenario.silences import unheard_heads
from ..model.scenario.vocabulary import Side

MAX_WORDS = 2000  # a larger vocabulary is not searched for similar words
MAX_TRIED = 200_000  # in a model with more parameters, columns are not tried
TINY = 1e-9


class Swap(NamedTuple):
    """The replacement of a token at a position of one side."""

    side: Side
    position: int
    token: str


class Look(NamedTuple):
    """One row of a head's attention, to be replaced by attention to a single key."""

    path: str  # the path of the head's weights
    row: int  # the query
    column: int  # the only key that the row attends to afterward
    now: int  # the key that the row attends to most at present


def swap(scenario: Scenario, trace: Trace) -> Swap | None:
    """Return the replacement of a token by the token with the most similar embedding, by angle.

    If the present text has a known answer, the new text must have another one.
    """
    side = scenario.first_side
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
    scenario: Scenario,
    trace: Trace,
    key: int | None = None,
    row: int | None = None,
) -> Look | None:
    """Return the last attention's strongest link, moved to the key that changes the answer most.

    Silenced heads are left out. A link to ``key`` is preferred. Without a ``row``, the link may
    start at any row that writes a word.
    """
    count = scenario.settings.heads
    scope = attention.last_attention(
        trace, is_wanted=lambda each: len(unheard_heads(scenario.silences, each, count)) < count
    )
    if scope is None:
        return None
    stacked = trace[f"{scope}.weights"].value
    keys = scenario.source if scope.endswith("cross_attn") else _tokens_of(scenario, scope)
    columns = [at for at, token in enumerate(keys) if _real(scenario, [token])]
    is_given = row is not None and row < stacked.shape[1]
    rows = [row] if row is not None and is_given else _asked_rows(scenario, scope)
    links = [
        (column == key, float(stacked[head, at, column]), head, at, column)
        for head in range(len(stacked))
        for at in rows
        if head not in unheard_heads(scenario.silences, scope, len(stacked), at)
        for column in columns
        if stacked[head, at, column] > 0
    ]
    for _, _, head, at, now in sorted(links, reverse=True):
        path = f"{scope}.head.{head}.weights"
        others = [k for k in columns if keys[k] != keys[now] and stacked[head, at, k] > 0]
        if others:
            best = _most_telling(scenario, trace, path, at, others)
            return Look(path, at, best, now)
    return None


def looking_only(scenario: Scenario, found: Look) -> Scenario:
    """Return the scenario in which the row of a suggestion attends only to its column."""
    return scenario.with_values(found.path, _only(scenario, found))


def is_tried(scenario: Scenario, found: Look) -> bool:
    """Return whether a scenario has the weights of a suggestion."""
    edits, wanted = scenario.edits, _only(scenario, found)
    try:
        return all(edits.get(scenario.edit_at(found.path, at)) == x for at, x in wanted.items())
    except ValueError:  # the model or the text has no such row
        return False


def _only(scenario: Scenario, found: Look) -> dict[tuple[int, ...], float]:
    """Return the weights of a suggestion by row and column."""
    width = len(scenario.source if "cross_attn" in found.path else _tokens_of(scenario, found.path))
    return {(found.row, k): float(k == found.column) for k in range(width)}


def _tokens_of(scenario: Scenario, path: str) -> tuple[str, ...]:
    return scenario.source if path.startswith("encoder") else scenario.target


def _real(scenario: Scenario, tokens: tuple[str, ...] | list[str]) -> list[str]:
    """Return the tokens that are words or characters rather than special tokens."""
    known = scenario.vocabulary
    marks = ("", known.start, known.end, known.pad)
    return [t for t in tokens if t not in marks and not (t[:1] == "<" and t[-1:] == ">")]


def _means_another(scenario: Scenario, side: Side, at: int, token: str) -> bool:
    data = data_of(scenario)
    if data is None or side != "source":
        return True
    tokens = [*scenario.source[:at], token, *scenario.source[at + 1 :]]
    try:
        now = data.answers(text_of(scenario))
    except ValueError:
        return True  # the present text has no answer to compare with
    try:
        return not now or data.answers(text_of(scenario.with_tokens(side, tokens))) != now
    except ValueError:
        return False


def _asked_rows(scenario: Scenario, scope: str) -> list[int]:
    """Return the rows whose predicted word is not a special token."""
    tokens = _tokens_of(scenario, scope)
    if scope.startswith("encoder"):
        return [at for at, token in enumerate(tokens) if _real(scenario, [token])]
    return [at for at, token in enumerate(tokens[1:]) if _real(scenario, [token])]


def _most_telling(scenario: Scenario, trace: Trace, path: str, row: int, columns: list[int]) -> int:
    """Return the column that changes the row's prediction most; in a large model, the last."""
    if scenario.config.parameter_count() > MAX_TRIED or PROBABILITIES not in trace:
        return columns[-1]
    weights, index = trace.locate(path, (row, 0))
    looks = np.eye(weights.shape[-1])[columns]

    where: tuple[Any, ...] = (slice(None), *index[:-1])

    def look_only(frames: np.ndarray) -> None:
        frames[where] = looks

    now = trace[PROBABILITIES].value[row]
    there = sweep_by(trace, len(columns), {weights.path: look_only})[PROBABILITIES].value
    return columns[int(np.abs(there[..., row, :] - now).sum(axis=-1).argmax())]
