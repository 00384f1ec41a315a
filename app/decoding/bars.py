"""A distribution over the vocabulary in a few lines: the likeliest words, then all others."""

from __future__ import annotations

from typing import Any

import numpy as np

from .task import DecodingTask, display_token

TOP = 8


def bars(
    task: DecodingTask,
    before: np.ndarray,
    chosen: int | None = None,
    after: np.ndarray | None = None,
) -> dict[str, Any]:
    """The largest probabilities (V,), and the chosen token whatever its own is.

    Args:
        chosen: the token that was written.
        after: (V,), what is left of ``before`` once it was filtered.

    Returns:
        ``rows`` with ``word``, ``p`` and whether it is ``chosen``, the likeliest first; ``others``
        with how many they are (``count``) and their ``p`` together. With ``after`` each has a
        ``q`` besides, and tells what was ``cut``.
    """
    order = np.argsort(-before, kind="stable")
    top = order[:TOP]
    if chosen is not None and chosen not in top:
        top = np.array([*top[:-1], chosen])
    rest = np.setdiff1d(order, top, assume_unique=True)
    rows = [
        {"word": display_token(word), "p": float(before[i]), "chosen": int(i) == chosen}
        for i, word in zip(top, task.words(top), strict=True)
    ]
    others: dict[str, Any] = {"count": len(rest), "p": float(before[rest].sum())}
    if after is not None:
        for row, i in zip(rows, top, strict=True):
            row |= {"q": float(after[i]), "cut": bool(after[i] == 0)}
        others |= {"q": float(after[rest].sum()), "cut": int((after[rest] == 0).sum())}
    return {"rows": rows, "others": others}
