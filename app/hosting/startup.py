"""All that guards a server is in place before its first request, whoever has it begin.

``panel serve`` runs the file of a page when that is first asked for: too late for the request that
asks. But Panel imports the REST providers of all installed packages before it makes a server, and
as one of them (see pyproject.toml) this module is there in time. It gives no routes. Servers of
others are left as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from bokeh.server.server import Server

from ..runtime.wrapping import Method, wrap_once

HERE = Path(__file__).parents[1]
PAGES = frozenset({HERE / "main.py", HERE / "embedded.py"})


def routes(_files: Iterable[str], _endpoint: str) -> list[Any]:
    """None: what Panel asks a REST provider for."""
    return []


def guard_servers() -> None:
    """Guard each server of the page that begins in this process; twice is harmless."""
    wrap_once(Server, "__init__", _guarded)


def _guarded(found: Method) -> Method:
    def __init__(self: Any, applications: Any, *args: Any, **options: Any) -> None:
        if not _has_pages(applications):
            found(self, applications, *args, **options)
            return
        # Here, as it takes a moment and few of Panel's servers need it.
        from .guards import guard_process, guard_server, guarded

        guard_process()
        found(self, applications, *args, **guarded(options))
        guard_server(self, options)

    return __init__


def _has_pages(applications: Any) -> bool:
    """Whether pages of ours are among what is served."""
    if not isinstance(applications, Mapping):
        return False
    handlers = [each for x in applications.values() for each in getattr(x, "handlers", ())]
    runners = [getattr(each, "_runner", None) for each in handlers]
    return any(Path(runner.path).resolve() in PAGES for runner in runners if runner is not None)


guard_servers()
