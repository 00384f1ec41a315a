"""``python -m tests.benchmarks``: see ``command``.

OpenBLAS chooses its kernel by the processor. If an environment variable overrides this choice, this
command removes the variable for itself, before it loads NumPy, and prints that.
"""

import os
from importlib import import_module

FORCED = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")

if found := [f"{name}={os.environ.pop(name)}" for name in FORCED if name in os.environ]:
    print(f"Measured without {' and '.join(found)}: OpenBLAS chooses its kernel.", flush=True)
import_module("tests.benchmarks.command").main()
