"""Builds the page as a folder of static files."""

import hashlib
import importlib.resources
import io
import json
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from transformer_math.checkpoints.whole_file import write_whole

from ..cards.picture import general
from ..cards.tags import PICTURE
from ..transport.port import catalog
from ..transport.port.bokeh_js import bokeh_js
from .archive import SENT, app_archive, sent
from .bokeh_modules import PACKAGES, bokeh_modules
from .bytecode import NoBytecode, as_bytecode
from .first_paint import first_paint
from .index import index
from .licenses import LICENSES, written
from .math_files import math_files
from .modules import page_module, page_texts, service_worker, worker_module
from .runtime_files import (
    RuntimeFiles,
    module_archives,
    own_runtime,
    public_runtime,
    with_archives,
)
from .to_bytecode import APP_ARCHIVE, CHARTS_ARCHIVE, REST_ARCHIVE, module_name, packed

ELEMENT = "embed/tinkerformer.js"  # the script for embedding, at a permanent address
LIST = "files.json"  # a list of the files of a build, by which the next build can remove them


class NotEmpty(ValueError):
    """The folder is not empty."""


def build(
    folder: Path,
    runtime: Path | None = None,
    *,
    parents: Sequence[str] = (),
    address: str = "",
    force: bool = False,
    report: Callable[[str], object] = print,
) -> list[str]:
    """Write the page as static files for any file host.

    Most files are in a folder whose name is a hash of their content, so that browsers can cache
    them forever.

    Args:
        folder: the folder to write; created if necessary.
        runtime: a folder with the Python runtime, for a site that uses no other hosts; None for the
            public address of the runtime.
        parents: origins of the pages that may control the site in a frame.
        address: the URL of the site, by which other sites find its picture; may be empty.
        force: whether to write into a folder that is not empty. Files of an earlier build are
            removed, all others are kept.
        report: receives a message if the modules cannot be compiled.

    Returns:
        The files, relative to the folder.

    Raises:
        ValueError: the folder is not empty, or the runtime is incomplete or modified.
        OSError: a file could not be written; an earlier build is unchanged.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())) and not force:
        raise NotEmpty(f"{folder} is not empty; --force writes into it all the same.")
    found = public_runtime() if runtime is None else own_runtime(runtime)
    archives = app_archives()
    if runtime is not None:
        try:
            found, archives = without_compiling(runtime, found, archives)
        except NoBytecode as reason:
            report(f"Python takes twice as long to start, as its modules stay sources: {reason}.")
    files = site_files(found, archives, parents, address)
    _write(folder, {**files, LIST: json.dumps([*files, LIST]).encode()})
    return list(files)


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write all files, and then remove other files of an earlier build."""
    before = _listed(folder)
    try:
        for name in files:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
        write_whole({folder / name: data for name, data in files.items()})
    except OSError:
        for name in files:
            _remove_empty((folder / name).parent.resolve(), folder.resolve())
        raise
    _forget(folder, before - files.keys())


def app_archives() -> dict[str, bytes]:
    """Return the archives of the app's modules and of the charts' imports, by name."""
    return {APP_ARCHIVE: app_archive(), CHARTS_ARCHIVE: packed(bokeh_modules())}


def without_compiling(
    folder: Path, runtime: RuntimeFiles, archives: Mapping[str, bytes]
) -> tuple[RuntimeFiles, dict[str, bytes]]:
    """Compile the runtime's and the app's modules to bytecode."""
    own = module_archives(runtime)
    done = as_bytecode(folder, {**own, **archives})
    return (
        with_archives(runtime, {name: done[name] for name in own}),
        {name: data for name, data in done.items() if name not in own},
    )


