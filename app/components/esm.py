"""Bundles ES modules that import one another into one self-contained module."""

import os.path
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

_COMMENT = re.compile(r"^[ \t]*/\*\*(?!\s*\*\s*@license)(?:[^*]|\*(?!/))*\*/[ \t]*\n", re.MULTILINE)
_LINE_COMMENT = re.compile(r"^[ \t]*//.*\n", re.MULTILINE)
_IMPORT = re.compile(
    r"""^import\s+\{(?P<names>[^}]*)\}\s+from\s+(?P<quote>["'])(?P<path>\.[^"']+)(?P=quote);""",
    re.MULTILINE,
)
_EXPORT = re.compile(
    r"^export\s+(?=(?:async\s+)?(?:function|class|const)\b\s*\*?\s*(?P<name>[\w$]+))", re.MULTILINE
)
_EXPORT_LIST = re.compile(r"\bexport\s*\{(?P<names>[^}]*)\};\s*(?://# sourceMappingURL=.*\s*)?\Z")
_OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
_NAME = re.compile(r"([\w$]+)(?:\s+as\s+([\w$]+))?")
_NOTHING: Mapping[Path, str] = {}


class ModuleError(ValueError):
    """Modules that cannot be bundled; the message names the files."""


class _Import(NamedTuple):
    path: Path
    names: dict[str, str]  # exported name -> name within the module


class _Module(NamedTuple):
    path: Path
    name: str  # relative to the entry's folder
    text: str
    imports: list[_Import]
    exports: list[tuple[str, str]]  # exported name, name within the module
    is_vendored: bool


def esm(entry: Path, wanted: str = "render", provided: Mapping[Path, str] = _NOTHING) -> str:
    """Bundle the module ``entry`` and all its imports into one that exports ``wanted``.

    The page has no build step, and a JSComponent's ``_esm`` is a single module. Each file is placed
    before all files that import it, in a separate function scope that returns its exports, so that
    two files may use the same private names. A comment with the file's name precedes each part, to
    help in the browser's debugger; other comments are removed, except licenses. A vendored file has
    one list of exports at its end, ``export {a as b, c};``. A file in ``provided`` is left out; the
    JavaScript expression given there replaces its exports.

    Raises ModuleError for an import of a missing file or of a name that is not exported, for an
    import cycle, for two exports of one name, for an entry without ``wanted``, and for any import
    or export other than ``import {a, b as c} from "./file.js";`` and ``export`` before a function,
    class or const.
    """
    modules = list(_in_order(entry.resolve(), entry.resolve(), {}, []))
    _check_names(modules)
    if wanted not in dict(modules[-1].exports):
        raise ModuleError(f"{modules[-1].name} exports no {wanted}")
    variables = {module.path: f"${at}" for at, module in enumerate(modules)} | dict(provided)
    modules = [module for module in modules if module.path not in provided]
    *parts, last = modules
    joined = [
        f"const {variables[part.path]} = (() => {{\n{_body(part, variables)}"
        f"return {{ {_pairs(part.exports)} }};\n}})();\n"
        for part in parts
    ]
    joined.append(_body(last, variables) + f"export {{ {_pairs(last.exports)} }};\n")
    heads = (f"// ---- {module.name}\n" for module in modules)
    return "".join(head + text for head, text in zip(heads, joined, strict=True))


def _in_order(
    path: Path, entry: Path, seen: dict[Path, _Module], open_files: list[Path]
) -> Iterator[_Module]:
    """Yield each module after the modules that it imports; ``open_files``: the import chain."""
    if path in open_files:
        circle = [*open_files[open_files.index(path) :], path]
        names = " → ".join(_name(file, entry) for file in circle)
        raise ModuleError(f"the imports run in a circle: {names}")
    if path in seen:
        return
    module = seen[path] = _read(path, entry)
    for needed in module.imports:
        if not needed.path.is_file():
            raise ModuleError(
                f"{module.name} imports {_name(needed.path, entry)}, which does not exist"
            )
        yield from _in_order(needed.path, entry, seen, [*open_files, path])
    yield module


def _name(path: Path, entry: Path) -> str:
    return Path(os.path.relpath(path, entry.parent)).as_posix()


def _read(path: Path, entry: Path) -> _Module:
    text = _LINE_COMMENT.sub("", _COMMENT.sub("", path.read_text(encoding="utf-8")))
    name = _name(path, entry)
    imports = []
    for found in _IMPORT.finditer(text):
        target = (path.parent / found["path"]).resolve()
        imports.append(_Import(target, _names(found["names"], name)))
    exports = [(found["name"], found["name"]) for found in _EXPORT.finditer(text)]
    listed = _EXPORT_LIST.search(text)
    if listed:
        text = f"{text[: listed.start()]}\n"
        exports += [(out, local) for local, out in _names(listed["names"], name).items()]
    other = _OTHER.search(_EXPORT.sub("", _IMPORT.sub("", text)))
    if other:
        raise ModuleError(f"{name} imports or exports in a way that is not joined: {other[0]}")
    return _Module(path, name, text, imports, exports, listed is not None)


def _names(listed: str, file: str) -> dict[str, str]:
    names = {}
    for each in filter(None, (part.strip() for part in listed.split(","))):
        found = _NAME.fullmatch(each)
        if not found:
            raise ModuleError(f"{file} imports {each!r}, which is no name")
        names[found[1]] = found[2] or found[1]
    return names


def _check_names(modules: list[_Module]) -> None:
    exported: dict[str, str] = {}
    for module in modules:
        for name, _ in () if module.is_vendored else module.exports:
            if name in exported:
                raise ModuleError(f"{name} is exported by {exported[name]} and by {module.name}")
            exported[name] = module.name
    by_path = {module.path: module for module in modules}
    for module in modules:
        imported: dict[str, str] = {}
        for needed in module.imports:
            other = by_path[needed.path]
            for name, local in needed.names.items():
                if name not in dict(other.exports):
                    raise ModuleError(
                        f"{module.name} imports {name} from {other.name}, which does not export it"
                    )
                if local in imported:
                    raise ModuleError(
                        f"{module.name} imports {local} from {imported[local]} and {other.name}"
                    )
                imported[local] = other.name


def _body(module: _Module, variables: dict[Path, str]) -> str:
    """Return the text of a module, with its imports replaced by variables of earlier parts."""
    imports = iter(module.imports)

    def take(_: re.Match[str]) -> str:
        needed = next(imports)
        return f"const {{ {_pairs(needed.names.items())} }} = {variables[needed.path]};"

    return _EXPORT.sub("", _IMPORT.sub(take, module.text))


def _pairs(names: Iterable[tuple[str, str]]) -> str:
    """Return exported and local names as the inside of an object literal or a destructuring."""
    return ", ".join(name if name == local else f"{name}: {local}" for name, local in names)
