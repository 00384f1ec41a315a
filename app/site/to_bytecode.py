"""Runs in the runtime's own Python during a build, and compiles archives of sources.

It opens a page first, because only the modules of the standard library that a page needs are
compiled: bytecode is larger than its source, and the other modules are imported late or never.
"""

import io
import py_compile
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path

LIBRARY, LATER = "python_stdlib.zip", "bokeh.zip"
_DATE = (1980, 1, 1, 0, 0, 0)
_NO_DOCSTRINGS = 2  # nobody reads them in a browser
_AS_WRITTEN = 0


def compile_all(folder: Path) -> None:
    """Replace each archive in the folder by a compiled one.

    Raises:
        RuntimeError: the standard library lacks modules that a page needs to open.
    """
    library = _taken_to_open_a_page(folder)
    with zipfile.ZipFile(folder / LIBRARY) as given:
        missing = library.difference(given.namelist())
    if missing:
        raise RuntimeError(f"A page needs of the standard library: {', '.join(sorted(missing))}")
    for path in sorted(folder.iterdir()):
        wanted = library.__contains__ if path.name == LIBRARY else None
        path.write_bytes(compiled(path.read_bytes(), _NO_DOCSTRINGS, wanted))


def compiled(
    archive: bytes, optimize: int = _AS_WRITTEN, wanted: Callable[[str], bool] | None = None
) -> bytes:
    """An archive with its sources replaced by bytecode.

    Args:
        archive: a zip file.
        optimize: the optimization level of ``compile``.
        wanted: whether to compile the source with a given name; None for all.
    """
    written = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(archive)) as given,
        zipfile.ZipFile(written, "w") as made,
    ):
        for name in sorted(given.namelist()):
            data = given.read(name)
            if name.endswith(".py") and (wanted is None or wanted(name)):
                name, data = f"{name}c", _bytecode(name, data, optimize)
            if not name.endswith("/"):
                made.writestr(zipfile.ZipInfo(name, _DATE), data)
    return written.getvalue()


def _bytecode(name: str, source: bytes, optimize: int) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        file, made = Path(folder) / "source.py", Path(folder) / "source.pyc"
        file.write_bytes(source)
        # Bytecode is not checked against its source; the site's folder name changes with the
        # content.
        mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
        py_compile.compile(
            str(file), str(made), name, doraise=True, optimize=optimize, invalidation_mode=mode
        )
        return made.read_bytes()


def _taken_to_open_a_page(folder: Path) -> set[str]:
    """Names of the standard library's sources that a page needs to open."""
    for path in folder.iterdir():
        if path.name not in (LIBRARY, LATER):
            zipfile.ZipFile(path).extractall("/modules")
    sys.path.insert(0, "/modules")
    from tinkerformer.site.worker_page import open_page

    open_page(lambda *_: None, "").close()
    return {*_library_files(sys.modules.values())}


def _library_files(modules: Iterable[object]) -> Iterable[str]:
    for module in modules:
        _, inside, name = str(getattr(module, "__file__", "")).partition(".zip/")
        if inside:
            yield name


if __name__ == "__main__":
    compile_all(Path("/archives"))
