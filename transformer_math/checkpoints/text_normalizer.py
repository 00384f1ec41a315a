"""Text normalization of SentencePiece, before text is divided into pieces.

The rules (for example NFKC, by which "ﬁ" becomes "fi") are stored in the model as a *character
map*: four bytes with the size of a trie, the trie, and the replacements, each of which ends with a
zero byte. The trie is a double array (J. Aoe, 1989) over the bytes of UTF-8, in the layout of
Darts-clone. A unit of 32 bits has a label in its lowest 8 bits, a flag for a value in bit 8, and
an offset in the bits from 10 on, which is shifted by 8 if bit 9 is set.
"""

from __future__ import annotations

import struct
from typing import NamedTuple

SPACE = "▁"  # U+2581, which represents a space in a piece

MAX_REPLACEMENT = 1024  # bytes; the longest replacement of Unicode has 33

_LABEL = 0x8000_00FF  # includes the highest bit, which is set in values, so that they match no byte


class CharacterMap:
    """The normalization rules, which replace the longest key that matches.

    Raises:
        ValueError: the bytes are not a trie and replacements.
    """

    def __init__(self, data: bytes) -> None:
        size = int.from_bytes(data[:4], "little")
        if len(data) < 4 or size % 4 or not 4 <= size <= len(data) - 4:
            raise ValueError("Its character map is damaged.")
        self._units = struct.unpack_from(f"<{size // 4}I", data, 4)
        self._replacements = data[4 + size :]
        longest = max(map(len, self._replacements.split(b"\0")))
        if longest > MAX_REPLACEMENT:
            raise ValueError(f"Its character map replaces by {longest:,} bytes in one place.")

    def longest(self, text: bytes, at: int) -> tuple[bytes, int] | None:
        """Return the replacement of the longest key at an index, and its end; None if none fits."""
        units = self._units
        found = None
        node = _offset(units[0])
        for end in range(at, len(text)):
            node ^= text[end]
            if node >= len(units) or units[node] & _LABEL != text[end]:
                break
            has_value, node = units[node] >> 8 & 1, node ^ _offset(units[node])
            if has_value and node < len(units):
                found = units[node] & 0x7FFF_FFFF, end + 1
        if found is None:
            return None
        start, end = found
        close = self._replacements.find(b"\0", start)
        return self._replacements[start : close if close >= 0 else None], end


def _offset(unit: int) -> int:
    """Return the offset in a unit of the double array."""
    return unit >> 10 << (8 if unit & 0x200 else 0)


class Normalizer(NamedTuple):
    """Normalizes text by a character map and rules for spaces.

    Attributes:
        rules: the character map; None for no replacements.
        whole: texts that are not changed, longest first.
        starts_with_space: whether a space is added at the start.
        drops_spaces: whether spaces are removed at both ends, and repeated spaces within.
        escapes_spaces: whether spaces become "▁".
    """

    rules: CharacterMap | None
    whole: tuple[str, ...] = ()
    starts_with_space: bool = True
    drops_spaces: bool = True
    escapes_spaces: bool = True

    def __call__(self, text: str) -> str:
        """Return the normalized text; unpaired surrogates become "�"."""
        data = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()
        whole = [word.encode() for word in self.whole]
        parts, at = [], 0
        while at < len(data):
            part, at = self._next(data, at, whole)
            parts.append(part.decode("utf-8", "replace"))
        return self._spaced(parts)

    def _next(self, data: bytes, at: int, whole: list[bytes]) -> tuple[bytes, int]:
        """Return the replacement of the next characters, and the index after them."""
        for word in whole:
            if data.startswith(word, at):
                return word, at + len(word)
        found = self.rules.longest(data, at) if self.rules else None
        if found:
            return found
        end = at + 1
        while end < len(data) and data[end] & 0xC0 == 0x80:  # continuation bytes of UTF-8
            end += 1
        return data[at:end], end

    def _spaced(self, parts: list[str]) -> str:
        """Return the parts joined, with the rules for spaces applied."""
        space = SPACE if self.escapes_spaces else " "
        if not parts:
            return ""
        kept, after_space = [], self.drops_spaces
        for part in parts:
            part = part.lstrip(" ") if after_space else part
            if part:
                kept.append(part.replace(" ", space))
                after_space = self.drops_spaces and part.endswith(" ")
        body = (space if self.starts_with_space else "") + "".join(kept)
        while self.drops_spaces and body.endswith(space):
            body = body[: -len(space)]
        return body
