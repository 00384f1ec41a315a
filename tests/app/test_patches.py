import asyncio
import base64
import gzip
import json
import logging
from types import SimpleNamespace

import pytest
from bokeh.core.types import ID
from bokeh.document import Document
from bokeh.server.session import ServerSession
from tinkerformer.shell import create_page
from tinkerformer.shell.served.template import put_into
from tinkerformer.transport.panel.page_port import PagePort
from tinkerformer.transport.security import patches, refusals
from tinkerformer.transport.security.plain import DEEPEST, MOST, is_plain
from tornado.ioloop import IOLoop
from tornado.websocket import WebSocketClosedError

from tests.app.served import Socket, serving

NAMES = {"type": "map", "entries": [["a", 1], ["b", [None, True, "x"]], ["c", {"type": "map"}]]}
EMPTY = {"type": "map", "entries": []}
INFLATED = base64.b64encode(gzip.compress(bytes(300 << 20), 9)).decode()  # 0.4 MB, expands to 300


@pytest.fixture(scope="module")
def page():
    """A document with the port of a page."""
    doc = Document()
    put_into(doc, PagePort(doc, lambda session: create_page(session).regions))
    return doc


def message(doc, data, name="data_event", to=None):
    ref = {"id": to or doc.roots[0].id}
    values = {"type": "map", "entries": [["model", ref], ["data", data]]}
    said = {"type": "event", "name": name, "values": values}
    return {"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": said}


READY = {
    "kind": "MessageSent",
    "msg_type": "bokeh_event",
    "msg_data": {"type": "event", "name": "document_ready", "values": {"type": "map"}},
}


def admitted(doc, *events, buffers=()):
    named = [SimpleNamespace(id=name) for name in buffers]
    sent = SimpleNamespace(content={"events": [*events]}, buffers=named)
    return patches.admitted(doc, sent)


def test_messages_of_the_page_are_accepted(page, caplog):
    data = {"type": "bytes", "data": {"id": "b0"}}
    sent = [
        READY,
        message(page, {"type": "map"}),
        message(page, NAMES),
        message(page, {"type": "map", "entries": [["text", "[]"], ["buffers", [data]]]}),
    ]
    assert admitted(page, *sent, buffers=["b0"]) == sent
    assert not caplog.records


async def test_a_message_is_applied_on_the_event_loop_with_the_document_locked():
    """From 3.10 on, Bokeh itself applies a patch in a thread."""
    doc, where = Document(), []
    port = PagePort(doc, lambda session: create_page(session).regions)
    patches.guard(doc)
    session = ServerSession(ID("1"), doc, io_loop=IOLoop.current())

    def apply_to_document(document, setter):
        where.append((document, setter, asyncio.get_running_loop(), session._pending_writes))

    event = message(doc, {"type": "map"}, to=port.id)
    content = {"events": [event]}
    sent = SimpleNamespace(content=content, buffers=[], apply_to_document=apply_to_document)
    assert await session._handle_patch(sent, None) is None
    assert where == [(doc, session, asyncio.get_running_loop(), [])]
    content["events"] = [{**event, "kind": "ModelChanged"}]
    assert await session._handle_patch(sent, None) is None
    assert len(where) == 1


@pytest.fixture
def told(monkeypatch):
    found = []
    monkeypatch.setattr(patches, "tell", found.append)
    return found


ESM = "export function render() { fetch('//elsewhere') }"


@pytest.mark.parametrize(
    ("attr", "new"),
    [
        ("esm", ESM),
        ("bundle", None),
        ("stylesheets", ["* { display: none }"]),
        ("children", []),
        ("js_property_callbacks", {"type": "map"}),
        ("css_classes", ["a"]),
        ("name", "a"),
        ("visible", False),
        ("data", {"type": "object", "id": "new", "name": "CustomJS"}),
        (["esm"], ESM),
    ],
)
def test_no_property_can_be_set(page, told, attr, new):
    ref = {"id": page.roots[0].id}
    event = {"kind": "ModelChanged", "model": ref, "attr": attr, "new": new}
    assert admitted(page, event, READY) == [READY]
    assert len(told) == 1


