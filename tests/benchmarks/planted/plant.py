"""Something known is planted where it is known, and the row that measures it has to show it.

So a row that counts something else, or nothing, is found: a time that ends before the picture is
drawn, a pass that is not computed, frames in which nothing is new, a process that is left out.
"""

from __future__ import annotations

import contextlib
import functools
import json
import statistics
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NamedTuple

from tests.benchmarks.table import NEVER, measured, print_row

ROUNDS = 3  # without and with it in turn, so that a busy moment of the machine meets both
TOLERANCE = 0.5  # of what was planted: a row that does not see it is off by all of it


class Plant(NamedTuple):
    """Something known, planted in what a row measures.

    Attributes:
        row: in words, and what was planted.
        unit: of its figure.
        measure: makes the figure as the row does.
        planted: while it is entered it is there.
        expected: the figure with it, from the one without.
    """

    row: str
    unit: str
    measure: Callable[[], float]
    planted: Callable[[], AbstractContextManager[object]]
    expected: Callable[[float], float]


def more(amount: float) -> Callable[[float], float]:
    """The figure is larger by so much."""
    return lambda without: without + amount


def slower_frames(ms: float) -> Callable[[float], float]:
    """Of frames a second, each takes so much longer."""
    return lambda without: 1000 / (1000 / without + ms)


def never(_: float) -> float:
    """It does not happen."""
    return NEVER


def is_seen(plant: Plant, rounds: int = ROUNDS) -> bool:
    """Measure without and with it, and print both beside what is expected."""
    pairs = []
    for _ in range(rounds):
        before = plant.measure()
        with plant.planted():
            pairs.append((before, plant.measure()))
    without, found = (statistics.median(each) for each in zip(*pairs, strict=True))
    expected = plant.expected(without)
    off = abs(found - expected) if found != expected else 0.0
    seen = off <= TOLERANCE * abs(expected - without)
    figures = [measured(each, plant.unit, 1) for each in (without, found, expected)]
    print_row(plant.row, *figures, "seen" if seen else "NOT SEEN")
    return seen


def check(group: str, plants: Iterable[Plant], rounds: int) -> bool:
    """Print what a group's rows say without and with what is planted; whether all show it."""
    print(f"\nPlanted: {group}")
    print_row("", "without", "with", "expected")
    seen = [is_seen(each, rounds) for each in plants]
    return all(seen)


# -- in this process ------------------------------------------------------------------------------


@contextlib.contextmanager
def delayed(owner: Any, name: str, seconds: float) -> Iterator[list[int]]:
    """Each call of a function takes so much longer; gives a list with the number of its calls."""
    kept, calls = getattr(owner, name), [0]

    @functools.wraps(kept)
    def call(*given: Any, **named: Any) -> Any:
        calls[0] += 1
        time.sleep(seconds)
        return kept(*given, **named)

    setattr(owner, name, call)
    try:
        yield calls
    finally:
        setattr(owner, name, kept)


def calls_of(owner: Any, name: str, run: Callable[[], object]) -> int:
    """How often a function is called in another one."""
    with delayed(owner, name, 0) as calls:
        run()
    return calls[0]


# -- in a server's process -------------------------------------------------------------------------


class Server:
    """What is planted in the process of a server that was started with ``start``.

    Attributes:
        start: what Python is to run in place of ``-m MODULE``.
    """

    def __init__(self, folder: Path, module: str) -> None:
        self._file = folder / "planted.json"
        self._file.write_text("{}", encoding="utf-8")
        self.start = ("-m", "tests.benchmarks.planted.in_server", str(self._file), module)

    @contextlib.contextmanager
    def plant(self, **what: float) -> Iterator[None]:
        """Plant something by the names of ``in_server``."""
        self._file.write_text(json.dumps(what), encoding="utf-8")
        try:
            yield
        finally:
            self._file.write_text("{}", encoding="utf-8")

    def seen(
        self, row: str, unit: str, measure: Callable[[], float], factor: float = 1, **what: float
    ) -> Plant:
        """A row whose figure grows by what is planted.

        Args:
            row: in words.
            unit: of its figure.
            measure: makes the figure as the row does.
            factor: of the figure, for each second, megabyte or processor that is planted.
            what: one thing, by the names of ``in_server``.
        """
        ((name, amount),) = what.items()
        planted = functools.partial(self.plant, **what)
        return Plant(f"{row}; {name} {amount:g}", unit, measure, planted, more(factor * amount))
