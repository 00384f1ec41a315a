"""The checks of the JavaScript, run from here so that one command runs all tests."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import NoReturn

import pytest
from tinkerformer.model.matrices import covering, values

from . import message_types, wire_bytes

ROOT = Path(__file__).parents[2]
LIT_HTML = ROOT / "app" / "components" / "shared" / "lit-html.js"
HOW_TO = "The JavaScript is not checked: that needs node and npm (Debian: apt-get install npm)."


@pytest.fixture(scope="module")
def npm() -> str:
    """Return npm, if the checkers that package.json names are installed."""
    found = shutil.which("npm") if shutil.which("node") else None
    if found is None:
        _give_up(HOW_TO)
    if not _are_installed():
        done = _run([found, "install", "--ignore-scripts", "--no-audit", "--no-fund"])
        if done.returncode != 0:
            _give_up(f"The JavaScript is not checked: npm could not install.\n{done.stderr}")
    return found


def _give_up(sentence: str) -> NoReturn:
    if os.environ.get("CI") == "true":
        pytest.fail(sentence)
    pytest.skip(sentence)


def _are_installed() -> bool:
    package = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))
    for name, version in package["devDependencies"].items():
        found = ROOT / "node_modules" / name / "package.json"
        if not found.is_file() or json.loads(found.read_text())["version"] != version:
            return False
    return True


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)


@pytest.mark.parametrize("script", ["check", "lint", "test"])
def test_the_javascript_passes(npm: str, script: str) -> None:
    done = _run([npm, "run", "--silent", script])
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_vendored_lit_html_is_the_file_in_npm(npm: str) -> None:
    assert npm
    package = ROOT / "node_modules" / "lit-html"
    assert LIT_HTML.read_bytes() == (package / "lit-html.js").read_bytes()
    license_text = LIT_HTML.with_name("LICENSE-lit-html.txt")
    assert license_text.read_bytes() == (package / "LICENSE").read_bytes()


def test_the_bytes_that_javascript_reads_are_those_that_python_writes() -> None:
    assert wire_bytes.stored() == wire_bytes.messages()


def test_no_line_is_longer_than_a_hundred_columns() -> None:
    """The formatter does not wrap comments and texts."""
    for path in set(ROOT.glob("app/**/*.js")) - {LIT_HTML}:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            assert len(line) <= 100, f"{path.relative_to(ROOT)}:{number}"


def test_every_exported_name_is_imported() -> None:
    files = {path: path.read_text(encoding="utf-8") for path in (ROOT / "app").rglob("*.js")}
    python = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "app").rglob("*.py"))
    entries = {"render", *re.findall(r'(?:esm|_begun)\([^()]*"[\w.]+\.js", "(\w+)"', python)}
    entries |= set(re.findall(r"{_SCRIPT} (\w+)\(", python))
    tests = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests/js").glob("*.js"))
    for path, text in files.items():
        for name in re.findall(r"^export (?:async )?(?:function|class|const) (\w+)", text, re.M):
            others = "".join(other for file, other in files.items() if file != path)
            used = re.search(rf"^import \{{[^}}]*\b{name}\b[^}}]*\}} from", others + tests, re.M)
            typed = re.search(rf"@import \{{[^}}]*\b{name}\b", others)
            assert name in entries or used or typed, f"{path.relative_to(ROOT)} exports {name}"


def test_the_flags_of_a_cell_are_the_same_in_both_languages() -> None:
    text = (ROOT / "app" / "board" / "data" / "flags.js").read_text(encoding="utf-8")
    flags = {name: int(bit) for name, bit in re.findall(r"const (\w+) = (\d+);", text)}
    declared = {**vars(values), **vars(covering)}
    assert flags == {name: declared[name] for name in flags}
    assert {"COVERED", "DROPPED", "EDITED", "OVERRIDDEN", "REACHED", "MASKED"} <= flags.keys()


def test_the_types_of_messages_are_those_that_python_declares() -> None:
    said = "Rewrite them: python -m tests.js.message_types"
    assert message_types.FILE.read_text(encoding="utf-8") == message_types.text(), said