@pytest.mark.parametrize(
    "value",
    [
        {"id": "p1001"},
        {"type": "object", "id": "new", "name": "CustomJS"},
        {"type": "bytes", "data": INFLATED},
        {"type": "bytes", "data": {"id": "b7"}},
        {"type": "bytes", "data": {"id": ["b7"]}},
        {"type": "bytes", "data": {"id": {}}},
        {"type": "number", "value": "1" * 1000},
        {"type": "map", "entries": [[1, 2]]},
        [0] * (MOST + 1),
    ],
)
def test_messages_to_a_port_must_be_plain_data(page, told, value):
    said = message(page, {"type": "map", "entries": [["text", ""], ["buffers", value]]})
    assert admitted(page, said, READY) == [READY]
    (line,) = told
    assert len(line) < refusals.LONGEST
    assert line.isascii()


@pytest.mark.parametrize(
    "event",
    [
        *(None, 3, "RootAdded", [], {}, {"kind": None}, {"kind": ["ModelChanged"]}),
        {"kind": "RootAdded", "model": {"id": "p1001"}},
        {"kind": "TitleChanged", "title": "won"},
        {"kind": "ColumnDataChanged", "model": {"id": "p1001"}, "attr": "data", "data": {}},
        {"kind": "ModelChanged", "model": {"id": "p1"}, "attr": "value", "new": 1, "hint": None},
        {"kind": "ModelChanged", "model": {"id": "none"}, "attr": "value", "new": 1},
        {"kind": "ModelChanged", "model": {"id": ["p1"]}, "attr": "value", "new": 1},
        {"kind": "MessageSent", "msg_type": "x\nINFO all is well", "msg_data": {}},
        {"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": b""},
        {**READY, "msg_data": {**READY["msg_data"], "name": "connection_lost"}},
        {**READY, "msg_data": {**READY["msg_data"], "values": {"type": "map", "entries": [3]}}},
    ],
)
def test_any_other_change_is_refused_in_one_line(page, told, event):
    assert admitted(page, event, READY) == [READY]
    (line,) = told
    assert len(line) < refusals.LONGEST
    assert line.isprintable()


@pytest.mark.parametrize(
    "content",
    [
        *(None, [], {}, {"events": {}}, {"events": [READY] * (patches.MOST_EVENTS + 1)}),
        {"events": [READY], "more": {"type": "bytes", "data": INFLATED}},
    ],
)
def test_an_invalid_patch_is_refused_as_a_whole(page, told, content):
    assert patches.admitted(page, SimpleNamespace(content=content, buffers=[])) == []
    assert len(told) == 1


def test_a_message_needs_a_port_and_the_right_name(page, told):
    assert admitted(page, message(page, NAMES, "tap")) == []
    assert admitted(page, message(page, NAMES, to="p0")) == []
    assert admitted(page, message(page, NAMES, to=["p0"])) == []
    assert len(told) == 3


