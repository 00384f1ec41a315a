"""The word that the page opens with: the one whose way through the model shows the most."""

from typing import NamedTuple

import numpy as np

from transformer_math import Trace

from ..scenario.scenario import Scenario
from ..scenario.silences import unheard_heads
from .attention import scopes


class TellingWord(NamedTuple):
    """A position of a stack that clearly attends out of order.

    Attributes:
        stack: ``encoder`` or ``decoder``.
        position: of the query.
    """

    stack: str
    position: int


def telling_word(trace: Trace, words: int) -> TellingWord | None:
    """The query that most clearly attends to a key before that of the query before it.

    Such a word is written in another order than it was read. Where none is, the query with the
    largest weight off the diagonal. Read off the last cross-attention, or else the last attention.

    Args:
        trace: a forward pass.
        words: how many queries count; the last ones may write the end of the sentence.

    Returns:
        None if the model has no attention, or no query attends to another position.
    """
    known = scopes(trace)
    crossing = [scope for scope in known if scope.endswith("cross_attn")]
    if not known:
        return None
    scope = (crossing or known)[-1]
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
    """The position of the source that a row of the decoder attends to most.

    The largest weight of a head of the last cross-attention decides, which the caption of the
    picture names first; heads that are silenced in the row do not count.

    Args:
        scenario: what is silenced.
        trace: its forward pass.
        query: the row of the decoder.

    Returns:
        None without cross-attention, or if there is no such row, or no head counts in it.
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
