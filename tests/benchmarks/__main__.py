"""``python -m tests.benchmarks``: see ``command``.

OpenBLAS takes its kernel by the processor; where the environment makes it take another one, that is
undone for this command alone, before NumPy is loaded, and said.
"""

import os
from importlib import import_module

FORCED = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")

if found := [f"{name}={os.environ.pop(name)}" for name in FORCED if name in os.environ]:
    print(f"Measured without {' and '.join(found)}: OpenBLAS chooses its kernel.", flush=True)
import_module("tests.benchmarks.command").main()
