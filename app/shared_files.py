"""Provides the static files that all pages share, which browsers cache forever.

This module is in the top folder because the addresses of files are relative to it.
"""

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

from .components.component import Component, module_file
from .components.esm import esm
from .shell import fonts, frame
from .shell.page import create_page
from .transport.hosting.cached_files import KeptFile, hand_out, hash_of, kept_file
from .transport.port import catalog
from .transport.port.bokeh_js import bokeh_js

HERE = Path(__file__).parent
MAIN, MATH = "shell/served/main.js", "shell/fonts/katex.css"


class _ByHash:
    """A class attribute with the sources of the shared files for Panel, built on first access."""

    def __get__(self, _instance: object, _owner: type) -> dict[str, list[str]]:
        return {key: [file.source] for key, file in shared().files.items()}


class Kept:
    """A class that lists the shared files in ``_resources``, so that Panel's server serves them."""

    _resources = _ByHash()


FOLDER = f"components/{__name__}/{Kept.__name__}/_resources"
_UP = "../" * len(Path(MAIN).parts)  # from a file to FOLDER; all files have the same depth
_TOP = _UP + "../" * len(Path(FOLDER).parts)  # from a file to the root of the server's addresses


class Shared(NamedTuple):
    """The addresses that every page needs.

    Attributes:
        files: the files by their hashes.
        texts: addresses of the page shell's files, by their names in the template.
        math: the address of KaTeX's style sheet.
        katex: the address of KaTeX's script.
        fonts: the addresses of the fonts to preload.
        main: the address of the page's entry module.
        modules: the addresses of the components' modules, by class name.
        version: a hash of all files, by which a page detects that its server has other files.
    """

    files: dict[str, KeptFile]
    texts: dict[str, str]
    math: str
    katex: str
    fonts: list[str]
    main: str
    modules: dict[str, str]
    version: str


@cache
def shared() -> Shared:
    """Return the shared files, with addresses relative to the root of the server."""
    files: dict[str, KeptFile] = {}

    def keep(source: str, data: str | bytes) -> str:
        file = kept_file(source, data if isinstance(data, bytes) else data.encode())
        files[file.hash] = file
        return f"{FOLDER}/{file.hash}/{source}"

    def own(address: str) -> str:
        return address.replace(f"{FOLDER}/", _UP)

    faces = {
        name: keep(f"shell/fonts/{name}.woff2", (fonts.HERE / f"{name}.woff2").read_bytes())
        for name in fonts.FACES
    }
    sources = {name: module_file(cls) for name, cls in catalog.component_classes().items()}
    modules = {
        name: keep(source.relative_to(HERE).as_posix(), catalog.modules()[name])
        for name, source in sources.items()
        if source is not None
    }
    site = {
        "components": {name: own(address) for name, address in modules.items()},
        "bokeh": f"{_TOP}static/js/{_named(bokeh_js(), bokeh_js().parent)}",
    }
    katex = fonts.katex_folder() / "katex.min.js"
    entry = esm(HERE / "shell" / "served" / "main.js", "open")
    texts = {name: keep(name, text) for name, text in frame.texts().items()}
    math = keep(MATH, fonts.css(lambda name: own(faces[name])) + fonts.katex_css())
    begin = f"export const begin = (opened) => open({json.dumps(site)}, opened);\n"
    main = keep(MAIN, f"{entry}{begin}")
    return Shared(
        files,
        texts=texts,
        math=math,
        katex=f"static/extensions/panel/{_named(katex, katex.parents[4])}",
        fonts=[faces[name] for name in fonts.FIRST],
        main=main,
        modules=modules,
        version=hash_of("".join(sorted(files)).encode()),
    )


def _named(file: Path, folder: Path) -> str:
    """Return the permanent address of a file in a folder that Bokeh's server serves."""
    return f"{file.relative_to(folder).as_posix()}?v={hash_of(file.read_bytes())}"


@cache
def first_modules() -> list[str]:
    """Return the addresses of the modules that draw a page without parameters."""
    placed = (each for region in create_page().regions.values() for each in region)
    names = {type(each).__name__ for each in placed if isinstance(each, Component)}
    return list(dict.fromkeys(shared().modules[name] for name in sorted(names)))


# At import, because Panel may import this module for a file before any page was opened.
hand_out(FOLDER, shared().files)
