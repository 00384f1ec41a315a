"""The sentence that is written at each value of one cell, and the borders between sentences."""

import dataclasses
from collections.abc import Callable, Sequence

import numpy as np

from transformer_math import sweep

from ..model.inference.forward_pass import ForwardPassRunner
from ..model.inference.swinging_words import SentenceWriter
from ..model.matrices import sweeps
from ..model.matrices.address import PROBABILITIES
from ..model.matrices.resolved_cell import ResolvedCell
from ..model.scenario.scenario import Scenario
from .word_borders import PARTS, Sentence, WordStretches, word_stretches

MAX_SETTINGS = 101  # settings whose sentences are compared; bisection refines between them


def stretches_of(
    scenario: Scenario,
    runner: ForwardPassRunner,
    cell: ResolvedCell,
    span: tuple[float, float],
    go_on: Callable[[], None] = sweeps.to_the_end,
) -> tuple[WordStretches, ...]:
    """The stretches of every word over the values of one cell.

    If the model writes the target itself, these are the words that it writes, without dropout, as
    it does on the page; otherwise the likeliest next word at each position.

    Args:
        scenario: a scenario.
        runner: a runner other than the page's own.
        cell: a cell of its pass.
        span: the lowest and the highest value.
        go_on: called between pieces of the work; an exception it raises ends it.
    """
    scenario = scenario.with_training(False) if scenario.writes_itself else scenario
    trace = runner.trace(scenario)
    at_once = max(1, sweeps.PIECE_BYTES // sweeps.bytes_a_setting(trace, cell.stored))
    count = sweeps.affordable(trace, cell.stored, MAX_SETTINGS, sweeps.CURVE_BYTES)
    kind = _Written if scenario.writes_itself else _Likeliest
    sentences = kind(scenario, runner, cell, go_on)

    def written(values: Sequence[float], guesses: Sequence[Sentence]) -> list[Sentence]:
        starts = range(0, len(values), at_once)
        parts = [slice(start, start + at_once) for start in starts]
        return [each for part in parts for each in sentences(values[part], guesses[part])]

    settings = np.linspace(*span, count).tolist()
    # A large model cannot afford more values for the sake of fewer calls.
    parts = PARTS if count == MAX_SETTINGS else 2
    return word_stretches(written, settings, sentences.now, parts)


def deciding(scenario: Scenario) -> Scenario:
    """The scenario without what the written words do not depend on: their own text, and dropout."""
    if not scenario.writes_itself:
        return scenario
    return dataclasses.replace(scenario, target=(), training=False, mask_seed=0)


class _Written:
    """The sentence that the model writes, with its end."""

    def __init__(
        self,
        scenario: Scenario,
        runner: ForwardPassRunner,
        cell: ResolvedCell,
        go_on: Callable[[], None],
    ) -> None:
        self._start, self._end = scenario.vocabulary.start or "", scenario.vocabulary.end or ""
        self._writer = SentenceWriter(scenario, runner, cell.stored, cell.full, go_on)
        self.now: Sentence = scenario.target[1:]

    def __call__(self, values: Sequence[float], guesses: Sequence[Sentence]) -> list[Sentence]:
        begun = [(self._start, *(w for w in guess if w != self._end)) for guess in guesses]
        frames = self._writer.frames(values, begun)
        return [(*f.words[1:], self._end) if f.end is not None else f.words[1:] for f in frames]


class _Likeliest:
    """The likeliest next word at each position that has a label."""

    def __init__(
        self,
        scenario: Scenario,
        runner: ForwardPassRunner,
        cell: ResolvedCell,
        go_on: Callable[[], None],
    ) -> None:
        self._trace, self._cell, self._go_on = runner.trace(scenario), cell, go_on
        self._words = scenario.output_vocabulary
        self._forbidden = scenario.vocabulary.forbidden_ids
        self._asked = max(scenario.asked, default=-1) + 1  # padding comes last
        self.now = tuple(self._best(self._trace[PROBABILITIES].value[None])[0])

    def __call__(self, values: Sequence[float], _guesses: Sequence[Sentence]) -> list[Sentence]:
        self._go_on()
        swept = sweep(self._trace, self._cell.stored, self._cell.full, values)
        found = swept[PROBABILITIES].value
        return self._best(np.broadcast_to(found, (len(values), *found.shape[-2:])))

    def _best(self, frames: np.ndarray) -> list[Sentence]:
        rows = np.nan_to_num(frames[:, : self._asked], nan=-np.inf)
        if self._forbidden:
            rows = rows.copy()
            rows[..., self._forbidden] = -np.inf
        return [tuple(self._words[k] for k in row) for row in rows.argmax(-1).tolist()]
