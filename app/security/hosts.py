"""By which names a server is reached: a page of another host never gets at one on this machine.

Whoever owns a name may have it lead to 127.0.0.1, and then a browser lets a page of that name talk
to whatever is served there (DNS rebinding). So what comes in on a loopback address, or through a
proxy, is answered by names that are known: those of this machine, and those that are allowed.
"""

from __future__ import annotations

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
BEHIND_PROXY = "tinkerformer_behind_proxy"  # among a server's settings
MISDIRECTED = 421
SENTENCE = (
    "This server is not reached by this name. Who runs it can allow it: "
    "--allow-websocket-origin NAME."
)
_HOST = re.compile(r"(\[(?P<address>[0-9a-f:.]+)\]|(?P<name>[^\[\]:@/]+))(:\d*)?")


def answer_known_names() -> None:
    """Answer nobody who asks by another name, nor for an address that no file can have."""
    wrap_once(Application, "find_handler", _known)


def _known(found: Method) -> Method:
    def find_handler(self: Any, request: HTTPServerRequest, **kwargs: Any) -> Any:
        if not isinstance(self, BokehTornado):
            return found(self, request, **kwargs)
        if not is_answered(self, request):
            return self.get_handler_delegate(request, Misdirected)
        if "%00" in request.path:  # which no path has, and Tornado fails of
            return self.get_handler_delegate(request, ErrorHandler, {"status_code": 404})
        return found(self, request, **kwargs)

    return find_handler


class Misdirected(RequestHandler):
    """Says that the server is not meant."""

    def prepare(self) -> None:
        self.set_status(MISDIRECTED, "Misdirected Request")
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish(f"{SENTENCE}\n")


def is_answered(application: Any, request: HTTPServerRequest) -> bool:
    """Whether a request names a server as it is known, where that matters."""
    own = _own_address(request)
    if not application.settings.get(BEHIND_PROXY) and not (own and own.is_loopback):
        return True
    return is_known(request.host, own, allowed(application))


def allowed(application: Any) -> list[str]:
    """The hosts that a server's owner allows, as ``--allow-websocket-origin`` names them."""
    return [*(settings.allowed_ws_origin() or application.websocket_origins)]


def is_known(host: str, own: Address | None, allowed: Collection[str]) -> bool:
    """Whether a server answers to a name.

    Args:
        host: as a browser names it, perhaps with a port.
        own: the address at which it came in.
        allowed: names beside those of this machine, perhaps with ports and ``*`` for a part.
    """
    name = _name(host)
    if name is None:
        return False
    if name in OF_THIS_MACHINE or (own is not None and name == str(own)):
        return True
    names = (each.rpartition(":")[0] or each for each in allowed)
    return any(match_host(name, each.lower()) for each in names)


def _name(host: str) -> str | None:
    """A host without its port, as all write it; None if it is none."""
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
    """The address of this machine that a request came in at; None of no network."""
    socket = getattr(getattr(request.connection, "stream", None), "socket", None)
    name = None if socket is None else socket.getsockname()
    if not isinstance(name, tuple):
        return None  # the socket is a file
    found = ip_address(str(name[0]).partition("%")[0])
    return getattr(found, "ipv4_mapped", None) or found
