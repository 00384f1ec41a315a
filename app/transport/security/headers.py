"""Security headers, so that a browser runs only scripts that belong to the page.

Scripts run if they carry the page's nonce, which is new for each page load, or are files of this
server, such as the modules of components. No script needs ``unsafe-eval``. Only styles are allowed
inline, because KaTeX and the components set styles on elements.
"""

import re
import secrets
from typing import Any

from ..runtime.wrapping import Method, wrap_once
from . import framing

WORD = "nonce"  # name of the template variable
_HOST = re.compile(r"[\w.:\[\]-]+")
POLICY = (
    "default-src 'none'",
    "script-src 'nonce-{word}' 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src blob:",
    "font-src 'self' data:",
    "connect-src 'self' {sockets}",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
)


def word() -> str:
    """Return a new random nonce."""
    return secrets.token_urlsafe(16)


def policy(variables: dict[str, Any], host: str) -> str:
    """Return the content security policy of a page on a host; empty if nothing is restricted.

    Scripts are restricted if the variables of the page's template have a nonce.
    """
    ancestors = framing.allowed()
    sockets = f"ws://{host} wss://{host}" if _HOST.fullmatch(host) else ""
    has_word = WORD in variables
    parts = [x.format(word=variables[WORD], sockets=sockets) for x in POLICY if has_word]
    return "; ".join([*parts, *([f"frame-ancestors {ancestors}"] if ancestors else [])])


def say_of_pages() -> None:
    """Send each page with its policy, in this process; repeated calls have no effect."""
    from bokeh.server.views.session_handler import SessionHandler

    def with_policy(original: Method) -> Method:
        async def get_session(self: Any) -> Any:
            session = await original(self)
            content_policy = policy(session.document.template_variables, self.request.host)
            if content_policy:
                self.set_header("Content-Security-Policy", content_policy)
            return session

        return get_session

    wrap_once(SessionHandler, "get_session", with_policy)


def say_of_all() -> None:
    """Send ``nosniff`` with every response, so that browsers trust the declared content type."""
    from tornado.web import RequestHandler

    def as_said(original: Method) -> Method:
        def clear(self: Any) -> None:
            original(self)
            self.set_header("X-Content-Type-Options", "nosniff")

        return clear

    wrap_once(RequestHandler, "clear", as_said)
