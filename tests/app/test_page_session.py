"""A page: who watches it, and its turn."""

from __future__ import annotations

from types import SimpleNamespace

from tinkerformer.runtime import page_session
from tinkerformer.runtime.page_session import PageSession


class Document:
    """What a page session uses of a document."""

    def __init__(self, connections: int) -> None:
        session = SimpleNamespace(connection_count=connections, _pending_writes=None)
        self.session_context = SimpleNamespace(session=session)
        self.scheduled, self.on_end = [], []
        self.add_next_tick_callback = self.scheduled.append
        self.on_session_destroyed = self.on_end.append


def test_a_page_has_viewers_while_a_browser_is_connected():
    assert PageSession(Document(1)).has_viewers
    assert not PageSession(Document(0)).has_viewers
    assert PageSession(None).has_viewers


def test_a_change_from_outside_an_event_waits_for_the_document(monkeypatch):
    document, done = Document(1), []
    PageSession(document).schedule(lambda: done.append(1))
    assert done == []
    document.scheduled.pop()()
    assert done == [1]
    PageSession(None).schedule(lambda: done.append(2))
    monkeypatch.setattr(page_session, "IN_BROWSER", True)
    PageSession(document).schedule(lambda: done.append(3))
    assert done == [1, 2, 3]


def test_the_end_of_a_page_is_heard():
    document, done = Document(1), []
    PageSession(document).on_close(lambda: done.append(1))
    document.on_end[0](document.session_context)
    assert done == [1]
    PageSession(None).on_close(lambda: done.append(2))
    assert done == [1]
