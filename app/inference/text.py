"""A text through a model with a vocabulary of its own, and what the model makes of it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from transformer_math import Transformer
from transformer_math.checkpoints.sentencepiece import joined
from transformer_math.data import dates
from transformer_math.data.tokenizer import DATES, Tokenizer
from transformer_math.decoding import Decoding, greedy_decode

from ..scenario.limits import MAX_TOKENS
from ..scenario.scenario import Scenario
from ..scenario.vocabulary import Closed
from ..scenario.weights import Weights


class Translation(NamedTuple):
    """What the model answers by greedy decoding.

    Attributes:
        tokens: without start and end.
        text: the same as one reads it.
        finished: whether the model came to its end within the limit.
    """

    tokens: tuple[str, ...]
    text: str
    finished: bool


def can_translate(scenario: Scenario) -> bool:
    """Whether a text can be typed, and the model knows where to start and to end."""
    closed, weights, settings = scenario.closed, scenario.weights, scenario.settings
    if not (closed and weights and settings.encoder_layers and settings.decoder_layers):
        return False
    knows = None not in (weights.row("target", closed.start), weights.row("target", closed.end))
    return knows and (closed.unit == "character" or weights.pieces is not None)


def is_dates(scenario: Scenario) -> bool:
    """Whether the model reads and writes the characters of the date translator."""
    return (
        can_translate(scenario)
        and scenario.source_vocabulary == DATES.tokens
        and scenario.target_vocabulary == DATES.tokens
    )


def with_text(scenario: Scenario, text: str) -> Scenario:
    """The text as the source.

    Raises:
        ValueError: it has a character that the model does not know, or is too long.
    """
    weights, closed = _of(scenario)
    if weights.pieces is not None:
        known = scenario.source_vocabulary
        pieces = weights.pieces.segment(text)
        tokens = [p if weights.row("source", p) is not None else "<unk>" for p in pieces]
        ends = [closed.end] if closed.end in known else []
        return scenario.with_tokens("source", [*tokens, *ends])
    tokenizer = Tokenizer(scenario.source_vocabulary)
    length = dates.SOURCE_LENGTH if is_dates(scenario) else None
    ids = tokenizer.encode(text, length)
    return scenario.with_tokens("source", [tokenizer.tokens[i] for i in ids])


def text_of(scenario: Scenario) -> str:
    """The source as it was typed."""
    return _text(scenario, scenario.source)


def translation(scenario: Scenario, model: Transformer) -> Translation:
    """The likeliest token after each other one, with edited weights as they are now.

    Overridden cells play no part: they belong to the pass on the page.

    Args:
        scenario: what is translated, and what was edited.
        model: the scenario's model before any edit.

    Raises:
        ValueError: the edited weights give logits that are not finite.
    """
    weights, closed = _of(scenario)
    longest = MAX_TOKENS
    if scenario.settings.positions == "learned":
        longest = min(longest, scenario.locked.max_positions)
    limit = dates.TARGET_LENGTH if is_dates(scenario) else longest
    found = greedy_decode(
        model.with_parameters(edited_parameters(scenario, model)),
        scenario.ids("source"),
        Decoding(
            start=scenario.target_vocabulary.index(closed.start or ""),
            end=scenario.target_vocabulary.index(closed.end or ""),
            max_length=limit - 1,
            forbidden_tokens=[scenario.target_vocabulary.index(token) for token in closed.never],
        ),
        keep_probabilities=False,
    )
    tokens = tuple(weights.target_vocabulary[i] for i in found.rows()[0])
    return Translation(tokens, _text(scenario, tokens), bool(found.finished[0]))


def with_translation(scenario: Scenario, answer: Translation) -> Scenario:
    """The translation as what the decoder has written so far."""
    _, closed = _of(scenario)
    return scenario.with_tokens("target", (closed.start or "", *answer.tokens))


def _text(scenario: Scenario, tokens: tuple[str, ...]) -> str:
    weights, closed = _of(scenario)
    words = [token for token in tokens if token not in (closed.start, closed.end, closed.pad)]
    return "".join(words) if weights.pieces is None else joined(words)


def _of(scenario: Scenario) -> tuple[Weights, Closed]:
    """The weights and the vocabulary's ways, for scenarios that have both."""
    weights = scenario.weights
    if weights is None or weights.closed is None:
        raise ValueError("This model has no vocabulary of its own to translate with.")
    return weights, weights.closed


def edited_parameters(scenario: Scenario, model: Transformer) -> dict[str, np.ndarray]:
    """The parameters that have edited cells, as they are now."""
    found = {}
    for path, cells in scenario.overrides().items():
        if path in model.parameters:
            found[path] = model.parameters[path].copy()
            for index, value in cells.items():
                found[path][index] = value
    return found
