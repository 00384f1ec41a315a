"""Greedy decoding as the page shows it: each step with its distribution."""

from __future__ import annotations

from typing import TypedDict

import numpy as np

from transformer_math.decoding import greedy_decode

from .bars import Bars, bars
from .task import DecodingTask, display_token


class Steps(TypedDict):
    """A text, step by step.

    ``given`` are the tokens before the first step; ``ids`` and ``tokens`` what was written;
    ``texts`` what that is after each step, and ``steps`` the distribution of each.
    """

    given: list[str]
    ids: list[int]
    tokens: list[str]
    texts: list[str]
    steps: list[Bars]


class DecodedText(Steps):
    """The same with whether it came to an end, and its log-probability under the model."""

    finished: bool
    log_probability: float


def greedy(task: DecodingTask) -> DecodedText:
    """What is written when the likeliest token is taken at every step."""
    found = greedy_decode(**task.arguments, keep_probabilities=True)
    assert found.probabilities is not None
    ids = found.ids[0].tolist()
    return {
        **steps_of(task, ids, found.probabilities[0]),
        "finished": bool(found.finished[0]),
        "log_probability": float(found.log_probability[0]),
    }


def steps_of(
    task: DecodingTask, ids: list[int], before: np.ndarray, after: np.ndarray | None = None
) -> Steps:
    """A text with the distributions (steps, V) that its tokens came from."""
    left = [None] * len(ids) if after is None else list(after)
    return {
        "given": [display_token(token) for token in task.words((task.start, *task.prefix))],
        "ids": ids,
        "tokens": [display_token(token) for token in task.words(ids)],
        "texts": [task.text((*task.prefix, *ids[: k + 1])) for k in range(len(ids))],
        "steps": [bars(task, p, token, q) for token, p, q in zip(ids, before, left, strict=True)],
    }
