"""Distributes combinations over days: each run tests a share, and a round covers them all.

python -m tests.by_day A B C    # prints today's item
"""

import os
import sys
from collections.abc import Sequence
from datetime import date
from typing import TypeVar

T = TypeVar("T")
DAY = int(os.environ.setdefault("TINKERFORMER_DAY", str(date.today().toordinal())))
TURNS = 3  # days in which all tests marked `in_turn` run once
# A number that increases each time a test marked `in_turn` runs. These tests choose their
# combinations by it, because by the day each test would get only a few of them.
TURN = DAY // TURNS


def pairs(items: Sequence[T], partners: Sequence[object], day: int = DAY) -> list[T]:
    """Return an item for each partner, which changes with the day.

    In ``len(items)`` days each partner gets each item. On every day each item has a partner, if
    there are at least as many partners.
    """
    return [items[(k + day) % len(items)] for k in range(len(partners))]


def share(items: Sequence[T], count: int, day: int = DAY) -> list[T]:
    """Return the day's ``count`` items; the next day continues after them."""
    return [items[(day * count + k) % len(items)] for k in range(min(count, len(items)))]


def in_turn(items: Sequence[T], day: int = DAY) -> list[T]:
    """Return every third item; the others follow on the next two days."""
    return [item for k, item in enumerate(items) if (k + day) % TURNS == 0]


if __name__ == "__main__":
    print(*share(sys.argv[1:], 1))
