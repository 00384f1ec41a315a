"""Serves a page to a newly connected browser."""

from __future__ import annotations

from urllib.parse import urlencode

import panel as pn

from ... import shared_files
from ...files import catalog
from ...session.address import page_address
from ...transport.hosting.guards import guard_process
from ...transport.panel.page_port import PagePort
from ...transport.runtime.page_session import PageSession
from ..page import Page, create_page
from .template import put_into


def serve() -> None:
    """Serve the page in the session that is being opened, if any.

    The page is created after the browser has loaded the HTML, so that mere requests cost little.
    """
    guard_process()  # a no-op if Panel has imported this package
    document = pn.state.curdoc
    if document is None or document.session_context is None:
        return
    address, scenario = page_address(_query()), catalog.served()

    def make(session: PageSession) -> Page:
        return create_page(session, address, scenario)

    is_plain = address.parts is None and not address.is_one_view
    port = PagePort(document, make, shared_files.shared().version)
    put_into(document, port, is_plain=is_plain)


def _query() -> str:
    """Return the query of the requested address, with the first value of each argument."""
    asked = pn.state.session_args or {}
    return urlencode([(name, raw) for name, all_of_it in asked.items() for raw in all_of_it[:1]])
