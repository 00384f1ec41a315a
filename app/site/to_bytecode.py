"""Compiles archives of sources during a build, in the runtime's own Python.

The script first opens a page. It moves all modules that the page does not import to the archive of
the charts, if the charts need them, or else to a separate archive. A browser fetches these archives
when the first of their modules is imported.
"""

import ast
import importlib
import importlib.util
import io
import json
import marshal
import sys
import zipfile
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from types import CodeType

APP_ARCHIVE, CHARTS_ARCHIVE, REST_ARCHIVE = "app.zip", "bokeh.zip", "rest.zip"
LIBRARY_ARCHIVE = "python_stdlib.zip"
IDEAS_WITH_CHARTS = ("idea:positions", "idea:cost")
# Modules that the runtime needs to start, even if it starts in another way than in a build.
_ALWAYS = ("pyodide", "_pyodide", "encodings", "importlib")
_DATE = (1980, 1, 1, 0, 0, 0)  # fixed, so that the same files give the same archive
_NO_DOCSTRINGS = 2  # browsers do not need docstrings
_NEVER_CHECKED = 0b01  # flag of bytecode that is not compared with its source
# An entry of a line number table: no columns, for up to eight code units.
_NO_COLUMNS, _UNITS = 0x80 | 13 << 3, 8


