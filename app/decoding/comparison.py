"""Compares training with inference: teacher forcing against free decoding (Sections 3.1 and 5)."""

import dataclasses
from typing import Literal, NamedTuple, TypedDict

import numpy as np

from transformer_math.decoding import greedy_decode
from transformer_math.ops import softmax

from ..model.inference.right_text import right_target
from .task import DecodingTask, display_token

# The source of the reference: the data, the model's own output, or the user's text.
RightOf = Literal["data", "model", "reader"]


class Prediction(TypedDict):
    """The token given to the decoder at a position, and the predicted next token."""

    given: str
    word: str
    p: float
    is_right: bool | None  # None without a reference


class Position(TypedDict):
    """A position under teacher forcing and in free decoding; predictions after the end are None."""

    right: str | None
    forced: Prediction | None
    free: Prediction | None


class Comparison(TypedDict):
    """All positions, and the numbers of correct predictions; ``of`` counts the references.

    ``first`` is the position of the first error in free decoding, ``text`` the decoded text.
    """

    right_of: RightOf
    rows: list[Position]
    of: int
    forced: int
    free: int
    first: int | None
    finished: bool
    text: str


def comparison(task: DecodingTask) -> Comparison:
    """Predict each position under teacher forcing (``forced``) and in free decoding (``free``).

    The target is shifted right: at each position the decoder has read the tokens up to it, and the
    reference is the next token. The reference after the last token is the expected word, by default
    the end token. Padding and positions after the end have no reference.

    If the model generated the target but the data contain the right translation, that translation
    replaces the target in teacher forcing and as reference.
    """
    right_of, target, rights = _lesson(task)
    logits = task.model.logits(task.source, target)
    forced = _column(task, target, softmax(logits.astype(np.float64)), rights)
    arguments = task.arguments
    # Start from the same first token as under teacher forcing.
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
    # Positions that free decoding did not reach count as errors.
    return {
        "right_of": right_of,
        "rows": rows,
        "of": sum(right is not None for right in rights),
        "forced": sum(cell["is_right"] is True for cell in forced),
        "free": sum(cell["is_right"] is True for cell in free),
        "first": next((k for k, cell in enumerate(free) if cell["is_right"] is False), None),
        "finished": bool(written.finished[0]),
        "text": task.text(ids),
    }


class _Lesson(NamedTuple):
    """The decoder input under teacher forcing, and the reference at each of its positions."""

    right_of: RightOf
    target: list[int]
    rights: list[int | None]


def _lesson(task: DecodingTask) -> _Lesson:
    scenario = task.scenario
    words = right_target(scenario) if scenario.writes_itself else None
    if words is not None and _has_room(task, 1 + len(words)):
        known = scenario.target_vocabulary
        ids = [known.index(word) for word in words]
        return _Lesson("data", [task.start, *ids], [*ids, task.end])
    target = scenario.ids("target")
    right_of: RightOf = "model" if scenario.writes_itself else "reader"
    return _Lesson(right_of, target, _references(task, target))


def _has_room(task: DecodingTask, length: int) -> bool:
    config = task.model.config
    return config.positions != "learned" or length <= config.max_positions


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
