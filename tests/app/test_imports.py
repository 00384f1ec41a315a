"""Imports run one way: every folder imports only what CONTRIBUTING's table lets it."""

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = {"transformer_math": "transformer_math", "tinkerformer": "app"}
# Of the standard library a folder has to be allowed what makes threads, waits, or leaves Python.
WATCHED = {"asyncio", "concurrent", "ctypes", "multiprocessing", "subprocess", "threading"}
# Who draws with Panel or Bokeh; everything else is the same page without a server.
MAY_IMPORT = {
    "panel": {"app/components/carriers/panel", "app/page/served", "app/hosting"},
    "bokeh": {
        *("app/charts", "app/components/carriers/panel", "app/components/carriers/port"),
        *("app/page/served", "app/hosting", "app/security"),
    },
}
JS_IMPORT = re.compile(
    r"""^\s*(?:import|export)\b[^;"']*?\bfrom\s*["']([^"']+)["']|^\s*import\s*["']([^"']+)["']"""
    r"""|\bimport\(\s*["']([^"']+)["']""",
    re.MULTILINE,
)


class Row(NamedTuple):
    """What one folder may import: folders, ``…/*`` for all under one, and packages from outside."""

    folders: frozenset[str]
    outside: frozenset[str]

    def allows(self, folder: str) -> bool:
        """Whether the row names the folder, or all that is under a folder it lies in."""
        above = [str(p) for p in (PurePosixPath(folder), *PurePosixPath(folder).parents)]
        return folder in self.folders or any(f"{parent}/*" in self.folders for parent in above)


def read_table(text: str) -> dict[str, Row]:
    """The rows of the one table of imports, in their order.

    A row ``x/*`` stands for every folder in x that has no row of its own.
    """
    rows: dict[str, Row] = {}
    table = text.partition("| folder |")[2].partition("\n\n")[0]
    for line in table.splitlines()[2:]:
        folder, imports, outside = (_names(cell) for cell in line.strip("|").split("|"))
        assert len(folder) == 1, line
        assert folder[0] not in rows, f"{folder[0]} stands twice in the table."
        top = folder[0].split("/")[0]
        full = [x if x.startswith("transformer_math") else f"{top}/{x}" for x in imports]
        rows[folder[0]] = Row(frozenset(full), frozenset(outside))
    expanded: dict[str, Row] = {}
    for name, row in rows.items():
        others = [folder for folder in _folders_in(name) if folder not in rows]
        expanded |= dict.fromkeys(others or [name], row)
    return expanded


def _folders_in(name: str) -> list[str]:
    """The folders with code that a row ``x/*`` may stand for."""
    if not name.endswith("/*"):
        return []
    files = (ROOT / name[:-2]).glob("*/__init__.py")
    return sorted(path.parent.relative_to(ROOT).as_posix() for path in files)


def _names(cell: str) -> list[str]:
    return [name for name in re.split(r"[,\s]+", cell.replace("`", "")) if name]


CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
TABLE = read_table(CONTRIBUTING)
OWN_ROWS = {line.split("`")[1] for line in CONTRIBUTING.splitlines() if line.startswith("| `")}
WILDCARDS = TABLE.keys() - OWN_ROWS
FILES = sorted(
    path.relative_to(ROOT).as_posix()
    for folder in PACKAGES.values()
    for kind in ("*.py", "*.js")
    for path in (ROOT / folder).rglob(kind)
)


def folder_of(file: str) -> str:
    """The row that a file belongs to: its folder; at the top of a package its own name."""
    path = PurePosixPath(file)
    is_own_folder = len(path.parts) == 2 and path.stem != "__init__"
    return str(path.with_suffix("") if is_own_folder else path.parent)


@cache
def imports(file: str) -> list[str]:
    """What a file imports: files of the house, and for anything else the package's name."""
    source = (ROOT / file).read_text(encoding="utf-8")
    found = _python_imports(file, source) if file.endswith(".py") else _js_imports(file, source)
    return sorted({*found})


def _python_imports(file: str, source: str) -> Iterator[str]:
    package = PurePosixPath(file).parts[:-1]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield _resolved(tuple(alias.name.split(".")))
        elif isinstance(node, ast.ImportFrom):
            start: tuple[str, ...] = tuple(node.module.split(".")) if node.module else ()
            if node.level:
                start = (*package[: len(package) - node.level + 1], *start)
            for alias in node.names:
                yield _resolved((*start, alias.name))


