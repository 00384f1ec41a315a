"""Describes the effect of a change on the written words."""

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

import numpy as np

from ..model.inference import cost
from ..model.inference.forward_pass import ForwardPassRunner
from ..model.inference.writing import likeliest, looks_ahead
from ..model.matrices.address import PROBABILITIES
from ..model.matrices.dropped import dropped
from ..model.scenario.scenario import Scenario
from ..typed_text import quoted
from . import labels
from .apart import moved_share
from .units import in_units

MOST_WORDS = 3  # maximum number of words that are named in a stretch
MOST_WRITTEN = 9  # maximum number of words of a text that is quoted as a whole
LEAST = 0.005  # smaller changes of a probability are invisible with two decimals


class Effect(NamedTuple):
    """The effect of a change on the written words."""

    # Names the words that changed or, if none did, the word whose probability changed most; empty
    # if the effect is not known.
    sentence: str
    # The row that writes the first named word, in the present text; None if the sentence names no
    # word, or a word that the picture does not show.
    row: int | None = None


class _Compared(NamedTuple):
    """The comparison of a pass with that of an earlier scenario."""

    first: Scenario
    # The first row whose likeliest word differs, with both words; None if none does.
    other: tuple[int, Sequence[str], Sequence[str]] | None
    moved: Effect  # the effect on the word of that row, else on the word that changes most


def effect(first: Scenario, scenario: Scenario, runner: ForwardPassRunner) -> Effect:
    """Compare the written words before and after a change.

    With dropout the page does not show the words that the model writes, so the sentence only
    describes a switch of dropout, and is empty for any other change.
    """
    found = _effect(first, scenario, runner)
    return found._replace(sentence=in_units(scenario, found.sentence))


def _effect(first: Scenario, scenario: Scenario, runner: ForwardPassRunner) -> Effect:
    if first.training != scenario.training and first.model == scenario.model:
        return Effect(_switched(scenario, runner))
    if first.training or scenario.training or first.model != scenario.model:
        return Effect("")
    writes = first.writes_itself and scenario.writes_itself
    # Rows that see later words may predict other words than the model writes one by one.
    is_apart = looks_ahead(first) or looks_ahead(scenario)
    if writes and first.target != scenario.target:
        said = _rewritten(first.target[1:], scenario.target[1:], scenario.vocabulary.end)
        start = _first_other(first.target, scenario.target) - 1
        apart = f"Word by word: {said[:1].lower()}{said[1:]}"
        return Effect(apart if is_apart else said, start)
    writes = writes and not is_apart
    if cost.is_large(first) or cost.is_large(scenario):
        return Effect("It writes the same words." if writes else "")
    # The last comparison is cached, because several parts of the page need it after each edit.
    known: list[_Compared] = runner.once(scenario, "compared", lambda _trace: [])
    if not known or known[0].first is not first:
        known[:] = [_compared(first, scenario, runner)]
    _, other, (moved, row) = known[0]
    if row is not None and not _shows_word(scenario, row):
        row = None
    if writes:
        same = "It writes the same words"
        return Effect(f"{same}; {moved}." if moved else f"{same}.", row)
    if scenario.settings.causal_mask != first.settings.causal_mask:
        return Effect(_masked(scenario, moved if other is None else _turned(scenario, *other)), row)
    words = "next words" if scenario.settings.decoder_layers else "words"
    return Effect(f"Of the {words}, {moved}." if moved else f"None of the {words} changes.", row)


def _masked(scenario: Scenario, moved: str) -> str:
    """Describe the effect of switching the causal mask; ``moved`` is the changed guess or empty."""
    sees = "no word sees" if scenario.settings.causal_mask else "each word sees"
    return f"Now {sees} the ones after it: {moved or 'no guess changes'}."


def _turned(scenario: Scenario, row: int, before: Sequence[str], now: Sequence[str]) -> str:
    after = f"guess after {_words(scenario.output_tokens[row : row + 1])}"
    return f"the {after if row else 'first guess'} turns from {_words(before)} to {_words(now)}"


