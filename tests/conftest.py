"""Before NumPy is loaded: its BLAS keeps to one thread, as small products are slower on several."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
