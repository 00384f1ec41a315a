"""How much the cards of strangers' links may cost: so many a minute, and the last ones are kept."""

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

SECONDS = 60.0

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Budget:
    """A number of costly things per minute, for all visitors of a process together."""

    def __init__(self, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._clock = clock
        self._since = float("-inf")
        self._spent = 0

    def spend(self) -> bool:
        """Whether one more is allowed now; it is then counted."""
        now = self._clock()
        if now - self._since >= SECONDS:
            self._since, self._spent = now, 0
        self._spent += 1
        return self._spent <= self._most


class LastUsed(Generic[Key, Value]):
    """The values that were used last, up to a number of them."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[Key, Value] = OrderedDict()

    def get(self, key: Key) -> Value | None:
        """A value, if it is kept."""
        if key in self._kept:
            self._kept.move_to_end(key)
        return self._kept.get(key)

    def keep(self, key: Key, value: Value) -> None:
        """Keep a value, in place of the one that was not used for longest."""
        self._kept[key] = value
        self._kept.move_to_end(key)
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)

    def __len__(self) -> int:
        return len(self._kept)
