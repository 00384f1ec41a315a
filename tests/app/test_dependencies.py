import ast
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.app.building import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
# The extras for users, and those for developers.
ALLOWED = {
    "app": ["notebook", "browser"],
    "transformer_math": [],
    "tests": [*EXTRAS],
    "assets": [*EXTRAS],
}
IN_BROWSER = {"pyodide"}  # a module of Python's runtime in the browser, which is in no registry
DISTRIBUTIONS = packages_distributions()


def imported(source: str) -> set[str]:
    """The top-level packages that a file imports from outside its own package."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.partition(".")[0])
    return found - sys.stdlib_module_names


def beside(file: Path) -> set[str]:
    """Return the modules that a script imports from its own folder or a folder beside it."""
    return {path.stem for path in file.parent.parent.glob("*/*.py")}


def distributions(folder: str) -> dict[str, set[str]]:
    """Return the files of a folder by each distribution that they import.

    If a module is not installed, its name is taken as the name of its distribution.
    """
    found: dict[str, set[str]] = {}
    for file in sorted((ROOT / folder).rglob("*.py")):
        names = imported(file.read_text(encoding="utf-8")) - IN_BROWSER - {"tests"} - beside(file)
        for name in names:
            for distribution in DISTRIBUTIONS.get(name, [name]):
                place = file.relative_to(ROOT).as_posix()
                found.setdefault(canonicalize_name(distribution), set()).add(place)
    return found


def declared(*extras: str) -> set[str]:
    """Return the distributions that the project and these extras require, and its own name."""
    lists = [PROJECT["dependencies"], *(EXTRAS[extra] for extra in extras)]
    return {canonicalize_name(Requirement(each).name) for some in lists for each in some} | {
        PROJECT["name"]
    }


def undeclared(folder: str) -> Iterator[str]:
    """Yield a sentence for each distribution that is imported but not declared."""
    for name, files in distributions(folder).items():
        if name not in declared(*ALLOWED[folder]):
            yield f"pyproject.toml does not declare {name}, which {min(files)} imports."


@pytest.mark.parametrize("folder", ALLOWED)
def test_every_imported_package_is_declared(folder):
    assert [*undeclared(folder)] == []


def test_every_dependency_is_imported():
    found = {*distributions("app"), *distributions("transformer_math")}
    assert declared(*ALLOWED["app"]) <= found


def test_every_form_of_import_is_found():
    source = "import os, yaml.nodes as y\nfrom . import a\nfrom .b import c\n"
    source += "def f():\n    from PIL import Image\n    import numpy as np\n"
    assert imported(source) == {"yaml", "PIL", "numpy"}
    assert [*map(canonicalize_name, DISTRIBUTIONS["PIL"])] == ["pillow"]
