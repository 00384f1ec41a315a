"""Options of all tests. BLAS is not configured, because no test depends on its last bits."""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import inspect
import os
from typing import TYPE_CHECKING, Any

import pytest
from filelock import FileLock
from hypothesis import settings

from tests import by_day

if TYPE_CHECKING:
    from tests.last_bits import LastBits

pytest_plugins = ["tests.parallel", "tests.selection"]

LAST_BITS = "LAST_BITS"
THREADS = "OPENBLAS_NUM_THREADS"
SEED: dict[str, Any] = {"type": int, "nargs": "?", "const": 1, "metavar": "SEED"}

# Without deadlines and new random examples, so that no test fails by chance.
settings.register_profile("steady", deadline=None, derandomize=True, database=None)
# `pytest --hypothesis-profile long` tries new random examples for a long time.
settings.register_profile("long", max_examples=2_000, deadline=None, print_blob=True)
settings.load_profile("steady")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--site",
        choices=("served", "static"),
        default="served",
        help="what the browser tests are run against: the page of Panel's server, or the folder "
        "that `tinkerformer build` writes",
    )
    parser.addoption(
        "--last-bits",
        **SEED,
        help="run the tests with every product of matrices, sum and exponential wrong by a few "
        "units in the last place, as another processor computes them, and with BLAS in one thread",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test that is a coroutine in its own event loop."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True


def pytest_report_header() -> list[str]:
    moved = (
        [f"last bits: moved, by seed {os.environ[LAST_BITS]}"] if LAST_BITS in os.environ else []
    )
    return [*moved, f"combinations of the day; TINKERFORMER_DAY={by_day.DAY} repeats them"]


def _last_bits() -> LastBits | None:
    """Apply `--last-bits` now, because pytest reads options only after imports of the mathematics.

    Workers of pytest-xdist, and tests that run tests, read it from the environment.
    """
    early = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    early.add_argument("--last-bits", **SEED, default=os.environ.get(LAST_BITS))
    seed = early.parse_known_args()[0].last_bits
    if seed is None:
        return None
    os.environ[LAST_BITS] = str(seed)
    before = os.environ.get(THREADS)
    os.environ[THREADS] = "1"  # BLAS reads the variable when NumPy is imported
    from tests.last_bits import LastBits

    del os.environ[THREADS]  # processes that a test starts have the usual number
    if before is not None:
        os.environ[THREADS] = before
    return LastBits(seed)


moved = _last_bits()


@pytest.fixture(scope="session")
def documentation(tmp_path_factory: pytest.TempPathFactory) -> object:
    """Return the documentation as a site."""
    for module in ("sphinx", "myst_parser", "furo"):
        if importlib.util.find_spec(module) is None:
            how = f"{module} is not installed; pip install -e '.[test]' brings it."
            (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(how)
    from tests.documentation import built_documentation

    if "PYTEST_XDIST_WORKER" not in os.environ:
        return built_documentation(tmp_path_factory.mktemp("documentation"))
    shared = tmp_path_factory.getbasetemp().parent / "documentation"  # one for all processes
    with FileLock(shared.with_suffix(".lock")):
        return built_documentation(shared)
