"""A page for the browser that has just come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

import panel as pn

from ...components.carriers.panel.page_port import PagePort
from ...components.component import Placed
from ...files import catalog
from ...files.page_address import page_address
from ...runtime.headers import say_of_pages
from ...runtime.incoming import log_little
from ...runtime.loop_watch import watch_loop
from ...runtime.own_sessions import keep_sessions_apart
from ...runtime.page_session import PageSession
from ...runtime.websocket import send_small_messages_at_once
from ..page import create_page
from .template import put_into


def serve() -> None:
    """Serve the page in the session that is being opened, if one is.

    It is made when the browser is there to show it: an address that is only asked for costs little.
    """
    send_small_messages_at_once()
    keep_sessions_apart()
    say_of_pages()
    log_little()
    watch_loop()
    pn.extension("katex", browser_info=False)
    document = pn.state.curdoc
    if document is None or document.session_context is None:
        return
    address, scenario = page_address(_query()), catalog.served()

    def make(session: PageSession) -> Mapping[str, Sequence[Placed]]:
        return create_page(session, address, scenario).regions

    put_into(document, PagePort(document, make))


def _query() -> str:
    """The query of the address that was asked for, as far as it is text."""
    asked = pn.state.session_args or {}
    return urlencode([(name, raw) for name, all_of_it in asked.items() for raw in all_of_it[:1]])
