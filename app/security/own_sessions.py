"""A session is of the browser that opened it: its id is never taken from an address.

Bokeh lets whoever asks for a page name the session it belongs to, by ``bokeh-session-id`` or a
token. Whoever shares a link with one in it would sit in the same session as the one who opens the
link, and could send that page what it then runs. There is no setting against it, hence the wrapper
round the moment a session is looked up.
"""

from __future__ import annotations

import sys
import time
from typing import Any
from urllib.parse import urlsplit

from ..runtime.wrapping import Method, wrap_once
from .refusals import tell

CHOSEN = ("bokeh-session-id", "bokeh-token")
HEADER = "Bokeh-Session-Id"
OF_THIS_SITE = (None, "same-origin", "none")  # of Sec-Fetch-Site


def keep_sessions_apart() -> None:
    """Refuse sessions that a visitor names, and tokens that this process did not sign.

    For a server; twice is harmless. The imports stand inside because in Pyodide there is no
    Tornado, yet this module is imported.
    """
    if sys.platform == "emscripten":
        return

    from bokeh.server.views.autoload_js_handler import AutoloadJsHandler
    from bokeh.server.views.session_handler import SessionHandler
    from bokeh.server.views.ws import WSHandler
    from tornado.web import HTTPError

    def own(found: Method) -> Method:
        async def get_session(self: Any) -> Any:
            named = [name for name in CHOSEN if self.get_argument(name, default=None) is not None]
            if named or HEADER in self.request.headers:
                raise HTTPError(403, reason="A page opens a session of its own")
            if isinstance(self, AutoloadJsHandler) and not _is_let_in(self):
                raise HTTPError(403, reason="This site may not have the page")
            return await found(self)

        return get_session

    def of_this_server(found: Method) -> Method:
        def open(self: Any, *args: Any, **kwargs: Any) -> Any:
            if self.selected_subprotocol == "bokeh" and _is_own(self.application, self._token):
                return found(self, *args, **kwargs)
            tell("a token that is not of this server, or has expired")
            self.close()
            return None

        return open

    wrap_once(SessionHandler, "get_session", own)
    wrap_once(WSHandler, "open", of_this_server)


def _is_own(application: Any, token: str | None) -> bool:
    """Whether a token was signed by this server, and holds still."""
    from bokeh.util.token import check_token_signature, get_token_payload

    signing = {"signed": application.sign_sessions, "secret_key": application.secret_key}
    try:
        is_signed = check_token_signature(token, **signing)
        return bool(is_signed and time.time() < get_token_payload(token)["session_expiry"])
    except Exception:  # whatever it was, no server has made it
        return False


def _is_let_in(handler: Any) -> bool:
    """Whether the script of a page is asked for by a site whose socket would be let in."""
    from bokeh.server.views.ws import WSHandler

    headers = handler.request.headers
    site = headers.get("Origin") or headers.get("Referer")
    if site is None:
        return headers.get("Sec-Fetch-Site") in OF_THIS_SITE
    return bool(WSHandler.check_origin(handler, site))


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
