"""``python -m tests.benchmarks``: one table of all measurements, or of groups by name, as below.

``--write`` puts them into the documentation and the README. The last one, ``growth``, draws how
cost grows into ``assets/pictures``. ``--planted`` checks the measurements themselves: a delay (or
whatever else a row measures) is planted where it is known, and the row has to show it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable

from tests.benchmarks import (
    forward,
    growth,
    idea_drags,
    learning,
    page,
    panel_page,
    peak,
    pulling,
    static,
    training,
    visits,
    whole,
    written,
)
from tests.benchmarks.machine import machine
from tests.benchmarks.planted import check as planted
from tests.benchmarks.planted.plant import ROUNDS
from tests.benchmarks.table import tables

GROUPS = {
    "forward": forward.run,
    "peak": peak.run,
    "training": training.run,
    "visits": visits.run,
    "page": page.run,
    "whole": whole.run,
    "panel": panel_page.run,
    "idea_drags": idea_drags.run,
    "learning": learning.run,
    "pull": pulling.run,
    "static": static.run,
    "growth": growth.run,
}


def main() -> None:
    """Measure the groups that are asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument(
        "groups", nargs="*", metavar="GROUP", help=f"of {', '.join(GROUPS)}; else all"
    )
    parser.add_argument("--write", action="store_true", help="write them into the documentation")
    parser.add_argument(
        "--planted",
        action="store_true",
        help=f"check the measurements of these groups: of {', '.join(planted.GROUPS)}; else all",
    )
    parser.add_argument(
        "--rounds",
        type=int,
        default=ROUNDS,
        metavar="N",
        help=f"how often each is measured without and with what is planted ({ROUNDS})",
    )
    asked = parser.parse_args()
    known: Iterable[str] = planted.GROUPS if asked.planted else GROUPS
    if unknown := set(asked.groups) - {*known}:
        parser.error(f"There is no group {', '.join(sorted(unknown))}.")
    if asked.planted and asked.write:
        parser.error("What is planted is not written.")
    print(f"{machine()}.", flush=True)
    names = asked.groups or known
    if asked.planted:
        seen = [planted.check(name, asked.rounds) for name in names]
        sys.exit(0 if all(seen) else 1)
    for name in names:
        _measure(name, GROUPS[name], asked.write)


def _measure(name: str, run: Callable[[], None], is_written: bool) -> None:
    tables.clear()
    run()
    if is_written:
        written.keep(name, tables, GROUPS)
