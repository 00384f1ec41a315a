import subprocess
import sys
import tomllib

import pytest
from bokeh.server.views.ws import WSHandler
from hypothesis import given
from hypothesis import strategies as st
from packaging.requirements import Requirement
from tinkerformer.transport.runtime.wrapping import CHECKED, NoSuchMethod, unchecked, wrap_once

from tests.app.building import ROOT
from tests.app.served import COMMAND, OF_PANEL

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
REQUIRED = {each.name: each.specifier for each in map(Requirement, PROJECT["dependencies"])}

# Remove a method that the page wraps, as in a release that has renamed it.
WITHOUT_A_METHOD = """
import runpy, sys
from bokeh.server.views.ws import WSHandler
del WSHandler._async_open
sys.argv = {command}
runpy.run_module(sys.argv[0], run_name="__main__")
"""
UNKNOWN_RELEASE = """
import logging, tinkerformer.transport.runtime.wrapping as wrapping
logging.basicConfig(format="%(levelname)s %(message)s")
wrapping.CHECKED["panel"] = ((0, 1), (0, 2))
from tinkerformer.transport.hosting.guards import guard_process
guard_process()
guard_process()
"""


def test_the_installed_releases_have_been_checked():
    assert unchecked() == ""


@pytest.mark.parametrize("library", CHECKED)
def test_pyproject_requires_the_checked_releases(library):
    first, last = CHECKED[library]
    for major in range(first[0] - 1, last[0] + 2):
        for minor in range(last[1] + 3):
            for patch in ("", ".0", ".1", ".2", ".3", ".4", ".12", ".5rc1"):
                number = f"{major}.{minor}{patch}"
                versions = {name: _first(name) for name in CHECKED} | {library: number}
                is_required = REQUIRED[library].contains(number, prereleases=True)
                assert (unchecked(versions.__getitem__) == "") == is_required, number


@given(st.dictionaries(st.sampled_from([*CHECKED]), st.sampled_from(["0.9", "99.1.2", "4.0rc1"])))
def test_the_line_names_each_library_of_an_unchecked_release(others):
    line = unchecked(lambda name: others.get(name, _first(name)))
    for name in CHECKED:
        if name in others:
            first, last = (".".join(map(str, each)) for each in CHECKED[name])
            assert f"{name} {others[name]} (checked: {first} to {last})" in line
        else:
            assert name not in line
    assert bool(line) == bool(others)
    assert "\n" not in line


def test_an_unchecked_release_is_logged_once_in_one_line():
    lines = _run(UNKNOWN_RELEASE).stderr.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("WARNING The page changes methods of libraries and was not checked")
    assert "(checked: 0.1 to 0.2)" in lines[0]


def test_a_missing_method_is_named():
    with pytest.raises(NoSuchMethod, match=r"bokeh [\d.]+ has no method .*\.WSHandler\.opened, "):
        wrap_once(WSHandler, "opened", lambda method: method)


@pytest.mark.parametrize("command", [COMMAND, OF_PANEL])
def test_a_server_does_not_start_without_a_method_and_says_so_in_one_sentence(command):
    done = _run(WITHOUT_A_METHOD.format(command=[*command, "--port", "0"]))
    assert done.returncode == 1
    [said] = done.stderr.splitlines()
    assert "has no method bokeh.server.views.ws.WSHandler._async_open, which the page" in said


def _run(program: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", program]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=300)


def _first(library: str) -> str:
    return ".".join(map(str, CHECKED[library][0]))
