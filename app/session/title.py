"""A scenario in one line: what the model reads and what it writes."""

from transformer_math.checkpoints.sentencepiece import joined

from ..model.scenario.scenario import Scenario
from ..typed_text import isolated

NAME = "Tinkerformer"
ARROW = " → "
LONGEST = 90  # characters of one side


def words_of(scenario: Scenario, tokens: tuple[str, ...]) -> tuple[str, ...]:
    """Tokens without start, end and padding."""
    known = scenario.vocabulary
    special = (known.start, known.end, known.pad)
    return tuple(token for token in tokens if token not in special)


def sides(scenario: Scenario) -> tuple[str, str]:
    """The texts that the model reads and writes; empty if it has no such side."""
    settings = scenario.settings
    read = _text(scenario, scenario.source) if settings.has_encoder else ""
    written = _text(scenario, scenario.target) if settings.has_decoder else ""
    return read, written


def _text(scenario: Scenario, tokens: tuple[str, ...]) -> str:
    known, words = scenario.vocabulary, words_of(scenario, tokens)
    if known.pieces is not None:
        return joined(words)
    return ("" if known.unit == "character" else " ").join(words)


def title_of(scenario: Scenario) -> str:
    """Both texts with an arrow between them; empty if there is neither."""
    return ARROW.join(isolated(short(text)) for text in sides(scenario) if text)


def window_title(scenario: Scenario) -> str:
    """The title of the page's window or tab."""
    said = title_of(scenario)
    return f"{said} · {NAME}" if said else NAME


def short(text: str, most: int = LONGEST) -> str:
    """A text cut to a number of characters, with control characters and line ends as spaces."""
    if not text.isprintable():
        text = "".join(letter if letter.isprintable() else " " for letter in text)
    plain = " ".join(text.split())
    return plain if len(plain) <= most else f"{plain[: most - 1].rstrip()}…"
