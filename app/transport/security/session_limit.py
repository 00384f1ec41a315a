"""Limits the number of open pages of a process; further visitors wait.

A page with a socket counts as open. A page that was requested but has no socket yet keeps its
session only briefly. Beyond a limit the oldest sessions without a socket are discarded, and created
again if their browser connects.
"""

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
MOST_SOCKETS = 4  # sockets of one page: its own, and those that a network failure left open
LIFETIME = 10_000  # ms that a session without a socket is kept
EVERY = 5_000  # ms between two checks
AGAIN = 5  # seconds until a waiting page retries, plus a random delay of at most the same length
FULL = (
    "All places are taken at the moment. This page tries again by itself; your work in this tab "
    "is not lost."
)
_POLICY = (
    "default-src 'none'; script-src 'nonce-{word}'; style-src 'nonce-{word}'; base-uri 'none'; "
    "form-action 'none'"
)
_PAGE = jinja2.Template((HERE / "full.html").read_text(encoding="utf-8"), autoescape=True)
_SCRIPT = (HERE / "full.js").read_text(encoding="utf-8").replace("export ", "")


def keep_to_places() -> None:
    """From now on limit the open pages of a process; repeated calls have no effect."""
    wrap_once(SessionHandler, "get_session", _within_limit)
    wrap_once(WSHandler, "get", _with_place)
    wrap_once(WSHandler, "_async_open", _with_place_still)


def _within_limit(original: Method) -> Method:
    async def get_session(self: Any) -> Any:
        if not has_room(open_pages(self.application)):
            _say_full(self)
        await _forget_oldest(self.application)
        return await original(self)

    return get_session


def _with_place(original: Method) -> Method:
    async def get(self: Any, *args: Any, **kwargs: Any) -> None:
        _, _, token = self.request.headers.get("Sec-WebSocket-Protocol", "").partition(",")
        if not _has_place(self, token.strip()):
            # Another process may have room, and a proxy tries the next process.
            raise HTTPError(503, reason="All places are taken")
        await original(self, *args, **kwargs)

    return get


def _with_place_still(original: Method) -> Method:
    async def _async_open(self: Any, token: str) -> None:
        if _has_place(self, token):
            await original(self, token)
        else:  # another page has taken the place meanwhile
            self.close()

    return _async_open


def _has_place(handler: Any, token: str) -> bool:
    """Return whether the page with this token may open a first or further socket.

    The session may be missing here, because it was discarded or is of another process.
    """
    there = {each.id: each for each in handler.application_context.sessions}
    try:
        own = there.get(get_session_id(token))
    except Exception:  # not a valid token; opening the socket is refused elsewhere
        own = None
    sockets = 0 if own is None else own.connection_count
    return sockets < MOST_SOCKETS and (sockets > 0 or has_room(open_pages(handler.application)))


def open_pages(application: Any) -> int:
    """Return the number of pages of a server that have a socket."""
    return sum(session.connection_count > 0 for _, session in _sessions(application))


def _sessions(application: Any) -> Iterator[tuple[Any, Any]]:
    for context in application.applications.values():
        for session in context.sessions:
            yield context, session


async def _forget_oldest(application: Any) -> None:
    """Discard the oldest requested pages without a socket, beyond the limit."""
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
    """Send the response of a full server; the browser retries the same address."""
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
    """Return the response for Bokeh's script tag, which embeds the page in another site."""
    name, base = (
        handler.get_argument(f"bokeh-{each}", default="")
        for each in ("autoload-element", "absolute-url")
    )
    request = handler.request
    source = f"{base}/autoload.js?{request.query}" if base else request.uri
    values = ", ".join(map(json.dumps, (name, FULL, source, AGAIN)))
    return f"(() => {{ {_SCRIPT} wait({values}); }})();"
