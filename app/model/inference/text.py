"""Converts typed text to tokens of a model's vocabulary, and generates the model's answer to it."""

from typing import NamedTuple

import numpy as np

from transformer_math import Transformer
from transformer_math.checkpoints.sentencepiece import joined
from transformer_math.data import dates
from transformer_math.data.texts import MASK
from transformer_math.data.tokenizer import DATES, SPECIAL, Tokenizer, units
from transformer_math.decoding import Decoding, fill_blanks, greedy_decode

from ..scenario.limits import MAX_TOKENS
from ..scenario.scenario import Scenario
from ..scenario.training_data import DATES as DATE_PAIRS
from ..scenario.training_data import TrainingData
from ..scenario.vocabulary import Side, Vocabulary


class Translation(NamedTuple):
    """The output of greedy decoding."""

    tokens: tuple[str, ...]  # without start and end tokens
    text: str
    finished: bool  # whether the model wrote its end token within the limit


def can_translate(scenario: Scenario) -> bool:
    """Return whether text can be typed and the model has start and end tokens."""
    vocabulary = scenario.vocabulary
    if vocabulary.of_text or not scenario.can_write:
        return False
    is_cut = vocabulary.unit == "character" or vocabulary.pieces is not None
    return is_cut or scenario.data is not None


def can_be_typed(scenario: Scenario) -> bool:
    """Return whether text can be typed for the model to translate, continue or fill in."""
    if scenario.config.kind == "encoder-decoder":
        return can_translate(scenario)
    known, data = scenario.vocabulary, scenario.data
    return not known.of_text and data is not None and data.kind == scenario.config.kind


def read_side(scenario: Scenario) -> Side:
    """Return the side of the text that is given to the model."""
    return "target" if scenario.config.kind == "decoder-only" else "source"


def is_dates(scenario: Scenario) -> bool:
    """Return whether the model reads and writes the characters of the date translator."""
    known = scenario.vocabulary
    return can_translate(scenario) and (known.source, known.target) == (DATES.tokens, DATES.tokens)


def with_text(scenario: Scenario, text: str, side: Side | None = None) -> Scenario:
    """Replace the source by a typed text, or the target by the start token and the text.

    Without a side, replace the text that the model reads. In a model with one stack, also replace
    the expected word by a correct word.

    Raises:
        ValueError: the text has an unknown character or is too long, or the model's tokenization is
            unknown.
    """
    if side is None:
        return with_right_word(with_text(scenario, text, read_side(scenario)))
    vocabulary = _vocabulary(scenario)
    if side == "target":
        start = () if vocabulary.start is None else (vocabulary.start,)
        return scenario.with_tokens("target", (*start, *_cut(vocabulary, text, "target")))
    if vocabulary.pieces is not None:
        ends = [] if vocabulary.row("source", vocabulary.end) is None else [vocabulary.end or ""]
        return scenario.with_tokens("source", [*_cut(vocabulary, text), *ends])
    is_framed = scenario.config.kind == "encoder-decoder"
    if (
        is_framed
        and vocabulary.unit == "character"
        and vocabulary.source[-len(SPECIAL) :] == SPECIAL
    ):
        tokenizer = Tokenizer(vocabulary.source)
        length = dates.SOURCE_LENGTH if is_dates(scenario) else None
        ids = tokenizer.encode(text, length)
        return scenario.with_tokens("source", [tokenizer.tokens[i] for i in ids])
    return scenario.with_tokens("source", _cut(vocabulary, text))


def with_right_word(scenario: Scenario) -> Scenario:
    """Replace the expected word by a correct word for the next position or the blank, if known.

    An expected word that is already correct stays.
    """
    data = scenario.data
    if data is None or data.kind != scenario.config.kind:
        return scenario
    right = data.right_words(getattr(scenario, read_side(scenario)))
    if not right or scenario.expected in right:
        return scenario
    return scenario.with_expected(right[0])


def _cut(vocabulary: Vocabulary, text: str, side: Side = "source") -> list[str]:
    """Split a text into tokens, without start and end."""
    pieces = vocabulary.pieces if side == "source" else vocabulary.target_pieces
    if pieces is not None:
        found = pieces.segment(text)
        return [p if vocabulary.row(side, p) is not None else "<unk>" for p in found]
    if vocabulary.pieces is not None:
        raise ValueError(
            f"The page does not know how this model splits a text of the {side}: give its tokens."
        )
    return list(units(text, vocabulary.unit))


def text_of(scenario: Scenario, side: Side | None = None) -> str:
    """Return the text of a side, by default the side that the model reads, as a user types it."""
    side = side or read_side(scenario)
    return joined_text(scenario, scenario.source if side == "source" else scenario.target)