def _switched(scenario: Scenario, runner: ForwardPassRunner) -> str:
    """Describe the effect of switching dropout on or off."""
    if not scenario.training:
        return "No number is dropped any more."
    if cost.is_large(scenario):
        return ""
    found = dropped(runner.trace(scenario))
    return f"Dropout sets {found.dropped:,} of {found.of:,} numbers to 0." if found.of else ""


def _shows_word(scenario: Scenario, row: int) -> bool:
    """Return whether the picture shows a row's word; if there is a blank, only at the blank."""
    return scenario.blank is None or scenario.output_tokens[row] == scenario.blank_token


def _first_other(before: Sequence[str], now: Sequence[str]) -> int:
    """Return the index of the first word that differs, or the length of the shorter text."""
    pairs = zip(before, now, strict=False)
    return next(
        (at for at, (old, new) in enumerate(pairs) if old != new), min(len(before), len(now))
    )


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
            where = f"behind {quoted(labels.shown(now[at - 1]))}" if at else "to the beginning"
            return f"{_words(gone[0])} moves {where}."
    is_most = 2 * sum(len(new) for _, new, _ in places) > len(now)
    if len(places) > 1 and (is_most or len(now) <= MOST_WRITTEN):
        return f"It now writes {_words(now, MOST_WRITTEN)}."
    said = _replaced(*places[0][:2])
    return f"{said}; other words change, too." if len(places) > 1 else f"{said}."


def _replaced(before: Sequence[str], now: Sequence[str]) -> str:
    if not now:
        return f"{_words(before)} falls away"
    return f"{_words(before)} becomes {_words(now)}" if before else f"{_words(now)} is added"


def _words(words: Sequence[str], most: int = MOST_WORDS) -> str:
    shown = " ".join(labels.shown(word) for word in words[:most])
    return quoted(f"{shown} …" if len(words) > most else shown)


def _compared(first: Scenario, scenario: Scenario, runner: ForwardPassRunner) -> _Compared:
    other = _other_word(first, scenario, runner)
    if other is None:
        return _Compared(first, None, _moved_most(first, scenario, runner))
    return _Compared(first, other, Effect(_replaced(*other[1:]), other[0]))


def _other_word(
    first: Scenario, scenario: Scenario, runner: ForwardPassRunner
) -> tuple[int, Sequence[str], Sequence[str]] | None:
    """Return the first row whose likeliest word changed, with both words; None if none changed."""
    try:
        before = likeliest(first, runner)
        now = likeliest(scenario, runner)
    except ValueError:  # the numbers are too large
        return None
    rows = _same_rows(first, scenario)
    others = ((k, before[i : i + 1], now[k : k + 1]) for i, k in rows if before[i] != now[k])
    return next(others, None)


def _moved_most(first: Scenario, scenario: Scenario, runner: ForwardPassRunner) -> Effect:
    """Describe the next word whose probability changes most; empty if no change is visible."""
    old = runner.trace(first)[PROBABILITIES].value
    new = runner.trace(scenario)[PROBABILITIES].value
    rows = list(_same_rows(first, scenario))
    if not rows or first.output_vocabulary != scenario.output_vocabulary:
        return Effect("")
    was, now = (
        each[list(at)] for each, at in zip((old, new), zip(*rows, strict=True), strict=True)
    )
    with np.errstate(invalid="ignore"):
        change = np.fmax(np.abs(now - was), 0)  # NaN counts as no change
    row, word = np.unravel_index(int(change.argmax()), change.shape)
    if not change[row, word] >= LEAST:
        return Effect("")
    said = quoted(labels.shown(scenario.output_vocabulary[int(word)]))
    moved = moved_share(was[row, word], now[row, word])
    return Effect(f"{said} {moved} changes most", rows[int(row)][1])


def _same_rows(first: Scenario, scenario: Scenario) -> Iterable[tuple[int, int]]:
    """Return pairs of rows before and after a change that read the same word or its replacement."""
    before, now = first.output_tokens, scenario.output_tokens
    if before == now:
        return [(row, row) for row in range(len(now))]
    blocks = SequenceMatcher(None, before, now, autojunk=False).get_opcodes()
    return [
        pair
        for _, i, j, k, m in blocks
        if j - i == m - k
        for pair in zip(range(i, j), range(k, m), strict=True)
    ]
