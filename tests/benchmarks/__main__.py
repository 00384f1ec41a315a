"""``python -m tests.benchmarks``: all measurements, or groups by name, as below."""

import sys

from tests.benchmarks import forward, learning, page, static, training, whole

GROUPS = {
    "forward": forward.run,
    "training": training.run,
    "page": page.run,
    "learning": learning.run,
    "whole": whole.run,
    "static": static.run,
}

for name in sys.argv[1:] or GROUPS:
    GROUPS[name]()
