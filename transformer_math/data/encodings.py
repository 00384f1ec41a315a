"""Finds the character encoding of a text file.

UTF-8 and UTF-16 can be recognized by a byte order mark, by byte sequences that are rare in other
encodings, or by zero bytes. Any other file is decoded as Windows-1252, which contains the printable
characters of Latin-1, because statistical detectors are mostly wrong for files of a few lines.
"""

from __future__ import annotations

import re
from typing import NamedTuple

WINDOWS, LATIN = "Windows-1252", "Latin-1 (in Windows-1252 the same)"
_MARKS = (
    (b"\xef\xbb\xbf", "utf-8", "UTF-8 with a byte order mark"),
    (b"\xff\xfe\0\0", "utf-32-le", "UTF-32"),
    (b"\0\0\xfe\xff", "utf-32-be", "UTF-32"),
    (b"\xff\xfe", "utf-16-le", "UTF-16"),
    (b"\xfe\xff", "utf-16-be", "UTF-16"),
)
_PACKED = {b"PK\3\4": "a zip archive", b"\x1f\x8b": "a gzip archive"}
# Beginnings of files that are chosen by mistake.
_NO_TEXTS = {
    b"\x89PNG": "a picture (PNG)",
    b"\xff\xd8\xff": "a picture (JPEG)",
    b"GIF8": "a picture (GIF)",
    b"%PDF": "a PDF document",
}
_UNDEFINED = frozenset(b"\x81\x8d\x8f\x90\x9d")  # in Windows-1252
_CONTROLS = re.compile("[\0-\x08\x0e-\x1f]")  # without ends of lines
_MAX_CONTROLS = 0.1  # maximum share of control characters in a text
_LEAST_ZEROS = 0.2  # minimum share of zero bytes in UTF-16; it is 0.5 if all letters are Latin


class Decoded(NamedTuple):
    """A text and the name of its encoding.

    Attributes:
        text: the text, without a byte order mark; U+FFFD replaces damaged bytes.
        encoding: the name of the encoding.
        is_guess: whether the bytes would be a text in other encodings as well.
    """

    text: str
    encoding: str
    is_guess: bool = False


def decode(data: bytes, encoding: str | None = None) -> Decoded:
    """Return the text of a file.

    Args:
        data: the content of the file.
        encoding: the name of a codec of Python; None to find the encoding.

    Raises:
        ValueError: the file is no text, or not in this encoding.
    """
    for start, name in _PACKED.items():
        if data.startswith(start):
            raise ValueError(
                f"The file is {name}: unpack it first, or save the table of a spreadsheet as CSV."
            )
    for start, name in _NO_TEXTS.items():
        if data.startswith(start):
            raise ValueError(f"The file is {name}, which is no text.")
    found = _found(data) if encoding is None else _named(data, encoding)
    _check_is_text(found.text)
    return found


def _check_is_text(text: str) -> None:
    if len(_CONTROLS.findall(text)) > _MAX_CONTROLS * len(text):
        raise ValueError("The file is no text: it has bytes that are no characters.")


def _found(data: bytes) -> Decoded:
    for mark, codec, name in _MARKS:
        if data.startswith(mark):
            return Decoded(data[len(mark) :].decode(codec, "replace"), name)
    if data.count(0) > _LEAST_ZEROS * len(data):
        is_little = data[1::2].count(0) > data[::2].count(0)
        codec = "utf-16-le" if is_little else "utf-16-be"
        return Decoded(data.decode(codec, "replace"), "UTF-16")
    text = data.decode("utf-8", "replace")
    damaged = text.count("\ufffd")
    # A UTF-8 file with a few damaged bytes is not decoded as Windows-1252.
    if not damaged or len(text) - len(text.encode("ascii", "ignore")) > 2 * damaged:
        return Decoded(text, "UTF-8")
    if _UNDEFINED.intersection(data):
        _check_is_text(data.decode("latin-1"))
        raise ValueError(
            "The encoding of the file is not known: save it as UTF-8, or name its encoding."
        )
    is_windows = any(0x80 <= byte < 0xA0 for byte in set(data))
    return Decoded(data.decode("cp1252"), WINDOWS if is_windows else LATIN, is_guess=True)


def _named(data: bytes, encoding: str) -> Decoded:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise ValueError(
            f"The file is not in {encoding}: its byte {error.start + 1:,} fits no character."
        ) from None
    except (LookupError, ValueError):
        raise ValueError(f"There is no encoding of texts called {encoding!r:.40}.") from None
    return Decoded(text.removeprefix("\ufeff"), encoding, is_guess=True)
