"""Before NumPy is loaded: its BLAS keeps to one thread, as small products are slower on several."""

import os

import pytest

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--site",
        choices=("served", "static"),
        default="served",
        help="what the browser tests are run against: the page of Panel's server, or the folder "
        "that `tinkerformer build` writes",
    )
