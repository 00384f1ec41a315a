"""Pads a text to the length in training, so that the page can show the effect of padding."""

from typing import NamedTuple

from transformer_math.data import dates, phrases

from ..scenario.scenario import Scenario

# Data -> the lengths of its sources and targets in tokens.
_LENGTHS = {
    "phrases": (phrases.SOURCE_LENGTH, phrases.TARGET_LENGTH),
    "dates": (dates.SOURCE_LENGTH, dates.TARGET_LENGTH),
}


class Lengths(NamedTuple):
    """The lengths in tokens to which sources and targets are padded."""

    source: int
    target: int


def lengths(scenario: Scenario) -> Lengths | None:
    """Return the lengths to which the training data are padded; None if unknown or unpadded."""
    data, known = scenario.data, scenario.vocabulary
    if data is None or data.name not in _LENGTHS or None in (known.pad, known.start, known.end):
        return None
    return Lengths(*_LENGTHS[data.name])


def is_padded(scenario: Scenario) -> bool:
    """Return whether a text ends with padding, or both texts already have the padded length."""
    pad = scenario.vocabulary.pad
    if pad is None or pad in (scenario.source[-1], scenario.target[-1]):
        return pad is not None
    if scenario.writes_itself or lengths(scenario) is None:
        return False
    padded = with_padding(scenario, True)
    return (padded.source, padded.target) == (scenario.source, scenario.target)


def with_padding(scenario: Scenario, on: bool) -> Scenario:
    """Pad both texts as training does, or remove the padding and let the model write again.

    Texts longer than in training stay unpadded. The padded target is fixed and has its end token,
    as the decoder reads it in training. Raise ``ValueError`` if the model does not pad its texts.
    """
    to, known = lengths(scenario), scenario.vocabulary
    if to is None or known.pad is None:
        raise ValueError("This model does not pad its texts.")
    source = _without(scenario.source, known.pad)
    if not on:
        new = scenario.with_tokens("source", source)
        target = tuple(token for token in new.target if token not in (known.pad, known.end))
        return new.with_writing(True) if new.can_write else new.with_tokens("target", target)
    target = _without(scenario.target, known.pad)
    if target[-1] != known.end:
        target = (*target, known.end or "")
    new = scenario.with_tokens("source", _filled(source, to.source, known.pad))
    return new.with_tokens("target", _filled(target, to.target, known.pad))


def _without(tokens: tuple[str, ...], pad: str) -> tuple[str, ...]:
    end = len(tokens)
    while end > 1 and tokens[end - 1] == pad:
        end -= 1
    return tokens[:end]


def _filled(tokens: tuple[str, ...], length: int, pad: str) -> tuple[str, ...]:
    return (*tokens, *[pad] * (length - len(tokens)))
