"""Determines which files of Bokeh the charts need, by drawing all charts.

With its server dependencies, Bokeh would be three times as large. Therefore a separate Python
process, in which only the listed packages can be imported, draws every chart and prints the names
of the files that it has read.
"""

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any

from .to_bytecode import IDEAS_WITH_CHARTS

PACKAGES = ("bokeh", "jinja2", "markupsafe", "yaml")
_THERE = ("numpy", "param", "transformer_math", __package__.partition(".")[0])


def bokeh_modules() -> dict[str, bytes]:
    """Return the content of the files that charts need, by their names in an archive."""
    command = [sys.executable, "-W", "ignore", "-m", __name__]
    done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[2])
    if done.returncode != 0:
        raise RuntimeError(f"No chart could be drawn with Bokeh alone:\n{done.stderr}")
    files: dict[str, str] = json.loads(done.stdout.splitlines()[-1])
    # Bokeh reads its own version from this metadata.
    about = f"{PACKAGES[0]}-{version(PACKAGES[0])}.dist-info/METADATA"
    metadata = f"Metadata-Version: 2.1\nName: {PACKAGES[0]}\nVersion: {version(PACKAGES[0])}\n"
    taken = {name: Path(file).read_bytes() for name, file in files.items()}
    return {about: metadata.encode(), **taken}


class _OnlyThese(MetaPathFinder):
    """An import finder that hides packages that the browser does not have."""

    def __init__(self, finder: Any) -> None:
        self._finder = finder

    def find_distributions(self, *context: Any) -> Iterator[Any]:
        """Find the metadata of packages, which contains their versions."""
        found = getattr(self._finder, "find_distributions", None)
        return found(*context) if found else iter(())

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        spec: ModuleSpec | None = self._finder.find_spec(name, path, target)
        top = name.partition(".")[0]
        if spec is None or top in sys.stdlib_module_names or top in _THERE:
            return spec
        is_python = not str(spec.origin).endswith(tuple(EXTENSION_SUFFIXES))
        return spec if top in PACKAGES and is_python else None


def _draw_all() -> dict[str, str]:
    """Draw the chart of every idea that has one, and return the files that were read, by name."""
    sys.meta_path[:] = map(_OnlyThese, sys.meta_path)
    opened: list[str] = []

    def note(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(arguments[0], str):
            opened.append(arguments[0])

    sys.addaudithook(note)  # records templates, too, which are opened without an import
    asyncio.run(_every_chart())
    modules = [getattr(module, "__file__", None) for module in sys.modules.values()]
    # Bokeh opens some files by their resolved paths, and the environment may be behind a link.
    read = [Path(file).resolve() for file in [*modules, *opened] if file]
    found = {}
    for package in PACKAGES:
        folder = Path(str(sys.modules[package].__file__)).resolve().parent
        for file in read:
            if file.is_relative_to(folder) and file.suffix != ".pyc" and file.is_file():
                found[f"{package}/{file.relative_to(folder).as_posix()}"] = str(file)
    return found


async def _every_chart() -> None:
    from ..shell.page import create_page
    from ..transport.port import PortPage

    posted: list[str] = []
    port = PortPage(lambda text, _buffers: posted.append(text))
    page = create_page(port.session)
    port.place(page.regions)
    forms = page.regions["forms"][0]
    for name in IDEAS_WITH_CHARTS:
        port.receive(json.dumps(["set", port.number_of(forms), {"value": name}]))
    for _ in range(200):
        if sum('"charts"' in text for text in posted) >= len(IDEAS_WITH_CHARTS):
            break
        await asyncio.sleep(0.02)
    else:
        raise RuntimeError("A step of training drew no chart.")
    port.close()


if __name__ == "__main__":
    print(json.dumps(_draw_all()))
