"""Spreads combinations over days: each run tests today's share, and a round covers them all.

python -m tests.by_day A B C    # prints the one whose turn it is today
"""

import os
import sys
from collections.abc import Sequence
from datetime import date
from typing import TypeVar

T = TypeVar("T")
DAY = int(os.environ.setdefault("TINKERFORMER_DAY", str(date.today().toordinal())))
TURNS = 3  # days in which all tests marked `in_turn` run once
# Of a test marked `in_turn`: it is one more each time the test runs. A test of this kind takes its
# combinations by this number, because by the day it might meet the same few of them each time.
TURN = DAY // TURNS


def pairs(items: Sequence[T], partners: Sequence[object], day: int = DAY) -> list[T]:
    """An item for each partner, in turn from the day on.

    In ``len(items)`` days each partner meets each item; on every day each item meets a partner, if
    there are at least as many partners.
    """
    return [items[(k + day) % len(items)] for k in range(len(partners))]


def share(items: Sequence[T], count: int, day: int = DAY) -> list[T]:
    """The day's ``count`` items; the next day begins where they end."""
    return [items[(day * count + k) % len(items)] for k in range(min(count, len(items)))]


def in_turn(items: Sequence[T], day: int = DAY) -> list[T]:
    """Every third item; the others on the next two days."""
    return [item for k, item in enumerate(items) if (k + day) % TURNS == 0]


if __name__ == "__main__":
    print(*share(sys.argv[1:], 1))
