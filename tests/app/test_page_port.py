import asyncio
import json
import zlib
from types import SimpleNamespace

import panel as pn
import pytest
from bokeh.core.types import ID
from bokeh.document import Document
from bokeh.models import Div
from bokeh.server.session import ServerSession
from panel.io.state import set_curdoc
from panel.models.esm import DataEvent
from tinkerformer.components.component import Component
from tinkerformer.shell.served.template import put_into
from tinkerformer.transport.panel import page_port
from tinkerformer.transport.panel.document_session import DocumentSession
from tinkerformer.transport.panel.on_loop import on_loop
from tinkerformer.transport.panel.page_port import INFLATES, MOST_BEGINNINGS, PagePort
from tinkerformer.transport.runtime.page_session import PageSession
from tornado.ioloop import IOLoop

from tests.app.test_derived import until


class Echo(Component):
    """A component that sends back each message."""

    def receive(self, message):
        """See `Component.receive`."""
        self.send({"back": message})


class Port:
    """The port of a page with one component, and what its document sends."""

    def __init__(self, label: str = "echo") -> None:
        self.label = label
        self.document, self.made, self.sent = Document(), [], []
        self.port = PagePort(self.document, self.make, "of now")
        put_into(self.document, self.port)
        self.document.on_message("bokeh_event", lambda event: None)
        self.document.callbacks.on_change(lambda event: self.sent.append(event.msg_data.data))

    def make(self, session):
        self.made.append(session)
        regions = {"main": [Echo(label=f"{self.label} {len(self.made)}")]}
        return SimpleNamespace(regions=regions, status=None)

    def hear(self, data, to=None):
        self.sent.clear()
        model = to or self.document.roots[0]
        self.document.callbacks.trigger_event(DataEvent(model=model, data=data))

    def say(self, data, to=None):
        self.hear(data, to)
        entries = [entry for said in self.sent for entry in json.loads(said["text"])]
        return [entry for entry in entries if entry[0] != "limits"]

    def end(self):
        for end in self.document.session_destroyed_callbacks:
            end(SimpleNamespace(id="gone", request=None, _document=self.document))


@pytest.fixture
def opened():
    return Port()


@pytest.fixture
def told(monkeypatch):
    found = []
    monkeypatch.setattr(page_port, "tell", found.append)
    return found


def test_a_page_is_created_when_a_browser_connects(opened):
    assert opened.made == []
    [[kind, _, regions]] = opened.say({})
    assert kind == "place"
    assert [each["class"] for each in regions["main"]] == ["Echo"]
    assert len(opened.made) == 1


def test_the_first_message_of_a_page_names_the_version_of_the_files(opened):
    for _ in range(2):  # a browser that reconnects gets the message again
        opened.hear({})
        assert opened.sent[0]["version"] == "of now"
        opened.hear({"text": '["message", 1, {}]', "buffers": []})
        assert all("version" not in said for said in opened.sent)


def test_a_port_ignores_late_and_malformed_messages(opened, told):
    opened.say({"text": "[]", "buffers": []})
    opened.say({})
    for data in (
        None,
        [],
        {"inflates": 2},
        {"text": 3, "buffers": []},
        {"text": "[]"},
        {"text": "", "buffers": [1]},
    ):
        opened.say(data)
    assert len(told) == 7


def test_messages_reach_the_component_with_their_number(opened):
    opened.say({})
    said = {"text": json.dumps(["message", 1, {"a": {"$bytes": 0}}]), "buffers": [b"x"]}
    assert opened.say(said) == [["message", 1, {"back": {"a": {"$bytes": 0}}}]]
    assert opened.sent == [{"text": opened.sent[0]["text"], "bytes": b"x", "lengths": [1]}]


@pytest.mark.parametrize("label", ["long " * 1000, "half \ud800" * 1000])
def test_a_long_text_is_deflated_for_a_browser_that_inflates_it(label):
    opened = Port(label)
    opened.say({})
    (plain,) = opened.sent
    placed = next(each for each in json.loads(plain["text"]) if each[0] == "place")
    assert label in placed[2]["main"][0]["properties"]["label"]
    opened.hear(INFLATES)
    (said,) = opened.sent
    if "half" in label:  # this means that the text was invalid
        assert "place" in [entry[0] for entry in json.loads(said["text"])]
    else:
        assert said.keys() == {"deflated", "bytes", "lengths", "version"}
        assert said["lengths"] == [len(said["bytes"])]
        assert len(said["bytes"]) < len(label) / 10
        assert zlib.decompress(said["bytes"]).decode() == plain["text"].replace(" 1", " 2")
    opened.hear({"text": json.dumps(["message", 1, {"a": 1}]), "buffers": []})
    assert [each.keys() for each in opened.sent] == [{"text"}]


def test_a_browser_that_reconnects_to_a_document_gets_a_new_page(opened, told):
    ended = []
    opened.say({})
    opened.made[0].on_close(lambda: ended.append(1))
    [[_, _, regions]] = opened.say({})
    assert ended == [1]
    assert regions["main"][0]["properties"]["label"] == "echo 2"
    for _ in range(MOST_BEGINNINGS):
        opened.say({})
    assert len(opened.made) == MOST_BEGINNINGS
    assert len(told) == 2


def test_a_page_ends_when_its_document_ends(opened):
    ended = []
    opened.say({})
    opened.made[0].on_close(lambda: ended.append(1))
    opened.end()
    assert ended == [1]
    assert not opened.made[0].has_viewers


def test_messages_to_other_models_are_ignored(opened):
    opened.say({})
    assert opened.say({}, to=Div()) == []


def document(connections: int) -> SimpleNamespace:
    """Return the part of a document that a session uses."""
    session = SimpleNamespace(connection_count=connections)
    context = SimpleNamespace(session=session, request=SimpleNamespace(remote_ip="192.0.2.1"))
    return SimpleNamespace(session_context=context)


def test_a_page_has_viewers_while_a_browser_is_connected():
    assert DocumentSession(document(1), lambda _: None).has_viewers
    assert not DocumentSession(document(0), lambda _: None).has_viewers
    assert DocumentSession(document(1), lambda _: None).person == "192.0.2.1"
    assert PageSession().has_viewers


async def test_a_change_from_outside_an_event_runs_on_the_event_loop_with_a_document_lock():
    of, where = Document(), []
    session = ServerSession(ID("1"), of, io_loop=IOLoop.current())

    def note():
        where.append((asyncio.get_running_loop(), session._pending_writes))

    DocumentSession(of, lambda function: function()).schedule(note)
    assert where == []
    await until(lambda: where)
    assert where == [(asyncio.get_running_loop(), [])]


def test_a_change_from_outside_an_event_runs_at_once_without_a_document():
    done = []
    PageSession().schedule(lambda: done.append(2))
    assert done == [2]


class Context:
    """The part of a document's session that Panel uses."""

    request = server_context = session = None


@pytest.mark.parametrize("has_session", [False, True])
async def test_a_message_to_a_frame_is_handled_on_the_event_loop(has_session):
    of, where = Document(), []
    session = ServerSession(ID("1"), of, io_loop=IOLoop.current())
    context = Context()
    if has_session:
        of._session_context = lambda: context

    def event():
        with set_curdoc(of):
            on_loop(lambda: where.append((asyncio._get_running_loop(), pn.state.curdoc)))

    await asyncio.to_thread(event)
    here = asyncio.get_running_loop()
    await until(lambda: where)
    assert where == [(here if has_session else None, of)]
    event()
    assert where[1] == (here, of)
    session.destroy()
