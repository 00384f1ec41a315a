"""Encodes a saved session as the fragment of a URL: compressed JSON in base64url characters."""

from __future__ import annotations

import base64
import binascii
import re
import zlib

from .session_json import SavedSession, from_json, to_json

MAX_LINK_LENGTH = 2_000  # accepted by every mail program and browser; else a file
MAX_CODE_LENGTH = 500_000
MAX_TEXT_LENGTH = 4_000_000

_ALPHABET = re.compile(r"[A-Za-z0-9_-]*\Z")


def encode(saved: SavedSession) -> str:
    """Encode a session as text of the characters A–Z, a–z, 0–9, - and _."""
    packed = zlib.compress(to_json(saved).encode(), 9)
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


def decode(code: str) -> SavedSession:
    """Decode a session that ``encode`` wrote.

    Raises:
        ValueError: the text is not a valid session; the message is one sentence.
    """
    return from_json(unpacked(code))


def unpacked(code: str, most: int = MAX_TEXT_LENGTH) -> str:
    """Decompress a link to its JSON text.

    Args:
        code: the link's code.
        most: the largest number of bytes to unpack.

    Raises:
        ValueError: the link is malformed or too large; the message is one sentence.
    """
    if len(code) > MAX_CODE_LENGTH:
        raise ValueError(f"It has {len(code):,} characters; at most {MAX_CODE_LENGTH:,} are read.")
    if not _ALPHABET.match(code):
        raise ValueError("It is damaged: it has letters that no link has.")
    try:
        packed = base64.urlsafe_b64decode(code + "=" * (-len(code) % 4))
        unpacking = zlib.decompressobj()
        written = unpacking.decompress(packed, most)
        if unpacking.unconsumed_tail:
            raise ValueError(f"It unpacks to more than {most:,} characters.")
        if not unpacking.eof:
            raise ValueError("It is damaged: its end is missing.")
        return written.decode()
    except (binascii.Error, zlib.error, UnicodeDecodeError):
        raise ValueError("It is damaged: it cannot be unpacked.") from None
