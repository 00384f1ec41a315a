"""Run by the runtime's own Python when a site is built: archives of sources become bytecode.

It opens a page first: of the standard library only what that takes is compiled, as bytecode is
larger than its source and the rest comes later or never.
"""

import io
import py_compile
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path

LIBRARY, APP, LATER = "python_stdlib.zip", "app.zip", "bokeh.zip"
_DATE = (1980, 1, 1, 0, 0, 0)
_NO_DOCSTRINGS = 2  # nobody reads those of other packages in a browser
_AS_WRITTEN = 0


def compile_all(folder: Path) -> None:
    """Replace each archive in the folder by one that needs no compiling."""
    library = _taken_to_open_a_page(folder)
    for path in sorted(folder.iterdir()):
        optimize = _AS_WRITTEN if path.name == APP else _NO_DOCSTRINGS
        wanted = library.__contains__ if path.name == LIBRARY else None
        path.write_bytes(compiled(path.read_bytes(), optimize, wanted))


def compiled(
    archive: bytes, optimize: int = _AS_WRITTEN, wanted: Callable[[str], bool] | None = None
) -> bytes:
    """An archive with bytecode in the place of its sources.

    Args:
        archive: a zip file.
        optimize: as of ``compile``.
        wanted: whether a source is compiled, by its name; None: each is.
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
        # Nothing tells whether it is out of date but the name of the site's folder.
        mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
        py_compile.compile(
            str(file), str(made), name, doraise=True, optimize=optimize, invalidation_mode=mode
        )
        return made.read_bytes()


def _taken_to_open_a_page(folder: Path) -> set[str]:
    """The names of the library's sources that a page needs until it is there."""
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
