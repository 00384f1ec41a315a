"""A session is of the browser that opened it: its id is never taken from an address.

Bokeh lets whoever asks for a page name the session it belongs to, by ``bokeh-session-id`` or a
token. Whoever shares a link with one in it would sit in the same session as the one who opens the
link, and could send that page what it then runs. There is no setting against it, hence the wrapper
round the moment a session is looked up.
"""

from __future__ import annotations

import sys
from typing import Any
from urllib.parse import urlsplit

from .limits import has_room
from .wrapping import Method, wrap_once

CHOSEN = ("bokeh-session-id", "bokeh-token")
HEADER = "Bokeh-Session-Id"
MOST_SOCKETS = 4  # of one page: its own, and those that a lost network has not let go of yet


def keep_sessions_apart() -> None:
    """Refuse sessions that a visitor names, and those above the limits, in this process.

    For a server; twice is harmless. The imports stand inside because in Pyodide there is no
    Tornado, yet this module is imported.
    """
    if sys.platform == "emscripten":
        return

    from bokeh.server.views.session_handler import SessionHandler
    from bokeh.server.views.ws import WSHandler
    from bokeh.util.token import get_session_id
    from tornado.web import HTTPError

    def own(found: Method) -> Method:
        async def get_session(self: Any) -> Any:
            named = [name for name in CHOSEN if self.get_argument(name, default=None) is not None]
            if named or HEADER in self.request.headers:
                raise HTTPError(403, reason="A page opens a session of its own")
            if not has_room(len(self.application_context.sessions)):
                raise HTTPError(503, reason="All places are taken")
            return await found(self)

        return get_session

    def with_room(found: Method) -> Method:
        async def _async_open(self: Any, token: str) -> None:
            # The session of a page that connects late was forgotten: it would be made anew.
            there = {each.id: each for each in self.application_context.sessions}
            own = there.get(get_session_id(token))
            is_full = own is not None and own.connection_count >= MOST_SOCKETS
            if is_full or not (own or has_room(len(there))):
                self.close()
            else:
                await found(self, token)

        return _async_open

    wrap_once(SessionHandler, "get_session", own)
    wrap_once(WSHandler, "_async_open", with_room)


def let_in_its_own_pages() -> None:
    """Have a page talk to the host that it was opened from, whatever that is called.

    Bokeh knows its hosts by a list alone; a server that others reach is called by whatever name
    they have for it, and the only list that holds them all lets in every site there is.
    """
    if sys.platform == "emscripten":
        return

    from bokeh.server.views.ws import WSHandler

    def same_host(found: Method) -> Method:
        def check_origin(self: Any, origin: str) -> bool:
            if urlsplit(origin).netloc.lower() == self.request.host.lower():
                return True
            return bool(found(self, origin))

        return check_origin

    wrap_once(WSHandler, "check_origin", same_host)
