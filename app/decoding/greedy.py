"""Runs greedy decoding, and returns the distribution at each step."""

from typing import TypedDict

import numpy as np

from transformer_math.decoding import greedy_decode

from .bars import Bars, bars
from .task import DecodingTask, display_token


class Steps(TypedDict):
    """A generated text, step by step.

    ``given`` are the tokens before the first step; ``ids`` and ``tokens`` the generated tokens;
    ``opening`` the text before the first step, ``texts`` the whole text after each step; and
    ``steps`` the distribution at each step.
    """

    given: list[str]
    opening: str
    ids: list[int]
    tokens: list[str]
    texts: list[str]
    steps: list[Bars]


class DecodedText(Steps):
    """A generated text, whether it ended with the end token, and its log-probability."""

    finished: bool
    log_probability: float


def greedy(task: DecodingTask) -> DecodedText:
    """Generate the likeliest token at every step."""
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
    """Return the steps of a text, given the distributions (steps, V) of its tokens."""
    words = task.scenario.target_vocabulary
    left = [None] * len(ids) if after is None else list(after)
    return {
        "given": [display_token(token) for token in task.words((task.start, *task.prefix))],
        "opening": task.text(task.prefix),
        "ids": ids,
        "tokens": [display_token(token) for token in task.words(ids)],
        "texts": [task.text((*task.prefix, *ids[: k + 1])) for k in range(len(ids))],
        "steps": [bars(words, p, token, q) for token, p, q in zip(ids, before, left, strict=True)],
    }
