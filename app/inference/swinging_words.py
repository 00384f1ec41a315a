"""The sentence that the model writes at each value of an oscillating cell."""

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
    """A generated sentence, its words' probabilities, and the probability of its end.

    The sentence begins with the start token, whose probability is None. ``end`` is the probability
    of the end token after the last word; None if the model did not finish.
    """

    words: tuple[str, ...]
    probabilities: tuple[float | None, ...]
    end: float | None = None


class _Guess:
    """A guess at the sentence for one value, and how many of its leading words are confirmed."""

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

    Values with the same guess are computed together in one sweep; ``with_written_target`` explains
    how guesses are refined.

    Args:
        scenario: its target is the first guess.
        runner: a runner other than the page's own.
        path: the matrix, or the head of one, whose cell oscillates.
        index: the cell, without leading axes.
        values: the values that the cell takes.
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
    """The logits (len(members), m, V); all alike if the sentence does not have the cell."""
    trace: Trace = runner.trace(scenario)
    still = trace[LOGITS].value
    try:
        trace = sweep(trace, path, index, [values[k] for k in members])
    except (KeyError, ValueError):
        return np.broadcast_to(still, (len(members), *still.shape))
    found = trace[LOGITS].value
    return np.broadcast_to(found, (len(members), *still.shape))


def _go_on(scenario: Scenario, guess: _Guess, logits: np.ndarray) -> bool:
    """Update a guess from the logits (m, V) of its pass; return whether it is complete."""
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
