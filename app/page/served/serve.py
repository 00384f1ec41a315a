"""A page for the browser that has just come."""

from __future__ import annotations

import panel as pn

from ...runtime.page_session import PageSession
from ...runtime.websocket import send_small_messages_at_once
from ..page import Page, create_page
from .template import servable


def serve() -> Page:
    """Make the page of the session that is being opened."""
    send_small_messages_at_once()
    pn.extension("katex", browser_info=False)
    return servable(create_page(PageSession(pn.state.curdoc)))
