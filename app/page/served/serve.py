"""A page for the browser that has just come."""

from __future__ import annotations

from urllib.parse import urlencode

import panel as pn

from ...files import catalog
from ...files.page_address import page_address
from ...runtime.headers import say_of_pages
from ...runtime.incoming import log_little
from ...runtime.own_sessions import keep_sessions_apart
from ...runtime.page_session import PageSession
from ...runtime.websocket import send_small_messages_at_once
from ..page import Page, create_page
from .template import servable


def serve() -> Page:
    """Make the page of the session that is being opened."""
    send_small_messages_at_once()
    keep_sessions_apart()
    say_of_pages()
    log_little()
    pn.extension("katex", browser_info=False)
    session, address = PageSession(pn.state.curdoc), page_address(_query())
    return servable(create_page(session, address, catalog.served()))


def _query() -> str:
    """The query of the address that was asked for, as far as it is text."""
    asked = pn.state.session_args or {}
    return urlencode([(name, raw) for name, all_of_it in asked.items() for raw in all_of_it[:1]])
