"""How many pages a process has open, and what a visitor sees for whom it has no room.

A place is taken by a page with a socket. One that was only asked for has its session for a moment:
of too many the oldest is forgotten, and made anew should its browser still come.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import jinja2
from bokeh.server.views.autoload_js_handler import AutoloadJsHandler
from bokeh.server.views.session_handler import SessionHandler
from bokeh.server.views.ws import WSHandler
from bokeh.util.token import get_session_id
from tornado.web import Finish, HTTPError

from ..runtime.limits import OPENING, has_room
from ..runtime.wrapping import Method, wrap_once
from . import framing, headers

HERE = Path(__file__).parent
MOST_SOCKETS = 4  # of one page: its own, and those that a lost network has not let go of yet
LIFETIME = 10_000  # ms that a session is kept without a socket
EVERY = 5_000  # ms between two times that this is looked at
AGAIN = 5  # seconds, and up to as many more, until a page that waits asks again
FULL = (
    "All places are taken just now. This page tries again by itself; "
    "what was done in this tab before is not lost."
)
_POLICY = (
    "default-src 'none'; script-src 'nonce-{word}'; style-src 'nonce-{word}'; base-uri 'none'; "
    "form-action 'none'"
)
_PAGE = jinja2.Template((HERE / "full.html").read_text(encoding="utf-8"), autoescape=True)
_SCRIPT = (HERE / "full.js").read_text(encoding="utf-8").replace("export ", "")


def keep_to_places() -> None:
    """Let in no more pages than a process may have open, from now on; twice is harmless."""
    wrap_once(SessionHandler, "get_session", _with_room)
    wrap_once(WSHandler, "get", _with_place)
    wrap_once(WSHandler, "_async_open", _with_place_still)


def _with_room(found: Method) -> Method:
    async def get_session(self: Any) -> Any:
        if not has_room(open_pages(self.application)):
            _say_full(self)
        await _forget_oldest(self.application)
        return await found(self)

    return get_session


def _with_place(found: Method) -> Method:
    async def get(self: Any, *args: Any, **kwargs: Any) -> None:
        _, _, token = self.request.headers.get("Sec-WebSocket-Protocol", "").partition(",")
        if not _has_place(self, token.strip()):
            # Of several processes another one may have room: a proxy asks the next.
            raise HTTPError(503, reason="All places are taken")
        await found(self, *args, **kwargs)

    return get


def _with_place_still(found: Method) -> Method:
    async def _async_open(self: Any, token: str) -> None:
        if _has_place(self, token):
            await found(self, token)
        else:  # it was taken since
            self.close()

    return _async_open


def _has_place(handler: Any, token: str) -> bool:
    """Whether the page of a token may have a socket, or another one.

    Its session is perhaps not there: it was forgotten, or made by another process.
    """
    there = {each.id: each for each in handler.application_context.sessions}
    try:
        own = there.get(get_session_id(token))
    except Exception:  # it is no token, which whoever opens the socket refuses
        own = None
    sockets = 0 if own is None else own.connection_count
    return sockets < MOST_SOCKETS and (sockets > 0 or has_room(open_pages(handler.application)))


def open_pages(application: Any) -> int:
    """How many pages of a server have a socket."""
    return sum(session.connection_count > 0 for _, session in _sessions(application))


def _sessions(application: Any) -> Iterator[tuple[Any, Any]]:
    for context in application.applications.values():
        for session in context.sessions:
            yield context, session


async def _forget_oldest(application: Any) -> None:
    """Of the pages that were asked for and have no socket, keep fewer than there may be."""
    asked = [
        (context, each) for context, each in _sessions(application) if not each.connection_count
    ]
    most = OPENING.value()
    if most is None or len(asked) < most:
        return
    asked.sort(key=lambda pair: pair[1].milliseconds_since_last_unsubscribe, reverse=True)
    for context, session in asked[: len(asked) - most + 1]:
        session.request_expiration()
        await context._cleanup_sessions(LIFETIME)


def _say_full(handler: Any) -> NoReturn:
    """Have a visitor wait for a place, at the same address."""
    handler.set_status(503, "All places are taken")
    handler.set_header("Retry-After", str(AGAIN))
    handler.set_header("Cache-Control", "no-store")
    if isinstance(handler, AutoloadJsHandler):
        handler.set_header("Content-Type", "application/javascript")
        raise Finish(_script(handler))
    word, ancestors = headers.word(), framing.allowed()
    policy = _POLICY.format(word=word) + (f"; frame-ancestors {ancestors}" if ancestors else "")
    handler.set_header("Content-Security-Policy", policy)
    handler.set_header("Content-Type", "text/html; charset=utf-8")
    raise Finish(_PAGE.render(word=word, sentence=FULL, seconds=AGAIN))


def _script(handler: Any) -> str:
    """What Bokeh's script tag in a page of others runs."""
    name, base = (
        handler.get_argument(f"bokeh-{each}", default="")
        for each in ("autoload-element", "absolute-url")
    )
    request = handler.request
    source = f"{base}/autoload.js?{request.query}" if base else request.uri
    values = ", ".join(map(json.dumps, (name, FULL, source, AGAIN)))
    return f"(() => {{ {_SCRIPT} wait({values}); }})();"
