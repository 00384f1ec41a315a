"""A distribution over the vocabulary in a few lines: the likeliest words, then all others."""

from __future__ import annotations

from typing import NotRequired, TypedDict

import numpy as np

from .task import DecodingTask, display_token

TOP = 8


class Bar(TypedDict):
    """A word of the distribution: its probability, and what filtering left of it."""

    word: str
    p: float
    chosen: bool
    q: NotRequired[float]
    cut: NotRequired[bool]


class Others(TypedDict):
    """All other words together; ``cut`` is how many of them filtering took away."""

    count: int
    p: float
    q: NotRequired[float]
    cut: NotRequired[int]


class Bars(TypedDict):
    """The likeliest words in order, and the others."""

    rows: list[Bar]
    others: Others


def bars(
    task: DecodingTask,
    before: np.ndarray,
    chosen: int | None = None,
    after: np.ndarray | None = None,
) -> Bars:
    """The largest probabilities (V,), and the chosen token whatever its own is.

    Args:
        task: whose vocabulary it is.
        before: (V,), the distribution.
        chosen: the token that was written.
        after: (V,), what is left of ``before`` once it was filtered; then each row has a ``q``
            besides, and whether it was ``cut``.
    """
    order = np.argsort(-before, kind="stable")
    top = order[:TOP]
    if chosen is not None and chosen not in top:
        top = np.array([*top[:-1], chosen])
    rest = np.setdiff1d(order, top, assume_unique=True)
    rows: list[Bar] = [
        {"word": display_token(word), "p": float(before[i]), "chosen": int(i) == chosen}
        for i, word in zip(top, task.words(top), strict=True)
    ]
    others: Others = {"count": len(rest), "p": float(before[rest].sum())}
    if after is not None:
        for row, i in zip(rows, top, strict=True):
            row["q"], row["cut"] = float(after[i]), bool(after[i] == 0)
        others["q"], others["cut"] = float(after[rest].sum()), int((after[rest] == 0).sum())
    return {"rows": rows, "others": others}
