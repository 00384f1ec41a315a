"""What the model writes while a number swings: a sentence for each of its values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from transformer_math import Trace, sweep
from transformer_math.ops.softmax import softmax
from transformer_math.ops.tensor import Index

from ..scenario.scenario import Scenario
from .forward_pass import ForwardPassRunner
from .writing import LOGITS, looks_ahead, written_limit


class WrittenFrame(NamedTuple):
    """A sentence, the start first, the probability of each word (None of the start), its end.

    ``end`` is the probability of the end after the last word; None if the model did not come to it.
    """

    words: tuple[str, ...]
    probabilities: tuple[float | None, ...]
    end: float | None = None


class _Guess:
    """What may be written at one value: so many of its words are known to be right."""

    def __init__(self, words: tuple[str, ...]) -> None:
        self.words, self.sure, self.frame = words, 1, WrittenFrame((), ())


def written_frames(
    scenario: Scenario,
    runner: ForwardPassRunner,
    path: str,
    index: Index,
    values: Sequence[float],
) -> list[WrittenFrame]:
    """The sentence that the model writes at each value (T,) of one cell.

    Values at which the same words are guessed are computed together, in one sweep; see
    ``with_written_target`` for how a guess becomes what is written.

    Args:
        scenario: its target is the first guess.
        runner: of passes that are not on the page.
        path: of the matrix whose cell swings, perhaps of one head.
        index: the cell, without leading axes.
        values: what it is set to.
    """
    start = scenario.vocabulary.start or ""
    known = scenario.with_written((start,)).vocabulary
    first = tuple(t for t in scenario.target if known.row("target", t) is not None) or (start,)
    guesses = [_Guess(first) for _ in values]
    is_ahead = looks_ahead(scenario)
    waiting = list(range(len(values)))
    while waiting:
        alike: dict[tuple[str, ...], list[int]] = {}
        for k in waiting:
            guess = guesses[k]
            if is_ahead:
                guess.words = guess.words[: guess.sure]
            alike.setdefault(guess.words, []).append(k)
        for words, members in alike.items():
            logits = _swept(scenario.with_written(words), runner, path, index, values, members)
            for k, rows in zip(members, logits, strict=True):
                if _go_on(scenario.with_written(words), guesses[k], rows):
                    waiting.remove(k)
    return [guess.frame for guess in guesses]


def _swept(
    scenario: Scenario,
    runner: ForwardPassRunner,
    path: str,
    index: Index,
    values: Sequence[float],
    members: list[int],
) -> np.ndarray:
    """The logits (len(members), m, V); where the sentence has no such cell it rests."""
    trace: Trace = runner.trace(scenario)
    still = trace[LOGITS].value
    try:
        trace = sweep(trace, path, index, [values[k] for k in members])
    except (KeyError, ValueError):
        return np.broadcast_to(still, (len(members), *still.shape))
    found = trace[LOGITS].value
    return np.broadcast_to(found, (len(members), *still.shape))


def _go_on(scenario: Scenario, guess: _Guess, logits: np.ndarray) -> bool:
    """Take over what a pass says of a guess; whether all of it is known now."""
    rows = np.nan_to_num(logits, nan=-np.inf)
    if scenario.vocabulary.forbidden_ids:
        rows = rows.copy()
        rows[:, scenario.vocabulary.forbidden_ids] = -np.inf
    vocabulary, words = scenario.target_vocabulary, guess.words
    best = [vocabulary[k] for k in rows.argmax(-1).tolist()]
    while guess.sure < len(words) and words[guess.sure] == best[guess.sure - 1]:
        guess.sure += 1
    is_over = guess.sure >= written_limit(scenario)
    is_finished = best[guess.sure - 1] == scenario.vocabulary.end
    if is_over or is_finished:
        ids = [*scenario.ids("target")[1 : guess.sure], int(rows[guess.sure - 1].argmax())]
        numbers = softmax(logits.astype(float))[np.arange(len(ids)), ids].tolist()
        end = numbers.pop()
        found = (None, *numbers)
        guess.frame = WrittenFrame(words[: guess.sure], found, end if is_finished else None)
        return True
    guess.words = (*words[: guess.sure], best[guess.sure - 1], *words[guess.sure + 1 :])
    guess.sure += 1
    return False
