"""Describes a link's content to chats and feeds: tags in the head of its page, and a picture."""

import re
from typing import Any
from urllib.parse import urljoin

from bokeh.server.views.session_handler import SessionHandler
from tornado.ioloop import IOLoop
from tornado.web import RequestHandler

from ...cards.card import Card
from ...cards.cards import Cards
from ...cards.picture import drawn, general
from ...cards.tags import PICTURE, tags, title_of
from ..runtime.wrapping import Method, wrap_once
from ..security.hosts import BEHIND_PROXY

LINK = "s"  # the query argument with a link's code
VARIABLE = "tags"  # variable of the page's template
OF_PROCESS = Cards()  # shared by all visitors: a card shows only the content of its link
KEPT, KEPT_BRIEFLY = "public, max-age=86400", "public, max-age=60"
_HOST = re.compile(r"[\w.-]+(:\d+)?|\[[0-9a-f:.]+\](:\d+)?", re.IGNORECASE)
_PREFIX = re.compile(r"(/[\w.~-]+)*/?")


class CardPicture(RequestHandler):
    """Responds with the picture of the link in the address, or with the general picture."""

    async def get(self) -> None:
        async def draw(card: Card) -> bytes:
            picture: bytes = await IOLoop.current().run_in_executor(None, drawn, card)
            return picture

        code = _code(self)
        picture = await OF_PROCESS.picture(code, draw)
        is_last = (
            LINK not in self.request.query_arguments or picture is not general()
        )  # for a link, the general picture may be temporary, because a limit was exceeded
        self.set_header("Content-Type", "image/png")
        self.set_header("Cache-Control", KEPT if is_last else KEPT_BRIEFLY)
        self.finish(picture)

    head = get


def route() -> tuple[str, type[RequestHandler]]:
    """Return the route of the pictures, for Bokeh's server."""
    return rf"/{re.escape(PICTURE)}", CardPicture


def say_of_links() -> None:
    """Put the tags of the requested link into each page of this process; repeats have no effect."""
    wrap_once(SessionHandler, "get_session", _with_tags)


def _with_tags(original: Method) -> Method:
    async def get_session(self: Any) -> Any:
        session = await original(self)
        variables = session.document.template_variables
        if VARIABLE in variables:  # one of our pages
            code = _code(self)
            card = OF_PROCESS.card(code)
            page = _address(self)
            link = f"{page}?{LINK}={code}" if page and not card.is_general else page
            picture = urljoin(page, variables["picture"]) if page else ""
            if picture and not card.is_general:
                picture += f"?{LINK}={code}"
            variables[VARIABLE] = tags(card, link, picture)
            variables["window_title"] = title_of(card)
        return session

    return get_session


def _code(handler: Any) -> str:
    """Return the code of the requested link; empty if there is none."""
    found = handler.request.query_arguments.get(LINK, [b""])[0]
    text = found.decode("ascii", "replace")
    return text if text.isascii() and "\ufffd" not in text else ""


def _address(handler: Any) -> str:
    """Return the page's address as the visitor sees it, without a query; empty if it is invalid.

    A proxy that strips a prefix of the path reports this prefix in a header.
    """
    request = handler.request
    if not _HOST.fullmatch(request.host) or request.protocol not in ("http", "https"):
        return ""
    prefix = ""
    if handler.application.settings.get(BEHIND_PROXY):
        prefix = request.headers.get("X-Forwarded-Prefix", "").strip()
        if not _PREFIX.fullmatch(prefix):
            return ""
    return f"{request.protocol}://{request.host}{prefix.rstrip('/')}{request.path}"
