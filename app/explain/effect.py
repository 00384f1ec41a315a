"""What a change does to the words that are written, in a sentence."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

import numpy as np

from ..inference import cost
from ..inference.forward_pass import ForwardPassRunner
from ..inference.writing import likeliest_in, looks_ahead
from ..matrices.address import PROBABILITIES
from ..matrices.dropped import dropped
from ..scenario.scenario import Scenario
from ..typed_text import quoted
from . import labels
from .apart import moved_share

MOST_WORDS = 3  # words that are named of a stretch
MOST_PLACES = 2  # stretches that are named
LEAST = 0.005  # smaller changes of a probability are not seen in two decimals


def effect(first: Scenario, scenario: Scenario, runner: ForwardPassRunner) -> str:
    """Which words are written otherwise; where none is, whose probability changes most.

    Args:
        first: the scenario before the change.
        scenario: the present one.
        runner: has the pass of the present one.

    Returns:
        One sentence. With dropout, with which other words are shown than are written, only what
        switching it does; otherwise empty then.
    """
    if first.training != scenario.training and first.model == scenario.model:
        return _switched(scenario, runner)
    if first.training or scenario.training or first.model != scenario.model:
        return ""
    writes = first.writes_itself and scenario.writes_itself
    # Rows that see later words write others than those that are written one by one.
    is_apart = looks_ahead(first) or looks_ahead(scenario)
    if writes and first.target != scenario.target:
        said = _rewritten(first.target[1:], scenario.target[1:], scenario.vocabulary.end)
        return f"Word by word: {said}" if is_apart else said
    writes = writes and not is_apart
    if cost.is_large(first) or cost.is_large(scenario):
        return "It writes the same words." if writes else ""
    other = _other_word(first, scenario, runner)
    moved = _moved_most(first, scenario, runner) if other is None else _replaced(*other[1:])
    if writes:
        return f"It writes the same words; {moved}." if moved else "It writes the same words."
    mask = scenario.settings.causal_mask
    if mask != first.settings.causal_mask:
        if other is not None:
            row, was, now = other
            at = (
                f"guess after {_words(scenario.output_tokens[row : row + 1])}"
                if row
                else "first guess"
            )
            moved = f"the {at} turns from {_words(was)} to {_words(now)}"
        sees = "no word sees" if mask else "each word sees"
        return f"Now {sees} the ones after it: {moved or 'no guess changes'}."
    words = "next words" if scenario.settings.decoder_layers else "words"
    return f"Of the {words}, {moved}." if moved else f"None of the {words} changes."


def _switched(scenario: Scenario, runner: ForwardPassRunner) -> str:
    """What switching dropout on or off does to the numbers."""
    if not scenario.training:
        return "No number is dropped any more."
    if cost.is_large(scenario):
        return ""
    found = dropped(runner.trace(scenario))
    return f"Dropout sets {found.dropped:,} of {found.of:,} numbers to 0." if found.of else ""


def _rewritten(before: Sequence[str], now: Sequence[str], end: str | None) -> str:
    if not now:
        return f"It writes {labels.no_word(end)}."
    if not before:
        return f"It writes {_words(now)}."
    matcher = SequenceMatcher(None, before, now, autojunk=False)
    places = [
        (before[i:j], now[k:m], k) for kind, i, j, k, m in matcher.get_opcodes() if kind != "equal"
    ]
    if len(places) == 2 and sorted(map(bool, places[0][:2])) == [False, True]:
        gone, new = sorted(places, key=lambda place: not place[0])
        if gone[0] == new[1] and not gone[1] and not new[0]:
            at = new[2]
            where = f"behind {quoted(_visible(now[at - 1]))}" if at else "to the beginning"
            return f"{_words(gone[0])} moves {where}."
    said = "; ".join(_replaced(gone, new) for gone, new, _ in places[:MOST_PLACES])
    return f"{said}; other words change, too." if len(places) > MOST_PLACES else f"{said}."


def _replaced(before: Sequence[str], now: Sequence[str]) -> str:
    if not now:
        return f"{_words(before)} falls away"
    return f"{_words(before)} becomes {_words(now)}" if before else f"{_words(now)} is added"


def _words(words: Sequence[str]) -> str:
    shown = " ".join(_visible(word) for word in words[:MOST_WORDS])
    return quoted(f"{shown} …" if len(words) > MOST_WORDS else shown)


def _visible(word: str) -> str:
    return labels.visible([word])[0] or "∅"


def _other_word(
    first: Scenario, scenario: Scenario, runner: ForwardPassRunner
) -> tuple[int, Sequence[str], Sequence[str]] | None:
    """The first row whose likeliest word is another one, and both words; None if none is."""
    try:
        before = likeliest_in(first, runner.trace(first))
        now = likeliest_in(scenario, runner.trace(scenario))
    except ValueError:  # numbers that are too large
        return None
    rows = _same_rows(first, scenario)
    others = ((k, before[i : i + 1], now[k : k + 1]) for i, k in rows if before[i] != now[k])
    return next(others, None)


def _moved_most(first: Scenario, scenario: Scenario, runner: ForwardPassRunner) -> str:
    """The word whose probability changes most, of all next words; empty if none is seen."""
    old = runner.trace(first)[PROBABILITIES].value
    new = runner.trace(scenario)[PROBABILITIES].value
    rows = list(_same_rows(first, scenario))
    if not rows or first.output_vocabulary != scenario.output_vocabulary:
        return ""
    was, now = (
        each[list(at)] for each, at in zip((old, new), zip(*rows, strict=True), strict=True)
    )
    with np.errstate(invalid="ignore"):
        change = np.nan_to_num(np.abs(now - was))
    row, word = np.unravel_index(int(change.argmax()), change.shape)
    if not change[row, word] >= LEAST:
        return ""
    said = quoted(_visible(scenario.output_vocabulary[int(word)]))
    return f"{said} {moved_share(was[row, word], now[row, word])} changes most"


def _same_rows(first: Scenario, scenario: Scenario) -> Iterator[tuple[int, int]]:
    """The rows before and after a change that read the same word, or one in place of the other."""
    matcher = SequenceMatcher(None, first.output_tokens, scenario.output_tokens, autojunk=False)
    for _, i, j, k, m in matcher.get_opcodes():
        if j - i == m - k:
            yield from zip(range(i, j), range(k, m), strict=True)
