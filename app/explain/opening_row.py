"""Chooses the opening row, the word that it reads, and the number of that word to change.

The page's film uses the same choice.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from transformer_math import Trace, sweep

from ..model.inference import cost
from ..model.matrices.address import PROBABILITIES, CellAddress
from ..model.matrices.attention import scopes
from ..model.matrices.telling_word import TellingWord, most_read, telling_word
from ..model.scenario.scenario import Scenario

AMPLITUDES = (1.0, 2.0, 3.0, 4.0, 6.0)  # tried in this order
MAX_NUMBERS = 64  # maximum number of a row's numbers that are tried


class WordPosition(NamedTuple):
    """A word of a stack, ``encoder`` or ``decoder``."""

    stack: str
    position: int


class OpeningRow(NamedTuple):
    """A row that writes a word, and the word that it attends to most."""

    writes: WordPosition
    read: WordPosition  # the word that this row attends to; a source word if there is a source


class DecisiveSwing(NamedTuple):
    """A number whose oscillation makes a row write another word."""

    cell: CellAddress  # the cell, in the embedding of the word
    amplitude: float
    number: float  # its present value
    far: float  # the end of the oscillation where the row's present word has its lowest probability
    probability: float  # the lowest probability
    word: int  # the likeliest word there, as a column of the probabilities


def opening_word(scenario: Scenario, trace: Trace) -> TellingWord | None:
    """Return the word to open with: the one that the model is asked for, else a telling one.

    The model is asked for a blank, or for the continuation of a text that it reads alone.
    """
    if scenario.blank is not None:
        return TellingWord("encoder", scenario.blank)
    if not scenario.settings.encoder_layers:
        return TellingWord("decoder", len(scenario.target) - 1)
    has_decoder = scenario.settings.decoder_layers
    written = len(scenario.target) - 1 if has_decoder else len(scenario.source)
    return telling_word(trace, max(1, written))


def opening_row(scenario: Scenario, trace: Trace) -> OpeningRow | None:
    """Return the page's opening row, and the word it reads; None without any attention."""
    word = opening_word(scenario, trace)
    if word is None:
        return None
    writes = WordPosition(*word)
    read = most_read(scenario, trace, word.position) if word.stack == "decoder" else None
    if read is not None:
        return OpeningRow(writes, WordPosition("encoder", read))
    scope = scopes(trace)[-1]
    return OpeningRow(
        writes, WordPosition(word.stack, strongest_key(trace, scope, word.position).key)
    )


class StrongestKey(NamedTuple):
    """The key with the largest weight of a query in any head."""

    key: int  # its position
    weight: float
    head: int


def strongest_key(trace: Trace, scope: str, query: int) -> StrongestKey:
    """Return the key with a query's largest weight in any head; ValueError for a missing query."""
    path = f"{scope}.weights"
    if path not in trace:
        raise ValueError(f"there is no attention {scope}")
    weights = trace[path].value  # (head, query, key)
    if not 0 <= query < weights.shape[1]:
        raise ValueError(f"{scope} has no query {query}")
    head, key = divmod(int(weights[:, query].argmax()), weights.shape[2])
    return StrongestKey(key, float(weights[head, query, key]), head)


def opening_number(scenario: Scenario, trace: Trace) -> CellAddress | None:
    """Return the read word's largest number in magnitude, which the page labels *Drag me*."""
    found = opening_row(scenario, trace)
    if found is None:
        return None
    path = "source.embedding" if found.read.stack == "encoder" else "target.embedding"
    if path not in trace:
        return None
    row = found.read.position
    return CellAddress(path, row, int(np.abs(trace[path].value[row]).argmax()))


def decisive_swing(scenario: Scenario, trace: Trace) -> DecisiveSwing | None:
    """Return a number of the read word whose change makes the row write another word.

    This is the largest number if it suffices, else the number that suffices with the smallest
    amplitude, else the number that lowers the probability most. None for large models.
    """
    largest, found = opening_number(scenario, trace), opening_row(scenario, trace)
    if largest is None or found is None or cost.is_large(scenario) or PROBABILITIES not in trace:
        return None
    asked = found.writes.position
    own = _swings(trace, largest, asked)
    written = int(trace[PROBABILITIES].value[asked].argmax())
    if not own or min(own, key=_worth(written)).word == written:
        for column in range(min(trace[largest.path].shape[-1], MAX_NUMBERS)):
            own += _swings(trace, largest._replace(column=column), asked)
    return min(own, key=_worth(written)) if own else None


def _swings(trace: Trace, cell: CellAddress, asked: int) -> list[DecisiveSwing]:
    """Return the effects on a row of swings to either side; empty if the number has none."""
    at = cell.row, cell.column
    number = float(trace[cell.path].value[at])
    ways = [(far, number + way * far) for far in AMPLITUDES for way in (-1, 1)]
    written = int(trace[PROBABILITIES].value[asked].argmax())
    swept = sweep(trace, cell.path, at, [end for _, end in ways])[PROBABILITIES]
    if "sweep" not in swept.dims:
        return []
    return [
        DecisiveSwing(cell, far, number, end, float(shares[written]), int(shares.argmax()))
        for (far, end), shares in zip(ways, swept.value[:, asked], strict=True)
    ]


def _worth(written: int) -> Callable[[DecisiveSwing], tuple[bool, float, float]]:
    """Return a sort key: swings that change the word first, by amplitude; others by probability."""

    def worth(swing: DecisiveSwing) -> tuple[bool, float, float]:
        left, is_same = swing.probability, swing.word == written
        return is_same, left if is_same else swing.amplitude, left

    return worth
