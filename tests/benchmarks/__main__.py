"""``python -m tests.benchmarks``: all measurements, or a group: ``forward training page learning``."""

import sys

from tests.benchmarks import forward, learning, page, training

GROUPS = {
    "forward": forward.run,
    "training": training.run,
    "page": page.run,
    "learning": learning.run,
}

for name in sys.argv[1:] or GROUPS:
    GROUPS[name]()
