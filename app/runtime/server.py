"""The page as a web server of its own."""

from __future__ import annotations

import importlib.resources
from collections.abc import Mapping
from pathlib import Path

from . import parents

LOCAL_ADDRESSES = ("127.0.0.1", "localhost")
EMBED = "embed"

# What this process serves beside the page: folders by their places.
folders: dict[str, str] = {}


def serve_page(apps: Mapping[str, Path], *, port: int, address: str, show: bool) -> None:
    """Serve the page until the process is stopped, and the script of course pages under ``/embed``.

    Args:
        apps: what ``panel serve`` takes, by their places.
        port: to listen on.
        address: to listen on; from others than this machine's own any origin is let in.
        show: whether to open a browser window.
    """
    import panel as pn

    folders[EMBED] = str(importlib.resources.files("tinkerformer.assets") / "embed")
    pn.serve(
        {place: str(file) for place, file in apps.items()},
        port=port,
        address=address,
        show=show,
        title="Tinkerformer",
        static_dirs=folders,
        websocket_origin=_origins(port) if address in LOCAL_ADDRESSES else ["*"],
    )


def _origins(port: int) -> list[str] | None:
    """From where sessions may be opened: none, unless there are pages that may drive this one."""
    hosts = [origin.partition("://")[2] for origin in parents.allowed()]
    own = [f"{address}:{port}" for address in LOCAL_ADDRESSES]
    return [*own, *hosts] if hosts else None