def translation(scenario: Scenario, model: Transformer) -> Translation:
    """Translate the source by greedy decoding, with edited parameters.

    Overridden cells are ignored, because they belong to the pass on the page. ``model`` has no
    edits. Raise ``ValueError`` if the logits are not finite.
    """
    vocabulary = _vocabulary(scenario)
    start, end = vocabulary.ids("target", (vocabulary.start or "", vocabulary.end or ""))
    longest = MAX_TOKENS
    if scenario.settings.positions == "learned":
        longest = min(longest, scenario.locked.max_positions)
    limit = dates.TARGET_LENGTH if is_dates(scenario) else longest
    found = greedy_decode(
        model.with_parameters(edited_parameters(scenario, model)),
        scenario.ids("source"),
        Decoding(
            start=start,
            end=end,
            max_length=limit - 1,
            forbidden_tokens=vocabulary.forbidden_ids,
        ),
        keep_probabilities=False,
    )
    tokens = tuple(vocabulary.target[i] for i in found.rows()[0])
    return Translation(tokens, joined_text(scenario, tokens), bool(found.finished[0]))


def answer(scenario: Scenario, model: Transformer) -> Translation:
    """Return the model's output for its text: a translation, a continuation, or filled blanks.

    Raise ``ValueError`` if the logits are not finite.
    """
    kind, vocabulary = scenario.config.kind, _vocabulary(scenario)
    if kind == "encoder-decoder":
        return translation(scenario, model)
    edited = model.with_parameters(edited_parameters(scenario, model))
    if kind == "encoder-only":
        special = (vocabulary.start, vocabulary.end, vocabulary.pad)
        rows = (vocabulary.row("source", token) for token in special)
        never = [row for row in rows if row is not None]
        mask = vocabulary.row("source", scenario.blank_token)
        if mask is None:
            raise ValueError(f"The vocabulary of this model has no {MASK} that could be filled.")
        ids = fill_blanks(edited, scenario.ids("source"), mask, forbidden_tokens=never).ids[0]
        filled = tuple(vocabulary.source[i] for i in ids)
        return Translation(filled, joined_text(scenario, filled), True)
    start, end = vocabulary.ids("target", (vocabulary.start or "", vocabulary.end or ""))
    given = [token for token in scenario.target if token != vocabulary.start]
    length = max(MAX_TOKENS - 1 - len(given), 1)
    if scenario.settings.positions == "learned":
        length = max(min(length, scenario.locked.max_positions - 1 - len(given)), 1)
    prefix = vocabulary.ids("target", given)
    decoding = Decoding(start, end, length, vocabulary.forbidden_ids, prefix)
    found = greedy_decode(edited, None, decoding, keep_probabilities=False)
    tokens = (*given, *(vocabulary.target[i] for i in found.rows()[0]))
    return Translation(tokens, joined_text(scenario, tokens), bool(found.finished[0]))


def with_translation(scenario: Scenario, answer: Translation) -> Scenario:
    """Replace the target by the start token and an answer, or a source by its filled version."""
    if read_side(scenario) == "source" and not scenario.settings.decoder_layers:
        return scenario.with_tokens("source", answer.tokens)
    start = _vocabulary(scenario).start or ""
    return scenario.with_tokens("target", (start, *answer.tokens))


def data_of(scenario: Scenario) -> TrainingData | None:
    """Return the training data, or the built-in dates for a date translator from a file."""
    if scenario.data is None and is_dates(scenario):
        return DATE_PAIRS
    return scenario.data


def joined_text(scenario: Scenario, tokens: tuple[str, ...]) -> str:
    """Join tokens into readable text, without start, end and padding."""
    vocabulary = scenario.vocabulary
    special = (vocabulary.start, vocabulary.end, vocabulary.pad)
    words = [token for token in tokens if token not in special]
    if vocabulary.pieces is not None:
        return joined(words)
    return ("" if vocabulary.unit == "character" else " ").join(words)


def _vocabulary(scenario: Scenario) -> Vocabulary:
    """Return the model's own vocabulary."""
    if scenario.own_vocabulary is None:
        raise ValueError("This model has no vocabulary of its own to translate with.")
    return scenario.vocabulary


def edited_parameters(scenario: Scenario, model: Transformer) -> dict[str, np.ndarray]:
    """Return the edited parameters: path -> array with the edits applied."""
    found = {}
    for path, cells in scenario.overrides().items():
        if path in model.parameters:
            found[path] = model.parameters[path].copy()
            for index, value in cells.items():
                found[path][index] = value
    return found
