"""Measures the importance of each head, by the model's accuracy and confidence without the head."""

from collections.abc import Callable

import numpy as np

from transformer_math import Trace
from transformer_math.ops.tensor import split_head

from ..model.inference.held_out import HeldOut, held_out, is_read
from ..model.inference.right_pairs import RightPairs
from ..model.matrices.address import Answer
from ..model.scenario.scenario import Scenario
from ..model.scenario.silences import Silence, heads
from .part_effects import PartEffect, PartEffects, Runners, answered, is_silenced

PAIRS = 200  # the number of held-out pairs, if the model is small enough
LEAST_PAIRS = 50
PAIRS_COST = 600_000_000  # maximum multiply-adds; a larger model uses fewer pairs


def has_read_pairs(scenario: Scenario) -> bool:
    """Return whether the held-out pairs are loaded; if not, ``read_pairs`` loads them slowly."""
    return is_read(scenario)


def read_pairs(scenario: Scenario) -> None:
    """Load the held-out pairs."""
    _pairs(scenario)


def multiply_adds(scenario: Scenario) -> int:
    """Return the cost of all effects: one pass over the text and the held-out pairs per head."""
    pairs = _pairs(scenario)
    tokens = len(scenario.source) + len(scenario.target)
    if pairs is not None:
        tokens += pairs.source.size + pairs.target.size
    return tokens * _cost_of_token(scenario)


def head_effects(
    runners: Runners,
    scenario: Scenario,
    answer: Answer,
    to: str,
    go_on: Callable[[], None] = lambda: None,
) -> PartEffects:
    """Silence each head separately, in addition to the parts that the scenario silences.

    Nothing else may use the runners; ``to`` is the value that replaces the head's output.
    ``go_on`` is called before each head; it raises an exception to cancel the work.
    """
    pairs = _pairs(scenario)
    asked = None if pairs is None else RightPairs(runners.pairs, scenario, pairs)

    def measure(of: Scenario) -> tuple[int | None, float, int]:
        right = None if asked is None else asked.count(of)
        return right, *answered(runners.text.trace(of), answer)

    now = measure(scenario)
    trace = runners.text.trace(scenario)
    found = []
    for head in heads(scenario.config):
        reads = _reads(trace, head, answer[0])
        go_on()
        part = Silence(head, to=to)
        is_silent = is_silenced(scenario, part)
        silent = measure(scenario.with_silence(part))
        speaking = measure(scenario.without_silence(*part.part)) if is_silent else now
        lost = None if silent[0] is None or speaking[0] is None else speaking[0] - silent[0]
        change = silent[1] - speaking[1]
        found.append(
            PartEffect(part, is_silent, silent[0], lost, silent[1], change, silent[2], reads)
        )
    total = 0 if asked is None else len(asked.pairs.source)
    return PartEffects(tuple(found), now[0], total, now[1], now[2], len(found))


def _reads(trace: Trace, head: str, row: int) -> int | None:
    """Return the position to which a row attends most, in a head of the stack with the output."""
    stack = "decoder" if any(path.startswith("decoder.") for path in trace.tensors) else "encoder"
    stored, number = split_head(head)
    if number is None or not stored.startswith(f"{stack}."):
        return None
    weights = trace[f"{stored.rpartition('.')[0]}.weights"].value[number, row]
    return int(np.nan_to_num(weights).argmax())


def _pairs(scenario: Scenario) -> HeldOut | None:
    """Return the held-out pairs, as many as can be evaluated within the cost limit."""
    found = held_out(scenario, PAIRS)
    if found is None:
        return None
    tokens = found.source.shape[1] + found.target.shape[1]
    affordable = PAIRS_COST // (tokens * _cost_of_token(scenario))
    return held_out(scenario, max(LEAST_PAIRS, min(PAIRS, affordable)))


def _cost_of_token(scenario: Scenario) -> int:
    """Return the multiply-adds per token of one pass for each head."""
    return scenario.config.parameter_count() * max(1, len(heads(scenario.config)))
