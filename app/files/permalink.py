"""A visit as the end of an address: JSON, compressed, in letters that an address may have."""

from __future__ import annotations

import base64
import binascii
import re
import zlib

from .scenario_json import Saved, read_text, text

LONGEST_LINK = 2_000  # characters that every mail program and browser takes; beyond it, a file
LONGEST_READ = 500_000
LONGEST_TEXT = 4_000_000

_ALPHABET = re.compile(r"[A-Za-z0-9_-]*\Z")


def encode(saved: Saved) -> str:
    """The visit in the letters A–Z a–z 0–9 - and _."""
    packed = zlib.compress(text(saved).encode(), 9)
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


def decode(code: str) -> Saved:
    """The visit that ``encode`` wrote.

    Raises:
        ValueError: one sentence on what is wrong with it.
    """
    if len(code) > LONGEST_READ:
        raise ValueError(f"It has {len(code):,} characters; at most {LONGEST_READ:,} are read.")
    if not _ALPHABET.match(code):
        raise ValueError("It is damaged: it has letters that no link has.")
    try:
        packed = base64.urlsafe_b64decode(code + "=" * (-len(code) % 4))
        unpacking = zlib.decompressobj()
        written = unpacking.decompress(packed, LONGEST_TEXT)
        if unpacking.unconsumed_tail:
            raise ValueError(f"It unpacks to more than {LONGEST_TEXT:,} characters.")
        if not unpacking.eof:
            raise ValueError("It is damaged: its end is missing.")
        return read_text(written.decode())
    except (binascii.Error, zlib.error, UnicodeDecodeError):
        raise ValueError("It is damaged: it cannot be unpacked.") from None
