"""``python -m tests.benchmarks``: all measurements; ``forward`` or ``page`` for one group."""

import sys

from tests.benchmarks import forward, page

GROUPS = {"forward": forward.run, "page": page.run}

for name in sys.argv[1:] or GROUPS:
    GROUPS[name]()
