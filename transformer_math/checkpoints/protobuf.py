"""A reader of the wire format of Protocol Buffers.

A message is a sequence of fields, each with a number, a wire type and a value
(https://protobuf.dev/programming-guides/encoding). There is no schema: the caller reads fields by
number and type.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

_VARINT, _FIXED64, _CHUNK, _FIXED32 = 0, 1, 2, 5
_FIXED = {_FIXED64: 8, _FIXED32: 4}
_MAX_VARINT = 10


class WireError(ValueError):
    """The bytes are not a valid message; the text is one sentence with the reason."""


class Message:
    """The fields of one message.

    Raises:
        WireError: the bytes are not a message, or a method does not read the type of its field.
    """

    __slots__ = ("_fields",)

    def __init__(self, data: bytes) -> None:
        self._fields: dict[int, list[tuple[int, int | bytes]]] = {}
        for number, wire, value in _fields(data):
            self._fields.setdefault(number, []).append((wire, value))

    def chunks(self, number: int) -> list[bytes]:
        """Return all values of a field of bytes, strings or messages."""
        return [value for value in self._values(number, _CHUNK) if isinstance(value, bytes)]

    def chunk(self, number: int) -> bytes:
        """Return the last value of a field of bytes or strings; ``b""`` if there is none."""
        return (self.chunks(number) or [b""])[-1]

    def message(self, number: int) -> Message:
        """Return the message of a field; several messages are merged, as the format requires."""
        return Message(b"".join(self.chunks(number)))

    def integer(self, number: int, default: int) -> int:
        """Return the last value of a field of unsigned integers or Booleans."""
        values = self._values(number, _VARINT)
        return int(values[-1]) if values else default

    def float32(self, number: int, default: float) -> float:
        """Return the last value of a field of floats."""
        values = self._values(number, _FIXED32)
        if not values:
            return default
        assert isinstance(values[-1], bytes)
        return float(struct.unpack("<f", values[-1])[0])

    def _values(self, number: int, wire: int) -> list[int | bytes]:
        found = self._fields.get(number, [])
        if any(theirs != wire for theirs, _ in found):
            raise WireError(f"Its field {number} is of another type than the schema's.")
        return [value for _, value in found]


def _fields(data: bytes) -> Iterator[tuple[int, int, int | bytes]]:
    """Yield the number, wire type and value of each field."""
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        number, wire = tag >> 3, tag & 7
        if not number:
            raise WireError("It has a field of the number 0.")
        if wire == _VARINT:
            value, at = _varint(data, at)
            yield number, wire, value
            continue
        if wire == _CHUNK:
            size, at = _varint(data, at)
        elif wire in _FIXED:
            size = _FIXED[wire]
        else:
            raise WireError(f"It has a field of the unknown wire type {wire}.")
        if at + size > len(data):
            raise WireError("It is truncated: a field reaches beyond its end.")
        yield number, wire, data[at : at + size]
        at += size


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """Return an integer of seven bits a byte, lowest first, and the index after it."""
    value = 0
    for n, byte in enumerate(data[at : at + _MAX_VARINT]):
        value |= (byte & 0x7F) << (7 * n)
        if byte < 0x80:
            return value, at + n + 1
    raise WireError("It is truncated or damaged: a number in it has no end.")
