"""Limits the cost of previews of links: a budget per minute, and a cache."""

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

SECONDS = 60.0

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Budget:
    """A limit on costly operations per minute, which all visitors of a process share."""

    def __init__(self, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._clock = clock
        self._since = float("-inf")
        self._spent = 0

    def spend(self) -> bool:
        """Count an operation, and return whether it is allowed now."""
        now = self._clock()
        if now - self._since >= SECONDS:
            self._since, self._spent = now, 0
        self._spent += 1
        return self._spent <= self._most


class LastUsed(Generic[Key, Value]):
    """A cache that evicts the least recently used values.

    The sum of the sizes of its values is at most ``most``; by default each has the size 1.
    """

    def __init__(self, most: int, size: Callable[[Value], int] = lambda _: 1) -> None:
        self._most, self._size_of, self._size = most, size, 0
        self._kept: OrderedDict[Key, Value] = OrderedDict()

    def get(self, key: Key) -> Value | None:
        if key in self._kept:
            self._kept.move_to_end(key)
        return self._kept.get(key)

    def keep(self, key: Key, value: Value) -> None:
        """Add a value that is not too large, unless the key has a value."""
        size = self._size_of(value)
        if key in self._kept or size > self._most:
            return
        self._kept[key] = value
        self._size += size
        while self._size > self._most:
            self._size -= self._size_of(self._kept.popitem(last=False)[1])

    def __len__(self) -> int:
        return len(self._kept)
