"""Build the source distribution, and the wheel from it, once for all tests of a run."""

import functools
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("app", "assets", "tests", "transformer_math", ".ci")
WASTE = ("__pycache__", "*.pyc", ".hypothesis", ".pytest_cache")


class Built(NamedTuple):
    sdist: Path
    wheel: Path


@functools.cache
def built() -> Built:
    """Build both from a copy of the repository, which may contain the files of an old build."""
    source, folder = (Path(tempfile.mkdtemp(prefix=name)) for name in ("source", "built"))
    for path in ROOT.iterdir():
        if path.is_file() and not path.name.startswith(".coverage"):
            shutil.copy(path, source)
    for name in FOLDERS:
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns(*WASTE))
    command = [sys.executable, "-m", "build", "--outdir", str(folder), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    shutil.rmtree(source)
    if done.returncode and os.environ.get("CI") != "true":
        pytest.skip(f"Nothing can be built here: {(done.stderr or done.stdout).strip()[-300:]}")
    assert not done.returncode, done.stderr or done.stdout
    return Built(next(folder.glob("*.tar.gz")), next(folder.glob("*.whl")))
