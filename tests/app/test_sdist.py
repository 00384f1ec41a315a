import os
import subprocess
import sys
import tarfile

import pytest

from tests.app.building import FOLDERS, ROOT, WASTE, built

pytestmark = pytest.mark.thorough

# The fastest tests that detect missing files; CONTRIBUTING explains how to run all tests.
SMOKE = (
    "tests/math/test_attention_closed_form.py",
    "tests/math/test_document_001.py",
    "tests/math/test_torch_multihead.py",
    "tests/app/test_imports.py",
    "tests/app/test_theme.py",
    "tests/app/test_address.py",
)


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    folder = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(built().sdist) as archive:
        archive.extractall(folder, filter="data")
    (found,) = folder.iterdir()
    return found


def test_the_source_distribution_has_every_file(unpacked):
    for name in FOLDERS:
        for path in (ROOT / name).rglob("*"):
            if path.is_file() and not any(part in WASTE for part in path.parts):
                place = path.relative_to(ROOT)
                assert path.suffix == ".pyc" or (unpacked / place).is_file(), place
    for name in ("CONTRIBUTING.md", "CHANGELOG.md", "LICENSE", "package.json", "tsconfig.json"):
        assert (unpacked / name).read_bytes() == (ROOT / name).read_bytes()


def test_the_source_distribution_has_no_generated_files(unpacked):
    names = {path.name for path in unpacked.rglob("*")}
    assert not names & {"__pycache__", "node_modules", ".venv", ".git", ".hypothesis"}


def test_tests_pass_in_the_unpacked_source_distribution(unpacked, tmp_path):
    """They import the package from the same build, as for its users."""
    site = tmp_path / "site"
    install = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(site)]
    subprocess.run([*install, str(built().wheel)], check=True, capture_output=True)
    here = {name: value for name, value in os.environ.items() if "PYTEST" not in name}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *SMOKE],
        cwd=unpacked,
        env={**here, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:]
    assert str(ROOT) not in done.stdout
