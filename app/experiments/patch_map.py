"""Computes the patch map: each row of the residual stream in turn is replaced by the baseline's."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from transformer_math.experiments import patch_map

from ..model.inference import cost
from ..model.matrices.address import PROBABILITIES
from ..model.matrices.values import ScenarioTrace
from ..model.scenario.scenario import Scenario
from ..typed_text import quoted
from .depths import SIDES, Stack, depths, read_stack, stacks
from .matching import Places, match

LEAST_APART = 1e-3  # minimum difference of the two probabilities
ROUNDING = 5e-3  # smaller shares are set to 0, as shares are shown with two decimals
OTHER_MODEL = (
    "The baseline’s model has other parts or sizes than the present one: pin a text of this model."
)


class Asked(NamedTuple):
    """The watched answer: a word at a position of the output."""

    row: int
    word: str


class SiteRow(NamedTuple):
    """The stream at one depth, with one site per token."""

    path: str
    stack: Stack
    # (tokens,), with each row from the baseline; NaN without a counterpart.
    probabilities: np.ndarray


class SiteMap(NamedTuple):
    """The probability of an answer with each site replaced by the baseline's."""

    asked: Asked
    now: float  # its probability in the present pass
    baseline: float  # its probability in the baseline's pass
    rows: tuple[SiteRow, ...]  # the depths from the input of each stack to its output

    def shares(self, row: SiteRow) -> np.ndarray:
        """Return the effect of each site: 0 for the present probability, 1 for the baseline's."""
        found = (row.probabilities - self.now) / (self.baseline - self.now)
        found[np.abs(found) < ROUNDING] = 0
        return found


def check(now: ScenarioTrace, then: ScenarioTrace) -> None:
    """Raise ``ValueError`` unless two passes have equal sites, and outputs of the same stack."""
    if read_stack(now.scenario) != read_stack(then.scenario):
        raise ValueError(OTHER_MODEL)
    for stack in stacks(now.scenario):
        for path in depths(now.trace, stack):
            other = then.trace.tensors.get(path)
            if other is None or other.shape[-1] != now.trace[path].shape[-1]:
                raise ValueError(OTHER_MODEL)


def words_apart(now: ScenarioTrace, then: ScenarioTrace, row: int) -> list[str]:
    """Return the likeliest words of the baseline, then of the present pass, in both vocabularies.

    Raise ``ValueError`` if the passes or the position cannot be compared.
    """
    check(now, then)
    other = _row_there(now.scenario, then.scenario, row)
    words, others = now.scenario.output_vocabulary, then.scenario.output_vocabulary
    found = [others[k] for k in np.argsort(-then.trace[PROBABILITIES].value[other])[:4]]
    found += [words[k] for k in np.argsort(-now.trace[PROBABILITIES].value[row])[:4]]
    return [word for word in dict.fromkeys(found) if word in words and word in others]


def multiply_adds(now: ScenarioTrace) -> int:
    """Return the cost of the map: one pass per depth and token."""
    passes = sum(
        len(depths(now.trace, stack)) * len(getattr(now.scenario, SIDES[stack]))
        for stack in stacks(now.scenario)
    )
    return passes * cost.forward_pass(now.scenario)


def site_map(
    now: ScenarioTrace,
    then: ScenarioTrace,
    asked: Asked,
    go_on: Callable[[], None] = lambda: None,
) -> SiteMap:
    """Replace each site by the baseline's, one at a time.

    ``go_on`` is called before each piece of the work; it raises an exception to cancel the work.
    Raise ``ValueError`` with one sentence if the passes cannot be compared, or give the answer the
    same probability.
    """
    check(now, then)
    row, other = asked.row, _row_there(now.scenario, then.scenario, asked.row)
    word, word_there = (_column(each.scenario, asked.word) for each in (now, then))
    p = float(now.trace[PROBABILITIES].value[row, word])
    if abs(float(then.trace[PROBABILITIES].value[other, word_there]) - p) < LEAST_APART:
        raise ValueError(
            f"{quoted(asked.word)} has the same probability here in both, {p:.3f}: choose another "
            "word, or another position."
        )
    rows: dict[str, Places] = {}
    of: dict[str, Stack] = {}
    for stack in stacks(now.scenario):
        pairs = match(now.scenario, then.scenario, SIDES[stack])
        for path in depths(now.trace, stack):
            rows[path], of[path] = pairs, stack
    found = patch_map(
        now.trace,
        then.trace,
        rows,
        lambda trace: trace[PROBABILITIES].value[..., row, word],
        lambda trace: float(trace[PROBABILITIES].value[other, word_there]),
        go_on,
    )
    sites = tuple(SiteRow(path, of[path], found.patched[path]) for path in rows)
    return SiteMap(asked, found.now, found.baseline, sites)


def most_apart(now: ScenarioTrace, then: ScenarioTrace) -> int | None:
    """Return the position where the output distributions differ most; None if none is matched."""
    check(now, then)
    side = SIDES[read_stack(now.scenario)]
    at = {word: k for k, word in enumerate(then.scenario.output_vocabulary)}
    words = now.scenario.output_vocabulary
    known = [(k, at[word]) for k, word in enumerate(words) if word in at]
    here, there = np.array(known, int).reshape(-1, 2).T
    best, far = None, -1.0
    for row, other in enumerate(match(now.scenario, then.scenario, side)):
        if other is None:
            continue
        p = now.trace[PROBABILITIES].value[row, here]
        q = then.trace[PROBABILITIES].value[other, there]
        apart = float(np.abs(p - q).max(initial=0))
        if apart > far:
            best, far = row, apart
    return best


def _row_there(now: Scenario, then: Scenario, row: int) -> int:
    side = SIDES[read_stack(now)]
    pairs = match(now, then, side)
    other = pairs[row] if 0 <= row < len(pairs) else None
    if other is None:
        token = getattr(now, side)[row] if 0 <= row < len(pairs) else "?"
        raise ValueError(
            f"{quoted(token or '∅')} has no partner in the baseline, which says nothing after it: "
            "look at another position."
        )
    return other


def _column(scenario: Scenario, word: str) -> int:
    words = scenario.output_vocabulary
    if word not in words:
        raise ValueError(f"{quoted(word[:24])} is not among the words of both passes.")
    return words.index(word)
