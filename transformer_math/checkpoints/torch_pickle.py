"""A reader of pickles that executes no code.

A pickle is a program for a small stack machine (https://docs.python.org/3/library/pickletools.html)
whose instructions can import any name and call it. This reader executes the instructions without
imports and calls: the result of a call is an inert ``Instance`` with the name and the arguments.
The reader never imports, calls, hashes or compares the content of a file. The number of steps, and
therefore the memory, is bounded.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from transformer_math.checkpoints.safetensors import CheckpointError

MOST_STEPS = 500_000  # three times the steps for a large model with its optimizer
LONGEST_TEXT = 4096  # bytes; longer texts are not read
LONGEST_INTEGER = 64  # bytes
LONGEST_NAME = 500  # bytes of the name of a class or function


class Table(list[tuple[Any, Any]]):
    """A dict as pairs of key and value, because hashing a hostile key can take forever."""

    __slots__ = ()


@dataclass(slots=True, eq=False, repr=False)
class Named:
    """A class or a function by its full name; it is not imported."""

    name: str


@dataclass(slots=True, eq=False, repr=False)
class Instance:
    """The result of a call that was not made.

    Attributes:
        name: the full name of the class or function.
        args: the arguments of the call.
        entries: the keys and values that would be set in the result.
        items: the values that would be appended to the result.
        state: the attributes of the result, usually a ``Table``.
    """

    name: str
    args: tuple[Any, ...]
    entries: Table | None = None
    items: list[Any] | None = None
    state: Any = None


@dataclass(slots=True, eq=False, repr=False)
class Unread:
    """A value that is not read; ``words`` describes it."""

    words: str


def read_pickle(
    data: memoryview,
    at: int,
    persistent: Callable[[Any], Any] | None = None,
    most: int = MOST_STEPS,
) -> tuple[Any, int]:
    """Return the value of a pickle of protocol 2 to 5, and the index after it.

    The value consists of None, bool, int, float, str, list (also for sets), tuple, ``Table``,
    ``Named``, ``Instance``, ``Unread`` and results of ``persistent``. It may contain itself.

    Args:
        data: the bytes.
        at: the index of the first byte of the pickle.
        persistent: makes an object of a persistent id, which PyTorch uses for storages; without it
            these ids are refused.
        most: the largest number of steps: one for each instruction, and for 16 bytes of a text.

    Raises:
        CheckpointError: the pickle is damaged, too long, or has an unsupported instruction.
    """
    machine = _Machine(data, at, persistent, most)
    return machine.run(), machine.at


class _Machine:
    """The state of the stack machine: stack, marks and memo."""

    def __init__(
        self, data: memoryview, at: int, persistent: Callable[[Any], Any] | None, most: int
    ) -> None:
        self.data = data
        self.at = at
        self.persistent = persistent
        self.stack: list[Any] = []
        self.marks: list[int] = []
        self.memo: dict[int, Any] = {}
        self.most = most
        self.steps = 0

    def run(self) -> Any:
        """Return the value on top of the stack at the end of the pickle."""
        while self.at < len(self.data):
            code = self.data[self.at]
            self.at += 1
            if code == _STOP:
                return self.pop()
            if code not in _ACTIONS:
                raise self.error(f"its instruction 0x{code:02x} is not read")
            self.spend(1)
            _ACTIONS[code](self)
        raise self.error("it is truncated")

    def error(self, problem: str) -> CheckpointError:
        """Return an error with the position in the pickle."""
        return CheckpointError(f"The file's pickle cannot be read: {problem} (byte {self.at:,}).")

    def spend(self, steps: int) -> None:
        """Count steps, of which there is a limit."""
        self.steps += steps
        if self.steps > self.most:
            raise self.error(f"it takes more than {self.most:,} steps")

    def take(self, size: int) -> memoryview:
        """Return the next bytes."""
        if size > len(self.data) - self.at:
            raise self.error("it is truncated")
        self.at += size
        return self.data[self.at - size : self.at]

    def number(self, size: int, *, signed: bool = False) -> int:
        """Return the next integer, of this number of bytes."""
        return int.from_bytes(self.take(size), "little", signed=signed)

    def long(self, size: int) -> int:
        """Return the next integer, after its length."""
        length = self.number(size)
        if length > LONGEST_INTEGER:
            raise self.error(f"an integer in it has {length:,} bytes")
        return self.number(length, signed=True)

    def text(self, size: int) -> str | Unread:
        """Return the next text, after its length."""
        raw = self.take(self.number(size))
        if len(raw) > LONGEST_TEXT:
            return Unread(f"a text of {len(raw):,} bytes")
        self.spend(len(raw) // 16)
        try:
            return str(raw, "utf-8")
        except UnicodeDecodeError:
            return Unread(f"{len(raw):,} bytes")

    def binary(self, size: int) -> Unread:
        """Return the next bytes, after their length; they are not kept."""
        return Unread(f"{len(self.take(self.number(size))):,} bytes")

    def line(self) -> str:
        """Return the next text up to the end of a line."""
        end = bytes(self.data[self.at : self.at + LONGEST_NAME]).find(b"\n")
        if end < 0:
            raise self.error("a name in it has no end")
        try:
            return str(self.take(end + 1)[:end], "utf-8")
        except UnicodeDecodeError:
            raise self.error("a name in it is not UTF-8") from None

    def push(self, value: Any) -> None:
        self.stack.append(value)

    def pop(self) -> Any:
        """Return the top of the stack, which must lie above the last mark."""
        if len(self.stack) <= (self.marks[-1] if self.marks else 0):
            raise self.error("its stack is empty")
        return self.stack.pop()

    def pop_many(self, count: int) -> list[Any]:
        return [self.pop() for _ in range(count)][::-1]

    def pop_marked(self) -> list[Any]:
        """Return all values above the last mark, which is removed."""
        if not self.marks:
            raise self.error("its stack has no mark")
        mark = self.marks.pop()
        values = self.stack[mark:]
        del self.stack[mark:]
        return values

    def pop_one(self) -> None:
        """Remove the top of the stack, or a mark."""
        if self.marks and self.marks[-1] == len(self.stack):
            self.marks.pop()
        else:
            self.pop()

    def keep(self, index: int) -> None:
        """Put the top of the stack into the memo."""
        value = self.pop()
        self.memo[index] = value
        self.push(value)

    def recall(self, index: int) -> None:
        if index not in self.memo:
            raise self.error(f"it refers to a value {index:,} that it does not have")
        self.push(self.memo[index])

    def duplicate(self) -> None:
        value = self.pop()
        self.stack += (value, value)

    def named(self, module: Any, name: Any) -> None:
        if type(module) is not str or type(name) is not str:
            raise self.error("it names something by values that are no texts")
        if len(module) + len(name) > LONGEST_NAME:
            raise self.error("a name in it is too long")
        self.spend((len(module) + len(name)) // 16)
        self.push(Named(f"{module}.{name}"))

    def call(self, args: Any) -> None:
        """Replace the callee on the stack by an instance; nothing is called."""
        callee = self.pop()
        if not isinstance(callee, Named | Instance) or type(args) is not tuple:
            raise self.error("it calls something without a name")
        self.push(Instance(callee.name, args))

    def append(self, values: list[Any]) -> None:
        """Append values to the list or instance on the stack."""
        target = self.pop()
        if isinstance(target, Instance) and target.items is None:
            target.items = []
        items = target.items if isinstance(target, Instance) else target
        if type(items) is not list:
            raise self.error("it appends to something that is no list")
        items += values
        self.push(target)

    def set_items(self, values: list[Any]) -> None:
        """Add keys and values, in turn, to the dict or instance on the stack."""
        target = self.pop()
        if isinstance(target, Instance) and target.entries is None:
            target.entries = Table()
        table = target.entries if isinstance(target, Instance) else target
        if type(table) is not Table or len(values) % 2:
            raise self.error("it sets entries of something that is no dict")
        table += zip(values[::2], values[1::2], strict=True)
        self.push(target)

    def table(self, values: list[Any]) -> None:
        self.push(Table())
        self.set_items(values)

    def refer(self, value: Any) -> None:
        if self.persistent is None:
            raise self.error("it refers to something outside")
        self.push(self.persistent(value))

    def build(self) -> None:
        """Keep the attributes of an instance."""
        target, state = self.pop_many(2)
        if not isinstance(target, Instance):
            raise self.error("it sets attributes of something that is no instance")
        target.state = state
        self.push(target)


_STOP = ord(".")
# The instructions of protocols 2 to 5, by their codes; others are refused.
_ACTIONS: dict[int, Callable[[_Machine], Any]] = {
    0x80: lambda m: m.take(1),  # PROTO
    0x95: lambda m: m.take(8),  # FRAME
    ord("N"): lambda m: m.push(None),
    0x88: lambda m: m.push(True),
    0x89: lambda m: m.push(False),
    ord("K"): lambda m: m.push(m.number(1)),
    ord("M"): lambda m: m.push(m.number(2)),
    ord("J"): lambda m: m.push(m.number(4, signed=True)),
    0x8A: lambda m: m.push(m.long(1)),
    0x8B: lambda m: m.push(m.long(4)),
    ord("G"): lambda m: m.push(struct.unpack(">d", m.take(8))[0]),
    ord("U"): lambda m: m.push(m.text(1)),  # a text of Python 2
    ord("T"): lambda m: m.push(m.text(4)),  # a text of Python 2
    0x8C: lambda m: m.push(m.text(1)),
    ord("X"): lambda m: m.push(m.text(4)),
    0x8D: lambda m: m.push(m.text(8)),
    ord("C"): lambda m: m.push(m.binary(1)),
    ord("B"): lambda m: m.push(m.binary(4)),
    0x8E: lambda m: m.push(m.binary(8)),
    0x96: lambda m: m.push(m.binary(8)),  # BYTEARRAY8
    ord("("): lambda m: m.marks.append(len(m.stack)),
    ord("0"): lambda m: m.pop_one(),
    ord("1"): lambda m: m.pop_marked(),
    ord("2"): lambda m: m.duplicate(),
    ord(")"): lambda m: m.push(()),
    ord("t"): lambda m: m.push(tuple(m.pop_marked())),
    0x85: lambda m: m.push(tuple(m.pop_many(1))),
    0x86: lambda m: m.push(tuple(m.pop_many(2))),
    0x87: lambda m: m.push(tuple(m.pop_many(3))),
    ord("]"): lambda m: m.push([]),
    ord("l"): lambda m: m.push(m.pop_marked()),
    ord("a"): lambda m: m.append([m.pop()]),
    ord("e"): lambda m: m.append(m.pop_marked()),
    0x8F: lambda m: m.push([]),  # EMPTY_SET
    0x90: lambda m: m.append(m.pop_marked()),  # ADDITEMS
    0x91: lambda m: m.push(m.pop_marked()),  # FROZENSET
    ord("}"): lambda m: m.push(Table()),
    ord("d"): lambda m: m.table(m.pop_marked()),
    ord("s"): lambda m: m.set_items(m.pop_many(2)),
    ord("u"): lambda m: m.set_items(m.pop_marked()),
    ord("q"): lambda m: m.keep(m.number(1)),
    ord("r"): lambda m: m.keep(m.number(4)),
    0x94: lambda m: m.keep(len(m.memo)),  # MEMOIZE
    ord("h"): lambda m: m.recall(m.number(1)),
    ord("j"): lambda m: m.recall(m.number(4)),
    ord("c"): lambda m: m.named(m.line(), m.line()),
    0x93: lambda m: m.named(*m.pop_many(2)),  # STACK_GLOBAL
    ord("R"): lambda m: m.call(m.pop()),
    0x81: lambda m: m.call(m.pop()),  # NEWOBJ
    0x92: lambda m: m.call(m.pop_many(2)[0]),  # NEWOBJ_EX, without the keyword arguments
    ord("b"): lambda m: m.build(),
    ord("Q"): lambda m: m.refer(m.pop()),
}
