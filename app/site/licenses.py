"""Writes ``licenses.txt``: the third-party parts of the site and their licenses.

Names, versions and license texts are read from the installed packages and the site's runtime. A
tool such as ``pip-licenses`` lists only installed packages, which are five of these parts, without
the files of each part.
"""

import io
import json
import os
import re
import sys
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import Distribution, distribution
from pathlib import Path
from typing import NamedTuple

from ..components.component import SHARED
from ..shell import fonts
from .math_files import katex_version
from .runtime_files import VERSION as PYODIDE
from .runtime_files import RuntimeFiles

LICENSES = "licenses.txt"
_NAME = __package__.partition(".")[0]
_IS_TEXT = re.compile(r"(^|/)(LICEN[CS]E|COPYING)[^/]*$", re.IGNORECASE)
_PSF = "https://docs.python.org/3/license.html"
_MPL = """Its license: https://www.mozilla.org/MPL/2.0/
Its source, and that of what is compiled into it: https://github.com/pyodide/pyodide"""


class Part(NamedTuple):
    """A third-party part of the site."""

    name: str
    version: str
    license: str
    places: tuple[str, ...]  # path prefixes of its files, in the site's folder or its archives
    text: str  # of the license

    def has(self, file: str) -> bool:
        """Return whether a file of the site, or of one of its archives, belongs to this part."""
        return file.startswith(self.places)


def parts(runtime: RuntimeFiles) -> list[Part]:
    """Return all third-party parts of a site with this runtime."""
    found = [
        Part("KaTeX and its fonts", katex_version(), "MIT", ("katex/",), _of_katex()),
        _lit_html(),
        _installed("bokeh", ("bokeh.min.js", "bokeh/", "bokeh-")),
        _installed("jinja2", ("jinja2/",)),
        _installed("markupsafe", ("markupsafe/",)),
        _installed("pyyaml", ("yaml/",)),
        _installed("param", ("param/",)),
    ]
    return [*found, *_of_runtime(runtime)] if runtime.files else found


def written(runtime: RuntimeFiles) -> str:
    """Return the content of ``licenses.txt``: a list of parts, followed by the license texts.

    If the site does not include the runtime's files, only their address is listed.
    """
    own = _installed(_NAME, ())
    found = [own, *parts(runtime)]
    lines = [f"{part.name} {part.version}: {part.license}" for part in found]
    if not runtime.files:
        lines.append(f"Python itself is fetched from {runtime.url} and is no part of this folder.")
    texts = [f"{'-' * 80}\n{part.name} {part.version}\n\n{part.text.strip()}\n" for part in found]
    return "\n".join([*lines, "", *texts])


def needed(name: str = _NAME) -> list[Distribution]:
    """Return an installed distribution and all of its dependencies."""
    found: dict[str, Distribution] = {}
    todo = [name]
    while todo:
        asked = re.sub(r"[-_.]+", "-", todo.pop()).lower()
        there = None if asked in found else _distribution(asked)
        if there is not None:
            found[asked] = there
            todo += _wanted(there.requires or ())
    return [found[name] for name in sorted(found)]


def license_of(found: Distribution) -> str:
    """Return the license that a distribution declares."""
    about = found.metadata
    for name in ("License-Expression", "License"):
        said = next(iter(about.get_all(name) or ()), "")
        if said and "\n" not in said and len(said) < 80:
            return str(said)
    kinds = [said for said in about.get_all("Classifier") or () if said.startswith("License ::")]
    return ", ".join(said.rpartition(" :: ")[2] for said in kinds) or "not said"


def _wanted(requires: Iterable[str]) -> Iterator[str]:
    """Yield the names of the required dependencies, without those of extras."""
    for said in requires:
        name = re.match(r"[\w.-]+", said)
        if name and "extra ==" not in said:
            yield name[0]


def _distribution(name: str) -> Distribution | None:
    try:
        return distribution(name)
    except ModuleNotFoundError:  # includes PackageNotFoundError
        return None


def _installed(name: str, places: Sequence[str]) -> Part:
    found = distribution(name)
    files = [file for file in found.files or () if ".dist-info" in file.parts[0]]
    texts = [file.read_text() for file in files if _IS_TEXT.search(str(file))]
    return Part(
        str(found.metadata["Name"]),
        found.version,
        license_of(found),
        tuple(places),
        "\n\n".join(texts) or f"Its license: {license_of(found)}.",
    )


def _of_katex() -> str:
    return (fonts.HERE / "LICENSE-KaTeX.txt").read_text(encoding="utf-8")


def _lit_html() -> Part:
    version = re.findall(r'litHtmlVersions.*?push\("([\d.]+)"\)', _read("lit-html.js"))[0]
    return Part("lit-html", version, "BSD-3-Clause", ("page.js",), _read("LICENSE-lit-html.txt"))


def _read(name: str) -> str:
    return (SHARED / name).read_text(encoding="utf-8")


def _of_runtime(runtime: RuntimeFiles) -> list[Part]:
    """Return Pyodide, the Python standard library, and NumPy with the libraries in its wheel."""
    python = Part("Python", _python_version(runtime), "PSF-2.0", ("runtime/python_",), _of_python())
    pyodide = ("runtime/pyodide",)
    found = [Part("Pyodide", PYODIDE, "MPL-2.0", pyodide, _MPL), python]
    for name, data in runtime.files.items():
        if name.endswith(".whl"):
            project, version = name.split("-")[:2]
            licenses = "BSD-3-Clause, and others of what is in it"
            found.append(Part(project, version, licenses, (f"runtime/{name}",), _inside(data)))
    return found


def _python_version(runtime: RuntimeFiles) -> str:
    lock = runtime.files.get("pyodide-lock.json")
    return str(json.loads(lock)["info"]["python"]) if lock else "of this runtime"


def _of_python() -> str:
    """Return the license of the Python that builds the site, from its standard library."""
    file = Path(os.__file__).parent / "LICENSE.txt"
    found = file.read_text(encoding="utf-8") if file.is_file() else sys.copyright
    return f"Its license: {_PSF}\n\n{found}"


def _inside(wheel: bytes) -> str:
    """Return all license texts in a wheel."""
    with zipfile.ZipFile(io.BytesIO(wheel)) as archive:
        names = [name for name in archive.namelist() if _IS_TEXT.search(name)]
        return "\n\n".join(archive.read(name).decode("utf-8", "replace") for name in names)
