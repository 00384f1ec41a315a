"""Formats texts for use in sentences: typed text is quoted, and its direction isolated."""

import re
import unicodedata

# Right-to-left characters and directional controls, by their Unicode bidirectional class.
_TURNING = frozenset(
    {"R", "AL", "AN", "LRE", "LRO", "RLE", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
)
_BEGIN, _END = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"


def isolated(typed: str) -> str:
    """Isolate typed text so that its direction does not reorder the surrounding sentence.

    Text without right-to-left characters is unchanged; from other text, characters that would end
    the isolation are removed.
    """
    if typed.isascii() or not any(
        unicodedata.bidirectional(letter) in _TURNING for letter in typed
    ):
        return typed
    return f"{_BEGIN}{typed.replace(_END, '')}{_END}"


def quoted(typed: str) -> str:
    """Return typed text in quotes."""
    return f"“{isolated(typed)}”"


def upper_first(text: str) -> str:
    """Return the text with a capital at its beginning, unless a symbol such as d_model is there."""
    return re.sub(r"^[a-z](?=[a-z]+\b)", lambda first: first[0].upper(), text)


def has_whole_characters(text: str) -> bool:
    """Return whether a text can be encoded: it has no unpaired surrogate."""
    return not any("\ud800" <= letter <= "\udfff" for letter in text)
