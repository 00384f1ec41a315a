"""Runs the page as a standalone web server."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ..security import parents
from .systemd import notify_systemd

LOCAL_ADDRESSES = ("127.0.0.1", "localhost")


class Where(NamedTuple):
    """The network address of a server."""

    address: str = "localhost"
    port: int = 5006
    prefix: str = ""  # of all paths
    behind_proxy: bool = False  # whether to take the client's address from a proxy's headers


def serve_page(
    apps: Mapping[str, Path], where: Where, *, show: bool, origins: Sequence[str] = ()
) -> None:
    """Serve the page until the process is stopped; raise ``OSError`` if the address is in use.

    The page's code runs once before the server listens, so that the first visitor need not wait.
    Several processes that serve the same page need the same key ``BOKEH_SECRET_KEY``.

    Args:
        apps: the file of each application, by the path of its address.
        origins: further hosts whose pages may connect to this server; ``*`` for all.
    """
    import panel as pn

    from .liveness import PLACE, Liveness

    notify_systemd()
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
        websocket_origin=_origins(where.port, origins),
    )


def _origins(port: int, others: Sequence[str]) -> list[str]:
    """Return the hosts whose pages may connect: this machine, the allowed parents, and others."""
    hosts = [origin.partition("://")[2] for origin in parents.allowed()]
    return [*(f"{address}:{port}" for address in LOCAL_ADDRESSES), *hosts, *others]
