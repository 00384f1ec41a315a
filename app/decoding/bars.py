"""Selects the likeliest words of a distribution over the vocabulary, and sums up all others."""

from collections.abc import Sequence
from typing import NotRequired, TypedDict

import numpy as np

from .task import display_token

TOP = 8


class Bar(TypedDict):
    """A word: its probability, and its probability after filtering."""

    word: str
    p: float
    chosen: bool
    q: NotRequired[float]
    cut: NotRequired[bool]


class Others(TypedDict):
    """The total of all other words; ``cut`` is the number of them that were filtered out."""

    count: int
    p: float
    q: NotRequired[float]
    cut: NotRequired[int]


class Bars(TypedDict):
    """The likeliest words in descending order, and the others."""

    rows: list[Bar]
    others: Others


def bars(
    vocabulary: Sequence[str],
    before: np.ndarray,
    chosen: int | None = None,
    after: np.ndarray | None = None,
) -> Bars:
    """Return the words with the largest probabilities (V,), always including the chosen token.

    If ``after`` is the distribution after filtering, each bar also has ``q``, its probability in
    ``after``, and ``cut``, whether its word was filtered out.
    """
    order = np.argsort(-before, kind="stable")
    top = order[:TOP]
    if chosen is not None and chosen not in top:
        top = np.array([*top[:-1], chosen])
    rest = np.setdiff1d(order, top, assume_unique=True)
    rows: list[Bar] = [
        {"word": display_token(vocabulary[i]), "p": float(before[i]), "chosen": int(i) == chosen}
        for i in top.tolist()
    ]
    others: Others = {"count": len(rest), "p": float(before[rest].sum())}
    if after is not None:
        for row, i in zip(rows, top, strict=True):
            row["q"], row["cut"] = float(after[i]), bool(after[i] == 0)
        others["q"], others["cut"] = float(after[rest].sum()), int((after[rest] == 0).sum())
    return {"rows": rows, "others": others}
