"""Single numbers of a scenario that alone make a word be written, and the sentence of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

import numpy as np

from transformer_math import Trace
from transformer_math.experiments import (
    Free,
    Likeliest,
    SingleNumber,
    SingleNumbers,
    single_numbers_so_far,
)
from transformer_math.ops.embedding import Embed

from ..inference.forward_pass import ForwardPassRunner
from ..inference.writing import with_written_target
from ..scenario.scenario import Scenario
from .passes import pass_of

MOST_WRITTEN = 200  # the numbers whose sentences are written
AT_ONCE = 12  # sentences between two states


class SinglesFound(NamedTuple):
    """A state of the search.

    Attributes:
        trace: the pass that was searched, without dropout.
        state: what has been found so far.
        written: the sentence, as tokens, that the model writes with each of the first numbers
            found, or with the nearest one; it grows when the search has ended.
    """

    trace: Trace
    state: SingleNumbers
    written: Sequence[tuple[str, ...]] = ()

    @property
    def listed(self) -> tuple[SingleNumber, ...]:
        """The numbers found or, when none was found in the end, the nearest one."""
        if self.state.found or not self.state.ended or self.state.nearest is None:
            return self.state.found
        return (self.state.nearest,)


def single_changes(
    runner: ForwardPassRunner, scenario: Scenario, wish: Likeliest, free: Free
) -> Iterator[SinglesFound]:
    """Search, and then write the sentence of each number, the least move first.

    As the model writes without dropout, the pass that is searched has none.

    Raises:
        KeyError, ValueError: as of ``single_numbers``.
    """
    still = scenario.with_training(False)
    model = runner.model(still)
    trace = pass_of(model, still, runner.overrides(still))
    never = still.vocabulary.forbidden_ids
    found = None
    for state in single_numbers_so_far(model, wish, trace, free=free, never=never):
        found = SinglesFound(trace, state)
        yield found
    assert found is not None  # a search has a last state
    written: list[tuple[str, ...]] = []
    listed = found.listed[:MOST_WRITTEN]
    for start in range(0, len(listed), AT_ONCE):
        written += [_written(runner, still, one) for one in listed[start : start + AT_ONCE]]
        yield found._replace(written=tuple(written))


def _written(runner: ForwardPassRunner, scenario: Scenario, one: SingleNumber) -> tuple[str, ...]:
    """The target that the model writes with one number changed."""
    changed = scenario.with_value(one.path, one.cell, one.value)
    with suppress(ValueError):  # numbers too large to decode
        return with_written_target(changed, runner).target
    return scenario.target


def strengths(trace: Trace, found: Sequence[SingleNumber]) -> dict[str, np.ndarray]:
    """How strongly each number is marked: the less it must move, the stronger, up to 1.

    An embedding is marked in its table and wherever its word stands in the texts.

    Args:
        trace: the pass that was searched.
        found: the numbers, the least move first.

    Returns:
        Stored path -> array of the tensor's shape, 0 where a number does not do it alone.
    """
    marked: dict[str, np.ndarray] = {}
    for one in found:
        if one.path not in marked:
            marked[one.path] = np.zeros(trace[one.path].value.shape)
        marked[one.path][one.cell] = np.sqrt(abs(found[0].move) / abs(one.move))
    return {**marked, **_where_words_stand(trace, marked)}


def _where_words_stand(trace: Trace, marked: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The same of the rows of embedding tables, at the words of the texts."""
    return {
        tensor.path: marked[table.path][ids.value]
        for tensor in trace.tensors.values()
        if isinstance(tensor.op, Embed)
        for ids, table in [tensor.inputs]
        if table.path in marked
    }
