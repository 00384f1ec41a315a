"""Installs all guards of a server before its first request, however it is started.

``panel serve`` runs a page's file only at its first request, too late to guard that request. But
Panel imports the REST providers of all installed packages before it creates a server, and this
module is registered as a REST provider (see pyproject.toml). It adds no routes, and does not change
servers without our pages.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from bokeh.server.server import Server

from ..runtime.wrapping import Method, wrap_once

HERE = Path(__file__).parents[2]
PAGES = frozenset({HERE / "main.py", HERE / "embedded.py"})


def routes(_files: Iterable[str], _endpoint: str) -> list[Any]:
    """Return no routes; Panel calls this function of each REST provider."""
    return []


def guard_servers() -> None:
    """Guard each server of the page that this process starts; repeated calls have no effect."""
    wrap_once(Server, "__init__", _guarded)


def _guarded(original: Method) -> Method:
    def __init__(self: Any, applications: Any, *args: Any, **options: Any) -> None:
        if not _has_pages(applications):
            original(self, applications, *args, **options)
            return
        # Imported here because it is slow and few Panel servers need it.
        from .guards import guard_process, guard_server, guarded

        guard_process()
        original(self, applications, *args, **guarded(options))
        guard_server(self, options)

    return __init__


def _has_pages(applications: Any) -> bool:
    """Return whether the server's applications include pages of this project."""
    if not isinstance(applications, Mapping):
        return False
    handlers = [each for x in applications.values() for each in getattr(x, "handlers", ())]
    runners = [getattr(each, "_runner", None) for each in handlers]
    return any(Path(runner.path).resolve() in PAGES for runner in runners if runner is not None)


guard_servers()
