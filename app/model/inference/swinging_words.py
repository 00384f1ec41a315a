"""The sentence that the model writes at each value of an oscillating cell."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from transformer_math import Trace, sweep
from transformer_math.ops.tensor import Index

from ..scenario.scenario import Scenario
from .forward_pass import ForwardPassRunner
from .writing import PROBABILITIES, looks_ahead, written_limit

KEPT_BYTES = 16 << 20  # maximum bytes of the passes that one writer caches


class WrittenFrame(NamedTuple):
    """A generated sentence, its words' probabilities, and the probability of its end.

    The sentence begins with the start token, whose probability is None. ``end`` is the probability
    of the end token after the last word; None if the model did not finish.
    """

    words: tuple[str, ...]
    probabilities: tuple[float | None, ...]
    end: float | None = None


class _Guess:
    """A guess at the sentence for one value, and the number of its confirmed leading words."""

    def __init__(self, words: tuple[str, ...]) -> None:
        self.words, self.sure, self.frame = words, 1, WrittenFrame((), ())


class SentenceWriter:
    """Writes the sentences for values of one cell.

    Values with the same guess are computed together in one sweep; ``with_written_target`` documents
    how guesses are refined. Known sentences are the first guesses.
    """

    def __init__(
        self,
        scenario: Scenario,
        runner: ForwardPassRunner,
        path: str,
        index: Index,
        go_on: Callable[[], None] = lambda: None,
    ) -> None:
        """Prepare the writer without computing anything.

        Args:
            scenario: its target is the first guess.
            runner: a runner other than the page's own.
            path: the drawn matrix whose cell takes the values.
            index: the index of the cell in the drawn matrix, without leading axes.
            go_on: called before each sweep; an exception it raises ends the work.
        """
        self._scenario, self._runner, self._go_on = scenario, runner, go_on
        self._path, self._index = path, index
        self._is_ahead = looks_ahead(scenario)
        self._limit = written_limit(scenario)
        start = scenario.vocabulary.start or ""
        known = scenario.with_written((start,)).vocabulary
        words = tuple(t for t in scenario.target if known.row("target", t) is not None)
        self._known = [words[: self._limit] or (start,)]
        self._traces: dict[tuple[str, ...], Trace] = {}
        self._bytes = 0

    def frames(
        self, values: Sequence[float], guesses: Sequence[tuple[str, ...]] = ()
    ) -> list[WrittenFrame]:
        """Return the sentence at each value (T,).

        Args:
            values: the values of the cell.
            guesses: sentences written at nearby values, one for each value; correct guesses save
                passes.
        """
        begun = [_Guess(words) for words in guesses or self._known[:1] * len(values)]
        waiting = list(range(len(values)))
        while waiting:
            alike: dict[tuple[str, ...], list[int]] = {}
            for k in waiting:
                guess = begun[k]
                if self._is_ahead:
                    guess.words = guess.words[: guess.sure]
                alike.setdefault(guess.words, []).append(k)
            for words, members in alike.items():
                self._go_on()
                frames = self._swept(words, [values[k] for k in members])
                scenario = self._scenario.with_written(words)
                for k, rows in zip(members, frames, strict=True):
                    if self._extend(scenario, begun[k], rows):
                        waiting.remove(k)
        return [guess.frame for guess in begun]

    def _swept(self, words: tuple[str, ...], values: list[float]) -> np.ndarray:
        """Return the probabilities (T, m, V), equal for all T if the sentence lacks the cell."""
        trace = self._trace(words)
        still = trace[PROBABILITIES].value
        try:
            found = sweep(trace, self._path, self._index, values)[PROBABILITIES].value
        except (KeyError, ValueError):
            found = still
        return np.broadcast_to(found, (len(values), *still.shape))

    def _trace(self, words: tuple[str, ...]) -> Trace:
        """Return the trace of a sentence; traces are cached up to ``KEPT_BYTES``."""
        if words in self._traces:
            return self._traces[words]
        trace = self._runner.trace(self._scenario.with_written(words))
        size = sum(tensor.value.nbytes for tensor in trace.tensors.values())
        if self._bytes + size <= KEPT_BYTES:
            self._bytes += size
            self._traces[words] = trace
        return trace

    def _extend(self, scenario: Scenario, guess: _Guess, numbers: np.ndarray) -> bool:
        """Update a guess from its probabilities (m, V); return whether it is complete."""
        rows = np.nan_to_num(numbers, nan=-np.inf)
        if scenario.vocabulary.forbidden_ids:
            rows = rows.copy()
            rows[:, scenario.vocabulary.forbidden_ids] = -np.inf
        vocabulary, words = scenario.target_vocabulary, guess.words
        best = [vocabulary[k] for k in rows.argmax(-1).tolist()]
        while guess.sure < len(words) and words[guess.sure] == best[guess.sure - 1]:
            guess.sure += 1
        is_over = guess.sure >= self._limit
        is_finished = best[guess.sure - 1] == scenario.vocabulary.end
        if is_over or is_finished:
            ids = [*scenario.ids("target")[1 : guess.sure], int(rows[guess.sure - 1].argmax())]
            *found, end = numbers[np.arange(len(ids)), ids].tolist()
            done = words[: guess.sure]
            guess.frame = WrittenFrame(done, (None, *found), end if is_finished else None)
            if done not in self._known:
                self._known.append(done)
            return True
        sure = (*words[: guess.sure], best[guess.sure - 1])
        known = (each for each in self._known if each[: len(sure)] == sure)
        guess.words = next(known, (*sure, *words[len(sure) :]))
        guess.sure = len(sure)
        return False
