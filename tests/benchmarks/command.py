"""``python -m tests.benchmarks``: one table of all measurements, or of groups by name, as below.

``--write`` puts them into the documentation and the README, where the machine does nothing else
when it begins. The last one, ``growth``, draws how cost grows into ``assets/pictures``.
``--planted`` checks the measurements themselves: a delay (or whatever else a row measures) is
planted where it is known, and the row has to show it.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterable

from playwright.sync_api import Error as BrowserError

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
    whole,
    written,
)
from tests.benchmarks.machine import ALLOWED, Load, load, machine
from tests.benchmarks.planted import idea_drags as plants_of_ideas
from tests.benchmarks.planted import mathematics, sockets
from tests.benchmarks.planted import page as plants_of_page
from tests.benchmarks.planted import panel_page as plants_of_panel
from tests.benchmarks.planted import static as plants_of_static
from tests.benchmarks.planted.plant import ROUNDS, check
from tests.benchmarks.table import print_row, reason, tables

# What measures a group, and what is planted in what it measures.
GROUPS = {
    "forward": (forward.run, mathematics.forward_plants),
    "peak": (peak.run, mathematics.peak_plants),
    "training": (training.run, mathematics.training_plants),
    "page": (page.run, plants_of_page.page_plants),
    "whole": (whole.run, plants_of_page.whole_plants),
    "panel": (panel_page.run, plants_of_panel.plants),
    "idea_drags": (idea_drags.run, plants_of_ideas.plants),
    "learning": (learning.run, plants_of_page.learning_plants),
    "pull": (pulling.run, mathematics.pull_plants),
    "static": (static.run, plants_of_static.plants),
    "growth": (growth.run, mathematics.growth_plants),
}
PLANTED = {name: plants for name, (_, plants) in GROUPS.items()} | {"load": sockets.plants}


def main(read_load: Callable[[], Load] = load) -> None:
    """Measure the groups that are asked for.

    Args:
        read_load: of this machine.
    """
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument(
        "groups", nargs="*", metavar="GROUP", help=f"of {', '.join(GROUPS)}; else all"
    )
    parser.add_argument("--write", action="store_true", help="write them into the documentation")
    parser.add_argument(
        "--planted",
        action="store_true",
        help=f"check the measurements of these groups: of {', '.join(PLANTED)}; else all",
    )
    parser.add_argument(
        "--rounds",
        type=int,
        default=ROUNDS,
        metavar="N",
        help=f"how often each is measured without and with what is planted ({ROUNDS})",
    )
    asked = parser.parse_args()
    known: Iterable[str] = PLANTED if asked.planted else GROUPS
    if unknown := set(asked.groups) - {*known}:
        parser.error(f"There is no group {', '.join(sorted(unknown))}.")
    if asked.planted and asked.write:
        parser.error("What is planted is not written.")
    before = read_load()
    print(f"{machine()}; {before}.", flush=True)
    if asked.write and before.is_above(ALLOWED):
        sys.exit(f"Nothing is written, as the machine is busy: {before} (at most {ALLOWED}).")
    names = asked.groups or known
    if asked.planted:
        seen = [check(name, PLANTED[name](), asked.rounds) for name in names]
    else:
        seen = [_is_measured(name, before, asked.write) for name in names]
    sys.exit(0 if all(seen) else 1)


def _is_measured(name: str, before: Load, is_written: bool) -> bool:
    """Whether a group was measured; where its browser or server cannot be driven, print why.

    Args:
        name: of the group.
        before: the load of the machine.
        is_written: whether it is to be.
    """
    tables.clear()
    start = time.monotonic()
    try:
        GROUPS[name][0]()
    except (BrowserError, OSError) as error:  # the groups after it are measured all the same
        print_row(name, reason(error))
        return False
    print_row(f"{name} took", f"{time.monotonic() - start:.0f} s")
    if is_written:
        written.keep(name, tables, GROUPS, before)
    return True
