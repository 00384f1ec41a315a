import os
import re
import subprocess
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.app.building import ROOT

PIN = re.compile(r"[a-z0-9-]+==[0-9][0-9a-z.]*( ; [a-z_]+ [<>=!]=? '[\w.* -]+'( (and|or) .*)?)?\Z")
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]
EXTRAS = PROJECT["optional-dependencies"]
ASKED = [
    each
    for some in (PROJECT["dependencies"], *map(EXTRAS.get, ("notebook", "browser", "test")))
    for each in some
    if not each.startswith(PROJECT["name"])  # without extras that name other extras of the project
]


@pytest.fixture(scope="module")
def pins():
    lines = (ROOT / ".ci/constraints.txt").read_text(encoding="utf-8").splitlines()
    return lines


def test_the_constraints_contain_versions_and_no_addresses(pins):
    assert [line for line in pins if not PIN.match(line)] == []


@pytest.mark.parametrize("asked", ASKED)
def test_every_dependency_has_bounds_and_ci_uses_a_version_between_them(pins, asked):
    wanted = Requirement(asked)
    assert {each.operator for each in wanted.specifier} == {">=", "<"}
    found = [Requirement(line) for line in pins]
    versions = [
        next(iter(pin.specifier)).version
        for pin in found
        if canonicalize_name(pin.name) == canonicalize_name(wanted.name)
    ]
    assert versions, "CONTRIBUTING says how .ci/constraints.txt is made"
    assert all(Version(version) in wanted.specifier for version in versions)


@pytest.mark.parametrize(
    ("package", "folder"), [("tinkerformer", "app"), ("transformer_math", "transformer_math")]
)
def test_the_patterns_of_the_wheel_match_every_file_of_a_package(package, folder):
    patterns = PYPROJECT["tool"]["setuptools"]["package-data"][package]
    matched = {path for pattern in patterns for path in (ROOT / folder).glob(pattern)}
    files = {path for path in (ROOT / folder).rglob("*") if path.is_file()}
    assert [path for path in files - matched if path.suffix != ".pyc"] == []


def test_without_pip_audit_the_audit_reports_it_and_does_not_fail():
    env = {**os.environ, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "", "PIP_CONFIG_FILE": os.devnull}
    command = ["bash", str(ROOT / ".ci/audit")]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "The packages were not audited: pip-audit cannot be had." in done.stdout
