"""The page as a web server of its own."""

from __future__ import annotations

import importlib.resources
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from . import parents
from .headers import say_of_all, say_of_pages
from .incoming import limit_messages, log_little
from .loop_watch import watch_loop
from .own_sessions import keep_sessions_apart, let_in_its_own_pages

LOCAL_ADDRESSES = ("127.0.0.1", "localhost")
MOST_BYTES = 4 << 20  # of one message: a part of a file that is sent, and a saved session
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

    Args:
        apps: what ``panel serve`` takes, by their places.
        where: to listen.
        show: whether to open a browser window.
        origins: hosts whose pages may talk to this server beside its own; ``*`` for all of them.
    """
    import panel as pn

    keep_sessions_apart()
    let_in_its_own_pages()
    say_of_pages()
    say_of_all()
    log_little()
    limit_messages(MOST_BYTES)
    watch_loop()
    folders[EMBED] = str(importlib.resources.files("tinkerformer.assets") / "embed")
    pn.serve(
        {place: str(file) for place, file in apps.items()},
        port=where.port,
        address=where.address,
        prefix=where.prefix,
        use_xheaders=where.behind_proxy,
        liveness=True,
        show=show,
        title="Tinkerformer",
        static_dirs=folders,
        websocket_origin=_origins(where.port, origins),
        sign_sessions=True,
        secret_key=secrets.token_bytes(32),
        websocket_max_message_size=MOST_BYTES,
    )


def _origins(port: int, others: Sequence[str]) -> list[str]:
    """From where sessions may be opened beside the page's own host: pages that may drive it."""
    hosts = [origin.partition("://")[2] for origin in parents.allowed()]
    return [*(f"{address}:{port}" for address in LOCAL_ADDRESSES), *hosts, *others]
