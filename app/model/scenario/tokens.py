"""Validation of token lists."""

from collections.abc import Iterable

from ...number_text import joined
from ...typed_text import has_whole_characters, quoted
from .limits import MAX_TOKEN_LENGTH, MAX_TOKENS

_MAX_LISTED = 150


def checked_tokens(tokens: Iterable[str], what: str) -> tuple[str, ...]:
    """Return the tokens; ``ValueError`` names the limit if their number or length exceeds it."""
    new = tuple(str(token) for token in tokens)
    if not new:
        raise ValueError(f"The {what} keeps at least 1 token.")
    if len(new) > MAX_TOKENS:
        raise ValueError(f"The {what} has room for {MAX_TOKENS} tokens, not {len(new)}.")
    for token in new:
        if not has_whole_characters(token):
            raise ValueError("A token is made of whole characters, and one here has half of one.")
        if len(token) > MAX_TOKEN_LENGTH:
            most = MAX_TOKEN_LENGTH
            raise ValueError(f"A token has at most {most} characters, not {len(token)}.")
    return new


def known_tokens(tokens: Iterable[str], what: str, known: tuple[str, ...]) -> tuple[str, ...]:
    """Return the tokens; raise ``ValueError`` unless a closed vocabulary contains all of them."""
    new = tuple(tokens)
    if not 1 <= len(new) <= MAX_TOKENS:
        raise ValueError(f"The {what} has room for 1 to {MAX_TOKENS} tokens, not {len(new)}.")
    unknown = set(new).difference(known)
    for at, token in enumerate(new):
        if token in unknown:
            named = quoted(token[:24]) if token.strip() else "a blank" if token else "an empty one"
            raise ValueError(
                f"The token at position {at} is {named}, which this model does not know; "
                f"it knows {vocabulary_summary(known)}."
            )
    return new


def vocabulary_summary(vocabulary: tuple[str, ...]) -> str:
    """Return a short description of a vocabulary: ``0–9, A–Z, a–z, -, and <sos>``."""
    if len(vocabulary) > _MAX_LISTED:
        return f"{len(vocabulary):,} tokens, such as {quoted(vocabulary[len(vocabulary) // 2])}"
    parts: list[list[str]] = []
    for token in vocabulary:
        before = parts[-1][-1] if parts else ""
        follows = len(token) == len(before) == 1 and token.isalnum() and before.isalnum()
        if follows and ord(token) == ord(before) + 1:
            parts[-1].append(token)
        else:
            parts.append([token])
    words = []
    for part in parts:
        if len(part) > 2:
            words.append(f"{part[0]}–{part[-1]}")
        else:
            words += ["the space" if token == " " else quoted(token) for token in part]
    return joined(words)
