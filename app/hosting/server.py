"""The page as a web server of its own."""

from __future__ import annotations

import importlib.resources
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ..security import parents
from .systemd import notify_systemd

LOCAL_ADDRESSES = ("127.0.0.1", "localhost")
EMBED = "embed"

# What this process serves beside the page: folders by their places.
folders: dict[str, str] = {}


class Where(NamedTuple):
    """Where a server is reached.

    Attributes:
        address: to listen on.
        port: to listen on.
        prefix: part of the address before all others.
        behind_proxy: whether a proxy says in headers who asks.
    """

    address: str = "localhost"
    port: int = 5006
    prefix: str = ""
    behind_proxy: bool = False


def serve_page(
    apps: Mapping[str, Path], where: Where, *, show: bool, origins: Sequence[str] = ()
) -> None:
    """Serve the page until the process is stopped, and the script of course pages under ``/embed``.

    Nothing listens before the page's code has run once, so that the first visitor need not wait.
    Processes that serve one page together sign its sessions with one key, ``BOKEH_SECRET_KEY``.

    Args:
        apps: what ``panel serve`` takes, by their places.
        where: to listen.
        show: whether to open a browser window.
        origins: hosts whose pages may talk to this server beside its own; ``*`` for all of them.

    Raises:
        OSError: nothing can listen there.
    """
    import panel as pn

    from .liveness import PLACE, Liveness

    notify_systemd()
    folders[EMBED] = str(importlib.resources.files("tinkerformer.assets") / "embed")
    pn.serve(
        {place: str(file) for place, file in apps.items()},
        port=where.port,
        address=where.address,
        prefix=where.prefix,
        use_xheaders=where.behind_proxy,
        extra_patterns=[(PLACE, Liveness)],
        warm=True,
        show=show,
        title="Tinkerformer",
        static_dirs=folders,
        websocket_origin=_origins(where.port, origins),
    )


def _origins(port: int, others: Sequence[str]) -> list[str]:
    """From where sessions may be opened beside the page's own host: pages that may drive it."""
    hosts = [origin.partition("://")[2] for origin in parents.allowed()]
    return [*(f"{address}:{port}" for address in LOCAL_ADDRESSES), *hosts, *others]
