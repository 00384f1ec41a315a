"""Chooses the word that the page follows at first, by the order in which the model reads."""

from typing import NamedTuple

import numpy as np

from transformer_math import Trace

from ..scenario.scenario import Scenario
from ..scenario.silences import unheard_heads
from .attention import last_attention, scopes


class TellingWord(NamedTuple):
    """A position of a stack that clearly attends to another position."""

    stack: str  # ``encoder`` or ``decoder``
    position: int


def telling_word(trace: Trace, words: int) -> TellingWord | None:
    """Return the query that most clearly attends to an earlier key than the previous query does.

    There the order of the output differs from that of the input. Without a query of this kind,
    return the query with the largest weight off the diagonal. Use the last cross-attention, or else
    the last attention. Only the first ``words`` queries count; later queries may predict the end of
    the sentence. None if the model has no attention, or no query attends to another position.
    """
    scope = last_attention(trace)
    if scope is None:
        return None
    weights = np.max(trace[f"{scope}.weights"].value, axis=0)[:words]
    keys, strengths = weights.argmax(axis=1), weights.max(axis=1)
    is_back = np.append(False, keys[1:] < keys[:-1])
    scores = np.where(is_back, np.minimum(strengths, np.roll(strengths, 1)), 0.0)
    if not is_back.any():
        scores = np.where(np.eye(*weights.shape) == 1, 0.0, weights).max(axis=1)
    if not np.any(scores > 0):
        return None
    return TellingWord(scope.partition(".")[0], int(scores.argmax()))


def most_read(scenario: Scenario, trace: Trace, query: int) -> int | None:
    """Return the position of the source that a row of the decoder attends to most.

    This is the key with the largest weight of any head of the last cross-attention, which the
    picture's caption names first; heads that are silenced in the row do not count. None if no head
    is left, or if there is no cross-attention or no such row.
    """
    crossing = [scope for scope in scopes(trace) if scope.endswith("cross_attn")]
    if not crossing:
        return None
    weights = trace[f"{crossing[-1]}.weights"].value
    heads, queries, keys = weights.shape
    if query >= queries:
        return None
    unheard = unheard_heads(scenario.silences, crossing[-1], heads, query)
    heard = weights[[head for head in range(heads) if head not in unheard], query]  # (head, key)
    return int(heard.argmax()) % keys if len(heard) else None
