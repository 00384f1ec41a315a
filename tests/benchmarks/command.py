"""``python -m tests.benchmarks``: one table of all measurements, or of groups by name, as below.

``--write`` writes them into the documentation and the README, if the machine is idle at the start.
The last group, ``growth``, draws how cost grows into ``assets/pictures``.
"""

import argparse
import sys
import time
from collections.abc import Callable

from playwright.sync_api import Error as BrowserError

from tests.benchmarks import (
    forward,
    growth,
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
from tests.benchmarks.table import print_row, reason, tables

# Measures each group.
GROUPS = {
    "forward": forward.run,
    "peak": peak.run,
    "training": training.run,
    "page": page.run,
    "whole": whole.run,
    "panel": panel_page.run,
    "learning": learning.run,
    "pull": pulling.run,
    "static": static.run,
    "growth": growth.run,
}


def main(read_load: Callable[[], Load] = load) -> None:
    """Measure the requested groups."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument(
        "groups", nargs="*", metavar="GROUP", help=f"of {', '.join(GROUPS)}; else all"
    )
    parser.add_argument("--write", action="store_true", help="write them into the documentation")
    asked = parser.parse_args()
    if unknown := set(asked.groups) - {*GROUPS}:
        parser.error(f"There is no group {', '.join(sorted(unknown))}.")
    before = read_load()
    print(f"{machine()}; {before}.", flush=True)
    if asked.write and before.is_above(ALLOWED):
        sys.exit(f"Nothing is written, as the machine is busy: {before} (at most {ALLOWED}).")
    names = asked.groups or GROUPS
    seen = [_is_measured(name, before, asked.write) for name in names]
    sys.exit(0 if all(seen) else 1)


def _is_measured(name: str, before: Load, is_written: bool) -> bool:
    """Measure a group; if its browser or server fails, print why and return False."""
    tables.clear()
    start = time.monotonic()
    try:
        GROUPS[name]()
    except (BrowserError, OSError) as error:  # the groups after it are measured nevertheless
        print_row(name, reason(error))
        return False
    print_row(f"{name} took", f"{time.monotonic() - start:.0f} s")
    if is_written:
        written.keep(name, tables, GROUPS, before)
    return True