@cache
def _resolved(parts: tuple[str, ...]) -> str:
    """The file of the house that a dotted name leads to, else the name of the outside package."""
    top = PACKAGES.get(parts[0], parts[0])
    if top not in PACKAGES.values():
        return parts[0]
    for length in range(len(parts), 0, -1):
        path = PurePosixPath(top, *parts[1:length])
        for candidate in (f"{path}.py", f"{path}/__init__.py"):
            if (ROOT / candidate).is_file():
                return candidate
    return top


def _js_imports(file: str, source: str) -> Iterator[str]:
    for match in JS_IMPORT.finditer(source):
        name = next(filter(None, match.groups()))
        if name.startswith("."):
            target = (ROOT / file).parent.joinpath(name).resolve()
            assert target.is_file(), f"{file} imports {name}, which is not there."
            yield target.relative_to(ROOT).as_posix()
        else:
            yield name


def breaches(file: str, imported: list[str]) -> list[str]:
    """What a file imports that its row does not let it, a sentence each."""
    folder = folder_of(file)
    row = TABLE.get(folder)
    if row is None:
        return [f"{folder} is not in the table of imports in CONTRIBUTING.md."]
    found = []
    for name in imported:
        if "/" in name and not name.startswith("@"):
            if folder_of(name) != folder and not row.allows(folder_of(name)):
                found.append(
                    f"{file} imports {name}, and {folder} may not import {folder_of(name)}."
                )
        elif name not in row.outside | (sys.stdlib_module_names - WATCHED):
            found.append(f"{file} imports {name}, and {folder} may not.")
    return found


def test_a_file_imports_what_its_folder_may() -> None:
    assert [breach for file in FILES for breach in breaches(file, imports(file))] == []


def test_the_table_runs_one_way() -> None:
    """A folder imports folders that stand above it, so no two can need each other."""
    above: list[str] = []
    for folder, row in TABLE.items():
        for name in sorted(row.folders):
            if name.endswith("/*"):
                below = [r for r in TABLE if f"{r}/".startswith(name[:-1]) and r != folder]
                assert set(below) <= set(above), f"{folder} imports {name} before all are there."
                assert below, f"{folder} may import {name}: there is none."
            else:
                assert name in above, f"{folder} imports {name}, which does not stand above it."
        above.append(folder)


def test_every_row_is_a_folder() -> None:
    assert sorted(TABLE) == sorted({*map(folder_of, FILES)})


@pytest.mark.parametrize("folder", sorted(TABLE.keys() - WILDCARDS))
def test_a_row_allows_nothing_that_its_folder_does_not_need(folder: str) -> None:
    used = {name for file in FILES if folder_of(file) == folder for name in imports(file)}
    needed = {folder_of(name) for name in used if "/" in name} - {folder}
    for name in TABLE[folder].folders:
        only = Row(frozenset({name}), frozenset())
        assert any(map(only.allows, needed)), f"{folder} does not import {name}."
    assert TABLE[folder].outside <= used


@pytest.mark.parametrize("package", sorted(MAY_IMPORT))
def test_who_may_import_what_draws(package: str) -> None:
    folders = {folder for folder, row in TABLE.items() if package in row.outside}
    assert folders <= MAY_IMPORT[package]


def test_views_do_not_import_one_another() -> None:
    def view(file: str) -> str:
        return file.removeprefix("app/views/").split("/")[0].removesuffix(".py")

    for file in FILES:
        if file.startswith("app/views/"):
            for name in imports(file):
                if name.startswith("app/views/") and view(name) != view(file):
                    raise AssertionError(f"{file} imports {name}.")


@pytest.mark.parametrize("file", ["app/explain/value.py", "transformer_math/ops/loss.py"])
@pytest.mark.parametrize("package", ["panel", "bokeh", "asyncio", "threading", "tornado"])
def test_a_pure_folder_may_not_import(file: str, package: str) -> None:
    assert breaches(file, [package])


def test_imports_are_found_in_every_form() -> None:
    python = "import panel as pn\nfrom . import edits\nfrom ..session.state import AppState\n"
    python += "def f():\n    from transformer_math import ops\n"
    assert {*_python_imports("app/scenario/x.py", python)} == {
        "panel",
        "app/scenario/edits.py",
        "app/session/state.py",
        "transformer_math/ops/__init__.py",
    }
    js = 'import { a,\n  b } from "./board.css";\nexport * from "react"\n'
    js += "import 'lit';\nconst m = import(\"three\");\nconst from = 'x';\n"
    assert {*_js_imports("app/components/board/x.js", js)} == {
        "app/components/board/board.css",
        "react",
        "lit",
        "three",
    }
