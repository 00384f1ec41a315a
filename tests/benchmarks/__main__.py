"""``python -m tests.benchmarks``: one table of all measurements, or of groups by name, as below.

The last one, ``growth``, draws how cost grows into ``assets/pictures``.
"""

import sys

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
)

GROUPS = {
    "forward": forward.run,
    "peak": peak.run,
    "training": training.run,
    "page": page.run,
    "panel": panel_page.run,
    "learning": learning.run,
    "whole": whole.run,
    "static": static.run,
    "growth": growth.run,
}

for name in sys.argv[1:] or GROUPS:
    GROUPS[name]()
