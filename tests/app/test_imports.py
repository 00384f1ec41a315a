"""Imports run one way: each folder imports only folders that CONTRIBUTING's table allows."""

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
# The modules of the standard library that only listed folders may import.
WATCHED = {"asyncio", "concurrent", "ctypes", "multiprocessing", "subprocess", "threading"}
# The folders that may use Panel or Bokeh; all others also work without a server.
MAY_IMPORT = {
    "panel": {"app/transport/panel", "app/shell/served", "app/transport/hosting"},
    "bokeh": {
        *("app/charts", "app/transport/panel", "app/transport/port"),
        *("app/shell/served", "app/transport/hosting", "app/transport/security"),
    },
}
JS_IMPORT = re.compile(
    r"""^\s*(?:import|export)\b[^;"']*?\bfrom\s*["']([^"']+)["']|^\s*import\s*["']([^"']+)["']"""
    r"""|\bimport\(\s*["']([^"']+)["']""",
    re.MULTILINE,
)


class Row(NamedTuple):
    """A row of the table: folders, and the folders and packages that they may import.

    Attributes:
        listed: the folders named in the row, in order; each may import those before it.
        members: the same folders, with those that ``x/*`` means.
        folders: the folders above that they may import.
        outside: the packages that they may import from outside.
    """

    listed: tuple[str, ...]
    members: tuple[str, ...]
    folders: frozenset[str]
    outside: frozenset[str]

    def allows(self, folder: str) -> bool:
        """Return whether the row names the folder, directly or by ``…/*``."""
        above = [str(p) for p in (PurePosixPath(folder), *PurePosixPath(folder).parents)]
        return folder in self.folders or any(f"{parent}/*" in self.folders for parent in above)

    def allows_to(self, member: str, folder: str) -> bool:
        """Return whether one folder of the row may import another folder."""
        at = self.listed.index(member) if member in self.listed else len(self.listed)
        return self.allows(folder) or folder in self.listed[:at]


def read_table(text: str) -> list[Row]:
    """Return the rows of the table of imports, in order.

    The folders of a row share a package. ``x/*`` stands for every folder in x without a row.
    """
    rows = []
    table = text.partition("| folder |")[2].partition("\n\n")[0]
    for line in table.splitlines()[2:]:
        members, imports, outside = (_names(cell) for cell in line.strip("|").split("|"))
        top = members[0].split("/")[0]
        members = [members[0], *(f"{top}/{name}" for name in members[1:])]
        full = [x if x.startswith("transformer_math") else f"{top}/{x}" for x in imports]
        rows.append(Row(tuple(members), (), frozenset(full), frozenset(outside)))
    named = {folder for row in rows for folder in row.listed}
    return [row._replace(members=tuple(_expanded(row.listed, named))) for row in rows]


def _expanded(listed: tuple[str, ...], named: set[str]) -> Iterator[str]:
    for name in listed:
        if name.endswith("/*"):
            files = (ROOT / name[:-2]).glob("*/__init__.py")
            folders = sorted(path.parent.relative_to(ROOT).as_posix() for path in files)
            yield from (folder for folder in folders if folder not in named)
        else:
            yield name


def _names(cell: str) -> list[str]:
    return [name for name in re.split(r"[,\s]+", cell.replace("`", "")) if name]


CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
TABLE = read_table(CONTRIBUTING)
ROW_OF = {member: row for row in TABLE for member in row.members}
FILES = sorted(
    path.relative_to(ROOT).as_posix()
    for folder in PACKAGES.values()
    for kind in ("*.py", "*.js")
    for path in (ROOT / folder).rglob(kind)
)


def folder_of(file: str) -> str:
    """Return the row of a file: by its folder or, at the top of a package, by its name."""
    path = PurePosixPath(file)
    is_own_folder = len(path.parts) == 2 and path.stem != "__init__"
    return str(path.with_suffix("") if is_own_folder else path.parent)


@cache
def imports(file: str) -> list[str]:
    """Return the imports of a file: files of the project, and names of other packages."""
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
    """Return the project's file for a dotted name, or the name of an outside package."""
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
    """Return a sentence for each import of a file that its row does not allow."""
    folder = folder_of(file)
    row = ROW_OF.get(folder)
    if row is None:
        return [f"{folder} is not in the table of imports in CONTRIBUTING.md."]
    found = []
    for name in imported:
        if "/" in name and not name.startswith("@"):
            if folder_of(name) != folder and not row.allows_to(folder, folder_of(name)):
                found.append(
                    f"{file} imports {name}, and {folder} may not import {folder_of(name)}."
                )
        elif name not in row.outside | (sys.stdlib_module_names - WATCHED):
            found.append(f"{file} imports {name}, and {folder} may not.")
    return found


def test_a_file_imports_only_what_its_folder_may_import() -> None:
    assert [breach for file in FILES for breach in breaches(file, imports(file))] == []


def test_the_table_runs_one_way() -> None:
    """A folder imports only folders above it, so no two import each other."""
    above: set[str] = set()
    for row in TABLE:
        for name in sorted(row.folders):
            if name.endswith("/*"):
                below = {folder for folder in ROW_OF if f"{folder}/".startswith(name[:-1])}
                below -= set(row.members)
                assert below <= above, f"{row.members} imports {name} before all are there."
                assert below, f"{row.members} may import {name}: there is none."
            else:
                assert name in above, f"{row.members} imports {name}, which is not above it."
        above |= set(row.members)


def test_the_table_has_each_folder_once_and_at_most_sixty_rows() -> None:
    members = [member for row in TABLE for member in row.members]
    assert sorted(members) == sorted({*map(folder_of, FILES)})
    assert len(TABLE) <= 60


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.members[0])
def test_a_row_allows_only_imports_that_its_folders_need(row: Row) -> None:
    used = {name for file in FILES if folder_of(file) in row.members for name in imports(file)}
    needed = {folder_of(name) for name in used if "/" in name}
    for name in row.folders:
        only = row._replace(folders=frozenset({name}))
        assert any(map(only.allows, needed)), f"{row.members} do not import {name}."
    assert row.outside <= used


@pytest.mark.parametrize("package", sorted(MAY_IMPORT))
def test_only_some_folders_may_import_drawing_libraries(package: str) -> None:
    folders = {folder for row in TABLE if package in row.outside for folder in row.members}
    assert folders <= MAY_IMPORT[package]


@pytest.mark.parametrize("file", ["app/explain/value.py", "transformer_math/ops/loss.py"])
@pytest.mark.parametrize("package", ["panel", "bokeh", "asyncio", "threading", "tornado"])
def test_a_folder_of_pure_functions_may_not_import_panel_or_bokeh(file: str, package: str) -> None:
    assert breaches(file, [package])


def test_every_form_of_import_is_found() -> None:
    python = "import panel as pn\nfrom . import edits\nfrom ...session.state import AppState\n"
    python += "def f():\n    from transformer_math import ops\n"
    assert {*_python_imports("app/model/scenario/x.py", python)} == {
        "panel",
        "app/model/scenario/edits.py",
        "app/session/state.py",
        "transformer_math/ops/__init__.py",
    }
    js = 'import { a,\n  b } from "./board.css";\nexport * from "react"\n'
    js += "import 'lit';\nconst m = import(\"three\");\nconst from = 'x';\n"
    assert {*_js_imports("app/board/x.js", js)} == {
        "app/board/board.css",
        "react",
        "lit",
        "three",
    }
