"""Training against inference: given the right words, and given its own (Sections 3.1 and 5)."""

from __future__ import annotations

import dataclasses
from typing import TypedDict

import numpy as np

from transformer_math.decoding import greedy_decode
from transformer_math.ops import softmax

from .task import DecodingTask, display_token


class Prediction(TypedDict):
    """What the decoder predicts at a position, after the word it was given there."""

    given: str
    word: str
    p: float
    is_right: bool | None  # None: there is no right answer


class Position(TypedDict):
    """A position in both ways; None where one of them has no such position."""

    right: str | None
    forced: Prediction | None
    free: Prediction | None


class Comparison(TypedDict):
    """All positions, and how many predictions are right ``of`` how many.

    ``first`` is the position of the first wrong one in inference; ``text`` is what it wrote.
    """

    rows: list[Position]
    of: int
    forced: int
    free: int
    first: int | None
    finished: bool
    text: str


def comparison(task: DecodingTask) -> Comparison:
    """What the decoder is given and predicts at each position, in both ways.

    The target is shifted right: at a position the decoder has read the tokens up to it, and the
    right answer is the next one; after the last token it is what is expected to come next, by
    default the end. Padding and what follows an end have no right answer.
    """
    target = task.scenario.ids("target")
    rights = _references(task, target)
    logits = task.model(task.source, target)["output.logits"].value
    forced = _column(task, target, softmax(logits.astype(np.float64)), rights)
    arguments = task.arguments
    # From the same first token as in training.
    arguments["decoding"] = dataclasses.replace(arguments["decoding"], prefix=())
    written = greedy_decode(**arguments, keep_probabilities=True)
    assert written.probabilities is not None
    ids = written.ids[0].tolist()
    free = _column(task, [task.start, *ids[:-1]], written.probabilities[0], rights)
    count = max(len(forced), len(free))
    rows: list[Position] = [
        {
            "right": None if k >= len(rights) or rights[k] is None else _display(task, rights[k]),
            "forced": forced[k] if k < len(forced) else None,
            "free": free[k] if k < len(free) else None,
        }
        for k in range(count)
    ]
    # What inference did not come to write is not right either.
    return {
        "rows": rows,
        "of": sum(right is not None for right in rights),
        "forced": sum(cell["is_right"] is True for cell in forced),
        "free": sum(cell["is_right"] is True for cell in free),
        "first": next((k for k, cell in enumerate(free) if cell["is_right"] is False), None),
        "finished": bool(written.finished[0]),
        "text": task.text(ids),
    }


def _references(task: DecodingTask, target: list[int]) -> list[int | None]:
    vocabulary = task.scenario.target_vocabulary
    at = {token: i for i, token in enumerate(vocabulary)}
    padding = task.model.config.target_pad
    rights = [at[word] for word in task.scenario.label_tokens]
    return [
        None if given == task.end or right == padding else right
        for given, right in zip(target, rights, strict=True)
    ]


def _column(
    task: DecodingTask, given: list[int], probabilities: np.ndarray, rights: list[int | None]
) -> list[Prediction]:
    found: list[Prediction] = []
    for k, (token, row) in enumerate(zip(given, probabilities, strict=True)):
        best = int(row.argmax())
        right = rights[k] if k < len(rights) else None
        found.append(
            {
                "given": _display(task, token),
                "word": _display(task, best),
                "p": float(row[best]),
                "is_right": None if right is None else best == right,
            }
        )
    return found


def _display(task: DecodingTask, token: int | None) -> str:
    return "" if token is None else display_token(task.words([token])[0])
