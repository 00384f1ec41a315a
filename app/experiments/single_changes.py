"""Finds single numbers whose change alone makes the model write a word, and the new sentences."""

import dataclasses
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

from ..model.inference import cost
from ..model.inference.forward_pass import ForwardPassRunner
from ..model.inference.writing import with_written_target
from ..model.scenario.scenario import Scenario
from .passes import pass_of

MOST_WRITTEN = 200  # numbers whose sentences are generated
FEW_WRITTEN = 20  # the same for a large model
AT_ONCE = 12  # sentences that are generated between two yields
WORK = 8 << 30  # bytes that a search may compute, which takes several seconds


class SinglesFound(NamedTuple):
    """A state of the search."""

    trace: Trace  # the pass that was searched, without dropout
    state: SingleNumbers  # the results so far
    marks: Mapping[str, np.ndarray]  # see ``strengths``
    # The sentence with each of the first listed numbers changed; generated after the search.
    written: Sequence[tuple[str, ...]] = ()

    @property
    def listed(self) -> tuple[SingleNumber, ...]:
        """The found numbers; if the search ended without any, the nearest number."""
        if self.state.found or not self.state.ended or self.state.nearest is None:
            return self.state.found
        return (self.state.nearest,)


def single_changes(
    runner: ForwardPassRunner, scenario: Scenario, wish: Likeliest, free: Free
) -> Iterator[SinglesFound]:
    """Yield the states of the search, and afterward the sentences, beginning with small moves.

    The searched pass has no dropout, because the model writes without dropout. Raise the errors of
    ``single_numbers``.
    """
    still = scenario.with_training(False)
    model = runner.model(still)
    overrides = runner.overrides(still)
    trace = searched = runner.trace(still)
    # Search a shorter pass, because later words of the decoder do not affect earlier positions.
    short = _as_far_as(still, wish.position)
    if short is not None and not overrides and all(path in model.parameters for path in free):
        searched = pass_of(model, short, overrides)
    never = still.vocabulary.forbidden_ids
    found = None
    for state in single_numbers_so_far(model, wish, searched, free=free, never=never, work=WORK):
        found = SinglesFound(trace, state, strengths(trace, state.found))
        yield found
    assert found is not None  # a search yields at least one state
    written: list[tuple[str, ...]] = []
    most = FEW_WRITTEN if cost.is_large(still) else MOST_WRITTEN
    listed = found.listed[:most]
    for start in range(0, len(listed), AT_ONCE):
        written += [_written(runner, still, one) for one in listed[start : start + AT_ONCE]]
        yield found._replace(written=tuple(written))


def _as_far_as(scenario: Scenario, position: int) -> Scenario | None:
    """Return the scenario without its target words after a position; None if none can be cut."""
    config = scenario.config
    if not config.decoder_layers or not config.causal_mask:
        return None
    target = scenario.target[: position + 1]
    return dataclasses.replace(scenario, target=target) if target != scenario.target else None


def _written(runner: ForwardPassRunner, scenario: Scenario, one: SingleNumber) -> tuple[str, ...]:
    """Return the target that the model writes with one number changed."""
    changed = scenario.with_value(one.path, one.cell, one.value)
    with suppress(ValueError):  # the numbers may be too large to generate a target
        return with_written_target(changed, runner).target
    return scenario.target


def strengths(trace: Trace, found: Sequence[SingleNumber]) -> dict[str, np.ndarray]:
    """Return the strength of each number's mark, up to 1; smaller moves get stronger marks.

    Stored path -> array of the tensor's shape, 0 where a number alone does not suffice.
    """
    marked: dict[str, np.ndarray] = {}
    for one in found:
        if one.path not in marked:
            marked[one.path] = np.zeros(trace[one.path].value.shape, np.float32)
        marked[one.path][one.cell] = np.sqrt(abs(found[0].move) / abs(one.move))
    return marked


def marks_in(trace: Trace, marks: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Lay out the marks of ``strengths`` on another pass, which may have other target words.

    An embedding is marked in its table and at each of its words. A computed number is marked only
    if its matrix has the same shape.
    """
    marked = {
        path: mark
        for path, mark in marks.items()
        if path in trace and trace[path].value.shape == mark.shape
    }
    at_words = {
        tensor.path: marked[table.path][ids.value]
        for tensor in trace.tensors.values()
        if isinstance(tensor.op, Embed)
        for ids, table in [tensor.inputs]
        if table.path in marked
    }
    return {**marked, **at_words}
