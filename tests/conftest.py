"""Before NumPy is loaded: its BLAS keeps to one thread, as small products are slower on several."""

import importlib.util
import os

import pytest
from hypothesis import settings

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# For `pytest --hypothesis-profile long`: what is drawn at random, for as long as one has time.
settings.register_profile("long", max_examples=2_000, deadline=None, print_blob=True)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--site",
        choices=("served", "static"),
        default="served",
        help="what the browser tests are run against: the page of Panel's server, or the folder "
        "that `tinkerformer build` writes",
    )


@pytest.fixture(scope="session")
def documentation(tmp_path_factory: pytest.TempPathFactory) -> object:
    """The documentation as a site."""
    for module in ("sphinx", "myst_parser", "furo"):
        if importlib.util.find_spec(module) is None:
            how = f"{module} is not installed; pip install -e '.[test]' brings it."
            (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(how)
    from tests.documentation import build_documentation

    return build_documentation(tmp_path_factory.mktemp("documentation"))
