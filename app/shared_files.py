"""What every opened page shares, as files that browsers keep for good: modules, styles, fonts.

The module stands here because the files are named by their sources, and these lie below it.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

from .components.carriers.port import catalog
from .components.carriers.port.bokeh_js import bokeh_js
from .components.component import Component, module_file
from .components.esm import esm
from .hosting.cached_files import KeptFile, hand_out, hash_of, kept_file
from .page import fonts, frame
from .page.page import create_page

HERE = Path(__file__).parent
MAIN, MATH = "page/served/main.js", "page/fonts/katex.css"


class _ByHash:
    """The files as Panel looks them up; put together when the first is asked for."""

    def __get__(self, _instance: object, _owner: type) -> dict[str, list[str]]:
        return {key: [file.source] for key, file in shared().files.items()}


class Kept:
    """Panel's server hands out the files beside a class that lists them in ``_resources``."""

    _resources = _ByHash()


FOLDER = f"components/{__name__}/{Kept.__name__}/_resources"
_UP = "../" * len(Path(MAIN).parts)  # from a file, all of which lie as deep, to that folder
_TOP = _UP + "../" * len(Path(FOLDER).parts)  # to where all addresses of the server begin


class Shared(NamedTuple):
    """What every page is opened with.

    Attributes:
        files: by their hashes.
        texts: addresses of what the frame is made of, by the names that it has for them.
        math: the address of KaTeX's rules.
        katex: that of KaTeX.
        fonts: those of the first fonts.
        main: that of the module that begins the page.
        modules: those of the components, by the names of their classes.
    """

    files: dict[str, KeptFile]
    texts: dict[str, str]
    math: str
    katex: str
    fonts: list[str]
    main: str
    modules: dict[str, str]


@cache
def shared() -> Shared:
    """The files, and their addresses from where all addresses of the server begin."""
    files: dict[str, KeptFile] = {}

    def keep(source: str, data: str | bytes) -> str:
        file = kept_file(source, data if isinstance(data, bytes) else data.encode())
        files[file.hash] = file
        return f"{FOLDER}/{file.hash}/{source}"

    def own(address: str) -> str:
        return address.replace(f"{FOLDER}/", _UP)

    faces = {
        name: keep(f"page/fonts/{name}.woff2", (fonts.HERE / f"{name}.woff2").read_bytes())
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
    main = esm(HERE / "page" / "served" / "main.js", "open")
    return Shared(
        files,
        texts={name: keep(name, text) for name, text in frame.texts().items()},
        math=keep(MATH, fonts.css(lambda name: own(faces[name])) + fonts.katex_css()),
        katex=f"static/extensions/panel/{_named(katex, katex.parents[4])}",
        fonts=[faces[name] for name in fonts.FIRST],
        main=keep(
            MAIN, f"{main}export const begin = (opened) => open({json.dumps(site)}, opened);\n"
        ),
        modules=modules,
    )


def _named(file: Path, folder: Path) -> str:
    """The address of a file in a folder that Bokeh's server hands out, to be kept for good."""
    return f"{file.relative_to(folder).as_posix()}?v={hash_of(file.read_bytes())}"


@cache
def first_modules() -> list[str]:
    """Addresses of the modules that a page of a plain address is drawn with at once."""
    placed = (each for region in create_page().regions.values() for each in region)
    names = {type(each).__name__ for each in placed if isinstance(each, Component)}
    return list(dict.fromkeys(shared().modules[name] for name in sorted(names)))


# At once: in a process that has opened no page Panel imports this module for the first file.
hand_out(FOLDER, shared().files)