def site_files(
    runtime: RuntimeFiles,
    archives: Mapping[str, bytes],
    parents: Sequence[str] = (),
    address: str = "",
) -> dict[str, bytes]:
    """Return the content of all files of the site by name; see ``build``.

    The archives have the app's modules, the charts' imports, and the modules imported late.
    """
    first = first_paint()
    answers = {text: f"answer_{k}.json" for k, text in enumerate(first.answers)}
    modules = {f"components/{name}.js": text for name, text in catalog.modules().items()}
    parts = {
        "runtime": {"url": runtime.url, "packed": runtime.packed, "early": runtime.early},
        "archive": f"{APP_ARCHIVE}{SENT}",
        "later": [
            {"names": names, "archive": f"{name}{SENT}"} for name, names in _later(archives).items()
        ],
    }
    components = {Path(name).stem: name for name in modules}
    site = {
        "components": components,
        "bokeh": "bokeh.min.js",
        "worker": "worker.js",
        "firstPaint": "first.json",
    }
    inside: dict[str, bytes] = {
        "first.json": _json({"said": first.said, "answers": answers}),
        **{answers[text]: _json(said) for text, said in first.answers.items()},
        **sent(archives),
        "bokeh.min.js": bokeh_js().read_bytes(),
        "page.js": page_module(site).encode(),
        "worker.js": worker_module(parts).encode(),
        **{name: text.encode() for name, text in {**modules, **page_texts()}.items()},
        **math_files(),
        **{f"{runtime.url}{name}": data for name, data in sent(runtime.files).items()},
    }
    version = _version(inside)
    first_modules = ["page.js", *(components[name] for name in _shown(first.said))]
    page = index(f"./{version}/", first_modules, "first.json", parents, address)
    public = [] if runtime.files else [f"{runtime.url}{name}" for name in runtime.fetched]
    kept = ["./", *(f"./{version}/{name}" for name in inside), *public]
    worker = service_worker(
        {"version": f"{version} {_version({'': page.encode()})}", "files": kept}
    )
    return {
        "index.html": page.encode(),
        PICTURE: general(),
        "service_worker.js": worker.encode(),
        ELEMENT: _element(),
        LICENSES: written(runtime).encode(),
        **{f"{version}/{name}": data for name, data in inside.items()},
    }


def _later(archives: Mapping[str, bytes]) -> dict[str, list[str]]:
    """Return the names of the modules that are imported late, by the archive that contains them.

    The name of a package that the charts need stands for all of its modules.
    """
    later = {}
    for name in sorted(archives.keys() & {CHARTS_ARCHIVE, REST_ARCHIVE}):
        with zipfile.ZipFile(io.BytesIO(archives[name])) as archive:
            modules = filter(None, map(module_name, archive.namelist()))
            later[name] = sorted({_package(each) or each for each in modules})
    return later


def _package(name: str) -> str:
    """Return the package of the charts that contains a module; empty if there is none."""
    top = name.partition(".")[0]
    return top if top in PACKAGES else ""


def _json(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def _version(files: dict[str, bytes]) -> str:
    """Return a hash of the content."""
    found = hashlib.sha256()
    for name, data in sorted(files.items()):
        found.update(f"{name} {len(data)} ".encode() + data)
    return found.hexdigest()[:12]


def _shown(said: list[dict[str, object]]) -> list[str]:
    """Return the component classes that are on the page initially."""
    entries = json.loads(str(said[0]["text"]))
    regions = next(entry[2] for entry in entries if entry[0] == "place")
    described = [each for items in regions.values() for each in items]
    return sorted({each["class"] for each in described if each["kind"] == "component"})


def _element() -> bytes:
    assets = importlib.resources.files(f"{__package__.partition('.')[0]}.assets")
    return (assets / ELEMENT).read_bytes()


def _listed(folder: Path) -> set[str]:
    """Return the files that an earlier build wrote."""
    listed = folder / LIST
    return set(json.loads(listed.read_text(encoding="utf-8"))) if listed.is_file() else set()


def _forget(folder: Path, names: Iterable[str]) -> None:
    """Delete files, but only those inside the folder."""
    for name in names:
        path = (folder / name).resolve()
        if path.is_relative_to(folder.resolve()) and path.is_file():
            path.unlink()
            _remove_empty(path.parent, folder.resolve())


def _remove_empty(inside: Path, folder: Path) -> None:
    while inside != folder and inside.is_dir() and not any(inside.iterdir()):
        inside.rmdir()
        inside = inside.parent
