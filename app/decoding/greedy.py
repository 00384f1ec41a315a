"""Greedy decoding as the page shows it: each step with its distribution."""

from __future__ import annotations

from typing import Any

import numpy as np

from transformer_math.decoding import greedy_decode

from .bars import bars
from .task import DecodingTask, display_token


def greedy(task: DecodingTask) -> dict[str, Any]:
    """What is written, step by step.

    Returns:
        ``given``, the tokens before the first step; ``ids`` and ``tokens`` of what was written;
        ``texts`` after each step; ``steps``, the bars of each; ``log_probability``; ``finished``.
    """
    found = greedy_decode(**task.arguments, keep_probabilities=True)
    assert found.probabilities is not None
    ids = found.ids[0].tolist()
    return {
        **written(task, ids, found.probabilities[0]),
        "finished": bool(found.finished[0]),
        "log_probability": float(found.log_probability[0]),
    }


def written(
    task: DecodingTask, ids: list[int], before: np.ndarray, after: np.ndarray | None = None
) -> dict[str, Any]:
    """A text with the distributions (steps, V) that its tokens came from."""
    left = [None] * len(ids) if after is None else list(after)
    return {
        "given": [display_token(token) for token in task.words((task.start, *task.prefix))],
        "ids": ids,
        "tokens": [display_token(token) for token in task.words(ids)],
        "texts": [task.text((*task.prefix, *ids[: k + 1])) for k in range(len(ids))],
        "steps": [bars(task, p, token, q) for token, p, q in zip(ids, before, left, strict=True)],
    }
