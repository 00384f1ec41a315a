"""``python -m tests.benchmarks``: all measurements, or a group: ``forward training page``."""

import sys

from tests.benchmarks import forward, page, training

GROUPS = {"forward": forward.run, "training": training.run, "page": page.run}

for name in sys.argv[1:] or GROUPS:
    GROUPS[name]()
