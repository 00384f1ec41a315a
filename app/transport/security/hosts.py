"""Checks the host name of requests, to protect local servers from DNS rebinding.

The owner of a domain can make it resolve to 127.0.0.1, so that browsers let pages of that domain
connect to any local server. A request that arrives on a loopback address or through a proxy is
therefore answered only if its host name is that of this machine, or is allowed.
"""

import re
from collections.abc import Collection
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any

from bokeh.server.tornado import BokehTornado
from bokeh.server.util import match_host
from bokeh.settings import settings
from tornado.httputil import HTTPServerRequest
from tornado.web import Application, ErrorHandler, RequestHandler

from ..runtime.wrapping import Method, wrap_once

Address = IPv4Address | IPv6Address

OF_THIS_MACHINE = frozenset({"localhost", "127.0.0.1", "::1"})
BEHIND_PROXY = "tinkerformer_behind_proxy"  # key in a server's settings
MISDIRECTED = 421
SENTENCE = (
    "This server does not accept this host name. Its operator can allow it: "
    "--allow-websocket-origin NAME."
)
_HOST = re.compile(r"(\[(?P<address>[0-9a-f:.]+)\]|(?P<name>[^\[\]:@/]+))(:\d*)?")


def answer_known_names() -> None:
    """Reject requests with an unknown host name or an invalid path."""
    wrap_once(Application, "find_handler", _known)


def _known(original: Method) -> Method:
    def find_handler(self: Any, request: HTTPServerRequest, **kwargs: Any) -> Any:
        if not isinstance(self, BokehTornado):
            return original(self, request, **kwargs)
        if not is_answered(self, request):
            return self.get_handler_delegate(request, Misdirected)
        if "%00" in request.path:  # Tornado fails on a null character, and no valid path has one
            return self.get_handler_delegate(request, ErrorHandler, {"status_code": 404})
        return original(self, request, **kwargs)

    return find_handler


class Misdirected(RequestHandler):
    """Responds with status 421 (Misdirected Request)."""

    def prepare(self) -> None:
        self.set_status(MISDIRECTED, "Misdirected Request")
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish(f"{SENTENCE}\n")


def is_answered(application: Any, request: HTTPServerRequest) -> bool:
    """Return whether a request has a known host name, or came neither by loopback nor by proxy."""
    own = _own_address(request)
    if not application.settings.get(BEHIND_PROXY) and not (own and own.is_loopback):
        return True
    return is_known(request.host, own, allowed(application))


def allowed(application: Any) -> list[str]:
    """Return the hosts that the owner allows by ``--allow-websocket-origin``."""
    return [*(settings.allowed_ws_origin() or application.websocket_origins)]


def is_known(host: str, own: Address | None, allowed: Collection[str]) -> bool:
    """Return whether a server answers to a host name, which may have a port.

    ``own`` is the local address of the request; ``allowed`` may have ports and ``*`` wildcards.
    """
    name = _name(host)
    if name is None:
        return False
    if name in OF_THIS_MACHINE or (own is not None and name == str(own)):
        return True
    names = (each.rpartition(":")[0] or each for each in allowed)
    return any(match_host(name, each.lower()) for each in names)


def _name(host: str) -> str | None:
    """Return a host in normalized form without its port; None if it is invalid."""
    found = _HOST.fullmatch(host.strip().lower())
    if found is None:
        return None
    if found["name"]:
        return found["name"].removesuffix(".")
    try:
        return str(ip_address(found["address"]))
    except ValueError:
        return None


def _own_address(request: HTTPServerRequest) -> Address | None:
    """Return the local address at which a request arrived; None if not over a network."""
    socket = getattr(getattr(request.connection, "stream", None), "socket", None)
    name = None if socket is None else socket.getsockname()
    if not isinstance(name, tuple):
        return None  # a Unix socket
    found = ip_address(str(name[0]).partition("%")[0])
    return getattr(found, "ipv4_mapped", None) or found
