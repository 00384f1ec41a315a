"""Decides which embedding pages may control this page; all may request its height."""

import os
import re
from collections.abc import Iterable

ALLOWED = "TINKERFORMER_ALLOW_PARENT"  # environment variable: origins, separated by spaces

_ORIGIN = re.compile(r"(?P<scheme>https?)://(?P<host>[a-z0-9.-]+|\[[0-9a-f:.]+\])(:(?P<port>\d+))?")
_USUAL_PORTS = {"http": 80, "https": 443}
MAX_PORT = 65535


def origin(text: str) -> str:
    """Return an origin in the form that browsers use; else ``ValueError`` with one sentence."""
    found = _ORIGIN.fullmatch(text.strip().lower().removesuffix("/"))
    port = int(found["port"]) if found and found["port"] else None
    if not found or (port is not None and not 0 < port <= MAX_PORT):
        raise ValueError(
            f"{text[:100]!r} is not an origin: write scheme and host, as in "
            "https://course.example.org, with a port if there is one, and no path."
        )
    own_port = "" if port in (None, _USUAL_PORTS[found["scheme"]]) else f":{port}"
    return f"{found['scheme']}://{found['host']}{own_port}"


def allow(origins: Iterable[str]) -> None:
    """Add origins to those of the environment, for this process and its children."""
    os.environ[ALLOWED] = " ".join(dict.fromkeys((*allowed(), *map(origin, origins))))


def allowed() -> tuple[str, ...]:
    """Return the origins that may control the page; ``ValueError`` if an entry is invalid."""
    return tuple(dict.fromkeys(map(origin, os.environ.get(ALLOWED, "").split())))
