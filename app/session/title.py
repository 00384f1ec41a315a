"""Describes a scenario in one line, by the texts that the model reads and writes."""

from ..model.inference.text import joined_text
from ..model.scenario.scenario import Scenario
from ..typed_text import isolated

NAME = "Tinkerformer"
ARROW = " → "
LONGEST = 90  # maximum number of characters of one side


def words_of(scenario: Scenario, tokens: tuple[str, ...]) -> tuple[str, ...]:
    """Return tokens without start, end and padding."""
    known = scenario.vocabulary
    special = (known.start, known.end, known.pad)
    return tuple(token for token in tokens if token not in special)


def sides(scenario: Scenario) -> tuple[str, str]:
    """Return the texts that the model reads and writes; a text is empty if its side is absent."""
    settings = scenario.settings
    read = joined_text(scenario, scenario.source) if settings.has_encoder else ""
    written = joined_text(scenario, scenario.target) if settings.has_decoder else ""
    return read, written


def title_of(scenario: Scenario) -> str:
    """Return both texts with an arrow between them; empty if there is neither."""
    return ARROW.join(isolated(short(text)) for text in sides(scenario) if text)


def window_title(scenario: Scenario) -> str:
    """Return the title of the page's window or tab."""
    said = title_of(scenario)
    return f"{said} · {NAME}" if said else NAME


def short(text: str, most: int = LONGEST) -> str:
    """Cut a text to a number of characters, and replace control characters and line ends."""
    if not text.isprintable():
        text = "".join(letter if letter.isprintable() else " " for letter in text)
    plain = " ".join(text.split())
    return plain if len(plain) <= most else f"{plain[: most - 1].rstrip()}…"