def test_plain_data_are_limited_in_depth_and_size():
    def nested(depth):
        return [] if depth == 1 else [nested(depth - 1)]

    assert is_plain(nested(DEEPEST))
    assert not is_plain(nested(DEEPEST + 1))
    assert is_plain([0] * MOST)
    assert not is_plain([[0] * (MOST // 2)] * 3)


def test_refusals_above_the_limit_are_counted_and_not_logged(caplog):
    now = [0.0]
    log = refusals.Refusals(lambda: now[0])
    for _ in range(1000):
        log.tell("x" * 5000)
    assert len(caplog.records) == refusals.MOST
    now[0] += refusals.SECONDS
    log.tell("y")
    assert len(caplog.records) == refusals.MOST + 1
    assert f"{1000 - refusals.MOST} more" in caplog.records[-1].getMessage()
    assert all(len(record.getMessage()) < 250 for record in caplog.records)
    assert logging.getLogger(refusals.__name__).isEnabledFor(logging.WARNING)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    log = tmp_path_factory.mktemp("log") / "server.log"
    with serving(log=log) as port:
        yield SimpleNamespace(port=port, log=log)


def test_a_page_that_was_sent_scripts_remains_unchanged_and_continues(server):
    async def visit():
        async with Socket.opened(server.port) as socket:
            _, before = await socket.answer_to(await socket.say("PULL-DOC-REQ", {}))
            [port] = before["doc"]["roots"]
            for attr, new in (("esm", ESM), ("bundle", None), ("stylesheets", [ESM])):
                event = {
                    "kind": "ModelChanged",
                    "model": {"id": port["id"]},
                    "attr": attr,
                    "new": new,
                }
                await socket.say("PATCH-DOC", {"events": [event]})
            await socket.answer_to(await socket.say("PUSH-DOC", {"doc": {"roots": [], "defs": []}}))
            ref = {"type": "map", "entries": [["model", {"id": port["id"]}], ["data", EMPTY]]}
            said = {"type": "event", "name": "data_event", "values": ref}
            begin = {"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": said}
            await socket.say("PATCH-DOC", {"events": [begin]})
            while "place" not in json.dumps((await socket.heard())[1]):
                pass
            _, after = await socket.answer_to(await socket.say("PULL-DOC-REQ", {}))
            return before, after

    before, after = asyncio.run(visit())
    assert after["doc"]["roots"] == before["doc"]["roots"]
    log = server.log.read_text()
    assert log.count("Refused what a browser said: a change of the kind 'ModelChanged'\n") == 3
    assert log.count("Refused") == 4
    assert "Traceback" not in log
    assert len(log) < 3000


def said_after(server, *messages):
    """Send each message on its own socket; return the server's log, and the end of each socket."""
    before = len(server.log.read_text())

    async def visit(say):
        try:
            async with Socket.opened(server.port) as socket:
                await say(socket)
                await socket.answer_to(await socket.say("SERVER-INFO-REQ", {}))
        except (ConnectionError, WebSocketClosedError):
            return "closed"
        return "answered"

    async def all_of_them():
        return [await visit(say) for say in messages]

    return asyncio.run(all_of_them()), server.log.read_text()[before:]


def test_an_unreadable_message_is_logged_only_in_part(server):
    long = "x" * (3 << 20)
    ends, log = said_after(
        server,
        lambda socket: socket.connection.write_message(long),
        lambda socket: socket.connection.write_message(b"x" * (3 << 20), binary=True),
        lambda socket: socket.say(long, {}),
        lambda socket: socket.say("ACK", {"text": long}),
        lambda socket: socket.say(["PATCH-DOC"], {}),
        lambda socket: socket.say("PATCH-DOC", {"events": long}),
        lambda socket: socket.connection.write_message("\n" * 1_000_000),
        lambda socket: socket.say("ACK", {"text": long}, at_once=True),
        lambda socket: socket.say("PATCH-DOC", {"events": long}, at_once=True),
    )
    assert ends == [*["closed"] * 5, "answered", "closed", "closed", "answered"]
    assert len(log) < 3000
    assert "Traceback" not in log


async def say_wide(socket):
    """Each character of the message is three bytes long, so the limit counts bytes."""
    wide = "€" * 1_200_000
    texts = ({"msgid": "1", "msgtype": "PATCH-DOC"}, {"wide": wide}, {"events": [wide]})
    for text in texts:
        await socket.connection.write_message(json.dumps(text, ensure_ascii=False))


def test_a_message_is_limited_in_all_its_parts(server):
    part = b"x" * (2 << 20)
    ends, log = said_after(
        server,
        lambda socket: socket.say("PATCH-DOC", {"events": []}, part),
        lambda socket: socket.say("PATCH-DOC", {"events": []}, part, part, part),
        say_wide,
    )
    assert ends == ["answered", "closed", "closed"]
    assert "a message is too large" in log
