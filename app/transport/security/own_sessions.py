"""Ties each session to the browser that opened it: session ids in addresses are refused.

Bokeh lets a request choose its session by ``bokeh-session-id`` or a token. Everyone who opens a
link with an id would share one session with the link's author, who could send scripts to their
pages. Bokeh has no setting to prevent this, so the session lookup is wrapped.
"""

import time
from typing import Any
from urllib.parse import urlsplit

from bokeh.server.views.autoload_js_handler import AutoloadJsHandler
from bokeh.server.views.session_handler import SessionHandler
from bokeh.server.views.ws import WSHandler
from bokeh.util.token import check_token_signature, get_token_payload
from tornado.web import HTTPError

from ..runtime.wrapping import Method, wrap_once
from .refusals import tell

CHOSEN = ("bokeh-session-id", "bokeh-token")
HEADER = "Bokeh-Session-Id"
OF_THIS_SITE = (None, "same-origin", "none")  # allowed values of the Sec-Fetch-Site header


def keep_sessions_apart() -> None:
    """Refuse session ids chosen by a visitor, and tokens that this process did not sign."""

    def own(original: Method) -> Method:
        async def get_session(self: Any) -> Any:
            named = [name for name in CHOSEN if self.get_argument(name, default=None) is not None]
            if named or HEADER in self.request.headers:
                raise HTTPError(403, reason="A page opens a session of its own")
            if isinstance(self, AutoloadJsHandler) and not _is_let_in(self):
                raise HTTPError(403, reason="This site may not have the page")
            return await original(self)

        return get_session

    def of_this_server(original: Method) -> Method:
        def open(self: Any, *args: Any, **kwargs: Any) -> Any:
            if self.selected_subprotocol == "bokeh" and _is_own(self.application, self._token):
                return original(self, *args, **kwargs)
            tell("a token that is not of this server, or has expired")
            self.close()
            return None

        return open

    wrap_once(SessionHandler, "get_session", own)
    wrap_once(WSHandler, "open", of_this_server)


def _is_own(application: Any, token: str | None) -> bool:
    """Return whether a token was signed by this server and has not expired."""
    signing = {"signed": application.sign_sessions, "secret_key": application.secret_key}
    try:
        is_signed = check_token_signature(token, **signing)
        return bool(is_signed and time.time() < get_token_payload(token)["session_expiry"])
    except Exception:  # a malformed token is not from this server
        return False


def _is_let_in(handler: Any) -> bool:
    """Return whether the site that requests the page's script may also open a socket."""
    headers = handler.request.headers
    site = headers.get("Origin") or headers.get("Referer")
    if site is None:
        return headers.get("Sec-Fetch-Site") in OF_THIS_SITE
    return bool(WSHandler.check_origin(handler, site))


def let_in_its_own_pages() -> None:
    """Allow a page to connect to the host from which it was loaded, whatever the host's name is.

    Bokeh only has a list of allowed hosts. A server may have many names, and the only list that
    covers all of them would allow every site.
    """

    def same_host(original: Method) -> Method:
        def check_origin(self: Any, origin: str) -> bool:
            if urlsplit(origin).netloc.lower() == self.request.host.lower():
                return True
            return bool(original(self, origin))

        return check_origin

    wrap_once(WSHandler, "check_origin", same_host)