def compile_all(folder: Path) -> None:
    """Compile each archive in the folder, and move rarely needed modules to a separate archive."""
    taken = _imported_to_open_a_page(folder)
    charted = _imported_to_draw_charts(folder) - taken
    archives = {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
    missing = _files_of(LIBRARY_ARCHIVE, taken).difference(_names(archives[LIBRARY_ARCHIVE]))
    if missing:
        raise RuntimeError(f"A page needs of the standard library: {', '.join(sorted(missing))}")
    made = split_by_use(archives, taken, charted)
    for name, data in made.items():
        # Other modules stay sources, which are smaller, because few of them are ever imported.
        is_rare = name in (LIBRARY_ARCHIVE, REST_ARCHIVE)
        wanted = (lambda file: module_name(file) in taken) if is_rare else None
        (folder / name).write_bytes(compiled(data, wanted, typed=name != APP_ARCHIVE))


def split_by_use(
    archives: Mapping[str, bytes], taken: Collection[str], charted: Collection[str]
) -> dict[str, bytes]:
    """Split archives into needed modules with their data, chart modules, and the remaining modules.

    A page needs the modules in ``taken`` to open; only charts need those in ``charted``, which move
    to the charts' archive.
    """
    made = {name: _files(data) for name, data in archives.items()}
    charts: dict[str, bytes] = made.pop(CHARTS_ARCHIVE)
    rest: dict[str, bytes] = {}
    for archive, files in made.items():
        packages = {
            module_name(name) for name in files if name.rpartition("/")[2].startswith("__init__.")
        }
        data = {name: _package_of(name, packages) for name in files if not module_name(name)}
        # The app reads its data by path, even from packages that it never imports.
        kept = {*taken, *data.values()} if archive == APP_ARCHIVE else taken
        for name in [*files]:
            of = module_name(name) or data[name]
            if of and of not in kept and of.partition(".")[0] not in _ALWAYS:
                where = charts if of in charted else rest
                where[name] = files.pop(name)
    return {
        name: packed(files)
        for name, files in {**made, CHARTS_ARCHIVE: charts, REST_ARCHIVE: rest}.items()
    }


def compiled(
    archive: bytes, wanted: Callable[[str], bool] | None = None, *, typed: bool = True
) -> bytes:
    """Return an archive with its sources replaced by bytecode without docstrings.

    ``wanted`` returns whether to compile the source with a given name; None for all. If ``typed``,
    functions keep their annotations.
    """
    made = {}
    for name, data in _files(archive).items():
        if name.endswith(".py") and (wanted is None or wanted(name)):
            made[f"{name}c"] = _bytecode(name, data, typed)
        else:
            made[name] = data
    return packed(made)


def module_name(file: str) -> str:
    """Return the dotted name of a module from its file in an archive; empty for other files."""
    path, _, ending = file.rpartition("/")[2].partition(".")
    if not (ending in ("py", "pyc") or ending.endswith("so")) or "-" in file.partition("/")[0]:
        return ""
    folder = file.rpartition("/")[0].replace("/", ".")
    return folder if path == "__init__" else f"{folder}.{path}".lstrip(".")


def _package_of(file: str, packages: Collection[str]) -> str:
    """Return the package that contains a data file; empty if there is none.

    Data files move with their package, because a folder of data alone would be imported instead.
    """
    folder = file.rpartition("/")[0]
    while folder and folder.replace("/", ".") not in packages:
        folder = folder.rpartition("/")[0]
    return folder.replace("/", ".")


def _bytecode(name: str, source: bytes, typed: bool) -> bytes:
    """Return the content of a bytecode file, which is not checked against its source.

    Checks are unnecessary because the name of the site's folder changes with its content.
    """
    tree = ast.parse(source, name)
    kept = tree if typed else _Untyped().visit(tree)
    code = compile(kept, name, "exec", dont_inherit=True, optimize=_NO_DOCSTRINGS)
    head = importlib.util.MAGIC_NUMBER + _NEVER_CHECKED.to_bytes(4, "little")
    return head + importlib.util.source_hash(source) + marshal.dumps(_with_first_lines(code))


class _Untyped(ast.NodeTransformer):
    """Removes the annotations of functions; those of classes declare fields."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node


def _with_first_lines(code: CodeType) -> CodeType:
    """Return code with only the first line number of each function, for tracebacks.

    The full table of line and column numbers would be a third of the transferred bytes.
    """
    units = len(code.co_code) // 2
    lengths = [min(_UNITS, units - start) for start in range(0, units, _UNITS)]
    table = b"".join(bytes((_NO_COLUMNS | length - 1, 0)) for length in lengths)
    inside = tuple(
        _with_first_lines(each) if isinstance(each, CodeType) else each for each in code.co_consts
    )
    return code.replace(co_linetable=table, co_consts=inside)


def _imported_to_open_a_page(folder: Path) -> set[str]:
    """Open a page, and return the names of all modules that are loaded afterward."""
    zipfile.ZipFile(folder / APP_ARCHIVE).extractall("/modules")
    sys.path.insert(0, "/modules")
    from tinkerformer.site import late_imports
    from tinkerformer.site.worker_page import open_page

    assert late_imports
    open_page(lambda *_: None, "").close()
    return {*sys.modules}


def _imported_to_draw_charts(folder: Path) -> set[str]:
    """Draw all charts, and return the names of all modules that are loaded afterward."""
    zipfile.ZipFile(folder / CHARTS_ARCHIVE).extractall("/modules")
    importlib.invalidate_caches()
    from tinkerformer.shell.page import create_page
    from tinkerformer.transport.port import PortPage

    said: list[str] = []
    port = PortPage(lambda text, _buffers: said.append(text))
    page = create_page(port.session)
    port.place(page.regions)
    form = port.number_of(page.regions["forms"][0])
    for name in IDEAS_WITH_CHARTS:
        port.receive(json.dumps(["set", form, {"value": name}]))
    port.close()
    assert sum('"charts"' in text for text in said) >= len(IDEAS_WITH_CHARTS)
    return {*sys.modules}


def _files_of(archive: str, modules: Collection[str]) -> set[str]:
    """Return the files in an archive from which modules were loaded."""
    found = (str(getattr(sys.modules[name], "__file__", "")) for name in modules)
    return {file.partition(f"{archive}/")[2] for file in found if f"{archive}/" in file}


def _names(archive: bytes) -> list[str]:
    return zipfile.ZipFile(io.BytesIO(archive)).namelist()


def _files(archive: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(archive)) as given:
        return {name: given.read(name) for name in given.namelist() if not name.endswith("/")}


def packed(files: Mapping[str, bytes]) -> bytes:
    """Return an uncompressed zip file whose bytes depend only on the files and their names."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as made:
        for name, data in sorted(files.items()):
            made.writestr(zipfile.ZipInfo(name, _DATE), data)
    return written.getvalue()


if __name__ == "__main__":
    compile_all(Path("/archives"))
