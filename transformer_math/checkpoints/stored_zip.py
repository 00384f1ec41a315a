"""ZIP archives whose members are stored without compression, as PyTorch writes them.

The format: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT. The directory at the end
of the archive has the name, the size and the offset of each member. Without compression no member
is larger than its part of the file.
"""

from __future__ import annotations

import struct
from typing import NamedTuple

from transformer_math.checkpoints.safetensors import CheckpointError

MOST_MEMBERS = 100_000
LONGEST_NAME = 500  # bytes

_END = struct.Struct("<4s4H2LH")  # the end of the directory
_LOCATOR = struct.Struct("<4sLQL")  # of the end of a directory of ZIP64
_END64 = struct.Struct("<4sQ2H2L4Q")
_ENTRY = struct.Struct("<4s6H3L5H2L")  # an entry of the directory
_LOCAL = struct.Struct("<4s5H3L2H")  # the record before the bytes of a member
_FULL16, _FULL32 = 0xFFFF, 0xFFFFFFFF  # the real number is in a field of ZIP64
_ZIP64 = 1


class StoredZip:
    """An archive, of which only members without compression and encryption are read.

    Attributes:
        names: the names of all members.

    Raises:
        CheckpointError: the archive is damaged, or has a name twice or too many members.
    """

    def __init__(self, data: memoryview) -> None:
        count, size, start = _directory(data)
        if count > MOST_MEMBERS:
            raise CheckpointError(
                f"The archive claims {count:,} members; at most {MOST_MEMBERS:,} are read."
            )
        if start + size > len(data):
            raise CheckpointError("The archive is truncated: its directory ends beyond it.")
        self._before = data[:start]
        self._members: dict[str, _Member] = {}
        directory, at = data[start : start + size], 0
        for _ in range(count):
            name, member, at = _entry(directory, at)
            if name in self._members:
                raise CheckpointError(f"The archive has {name:.60} twice.")
            self._members[name] = member
        if sum(member.size for member in self._members.values()) > start:
            raise CheckpointError("The members of the archive do not fit into it.")
        self.names = self._members.keys()

    def read(self, name: str) -> memoryview:
        """Return the bytes of a member; they are not copied.

        Raises:
            CheckpointError: the member is compressed, encrypted, or not within the archive.
        """
        member = self._members[name]
        if member.is_packed:
            raise CheckpointError(
                f"{name:.60} in the archive is compressed or encrypted, which is not read."
            )
        fields = _fields(_LOCAL, self._before, member.where, b"PK\3\4")
        start = member.where + _LOCAL.size + fields[-2] + fields[-1]
        if start + member.size > len(self._before):
            raise CheckpointError(f"The archive is damaged: {name:.60} ends beyond it.")
        return self._before[start : start + member.size]


class _Member(NamedTuple):
    """Offset of the record before the bytes of a member, and their number."""

    where: int
    size: int
    is_packed: bool


def _fields(layout: struct.Struct, data: memoryview, at: int, mark: bytes) -> tuple[int, ...]:
    """Return the integers of a record after its mark."""
    if not 0 <= at <= len(data) - layout.size or data[at : at + 4] != mark:
        raise CheckpointError(f"The archive is damaged: a record is missing at byte {at:,}.")
    return layout.unpack_from(data, at)[1:]


def _directory(data: memoryview) -> tuple[int, int, int]:
    """Return the number of entries of the directory, its size and its offset in bytes."""
    first = max(0, len(data) - _END.size - _FULL16)  # a comment may follow
    at = first + bytes(data[first:]).rfind(b"PK\5\6")
    if at < first:
        raise CheckpointError("The archive is truncated: it has no directory at its end.")
    _, _, _, count, size, start, _ = _fields(_END, data, at, b"PK\5\6")
    if count == _FULL16 or _FULL32 in (size, start):
        _, where, _ = _fields(_LOCATOR, data, at - _LOCATOR.size, b"PK\6\7")
        *_, count, size, start = _fields(_END64, data, where, b"PK\6\6")
    return count, size, start


def _entry(directory: memoryview, at: int) -> tuple[str, _Member, int]:
    """Return the name and place of a member, and the index of the next entry."""
    fields = _fields(_ENTRY, directory, at, b"PK\1\2")
    flags, method, packed, size = fields[2], fields[3], fields[7], fields[8]
    name_size, extra_size, comment_size, where = *fields[9:12], fields[15]
    name_end = at + _ENTRY.size + name_size
    end = name_end + extra_size + comment_size
    if end > len(directory) or name_size > LONGEST_NAME:
        raise CheckpointError("The archive is damaged: a name in it is too long.")
    try:
        name = str(directory[name_end - name_size : name_end], "utf-8")
    except UnicodeDecodeError:
        raise CheckpointError("The archive has a name that is not UTF-8.") from None
    if _FULL32 in (size, packed, where):
        extra = directory[name_end : name_end + extra_size]
        size, packed, where = _extended(extra, name, [size, packed, where])
    is_packed = method != 0 or size != packed or flags & 1 != 0
    return name, _Member(where, packed, is_packed), end


def _extended(extra: memoryview, name: str, fields: list[int]) -> list[int]:
    """Return the fields of an entry; numbers of ZIP64 replace fields at their largest value."""
    at = 0
    while at + 4 <= len(extra):
        kind, size = struct.unpack_from("<2H", extra, at)
        at += 4
        if kind == _ZIP64 and at + size <= len(extra):
            numbers = iter(struct.unpack_from(f"<{size // 8}Q", extra, at))
            return [next(numbers, _FULL32) if n == _FULL32 else n for n in fields]
        at += size
    raise CheckpointError(f"The archive is damaged: {name:.60} has no size.")
