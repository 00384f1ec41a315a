"""``python -m tests.benchmarks``: one table of all measurements, or of groups by name, as below.

``--write`` puts them into the documentation and the README. The last one, ``growth``, draws how
cost grows into ``assets/pictures``.
"""

import argparse

from tests.benchmarks import (
    forward,
    growth,
    learning,
    page,
    panel_page,
    peak,
    static,
    training,
    whole,
    written,
)
from tests.benchmarks.table import tables

GROUPS = {
    "forward": forward.run,
    "peak": peak.run,
    "training": training.run,
    "page": page.run,
    "whole": whole.run,
    "panel": panel_page.run,
    "learning": learning.run,
    "static": static.run,
    "growth": growth.run,
}

parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
parser.add_argument("groups", nargs="*", metavar="GROUP", help=f"of {', '.join(GROUPS)}; else all")
parser.add_argument("--write", action="store_true", help="write them into the documentation")
asked = parser.parse_args()
if unknown := set(asked.groups) - GROUPS.keys():
    parser.error(f"There is no group {', '.join(sorted(unknown))}.")
for name in asked.groups or GROUPS:
    tables.clear()
    GROUPS[name]()
    if asked.write:
        written.keep(name, tables, GROUPS)
