"""What a browser may change of a served page is declared; all else is refused, and it goes on."""

import asyncio
import base64
import gzip
import json
import logging
from types import SimpleNamespace

import pytest
from bokeh.document import Document
from bokeh.plotting import figure
from tinkerformer import refusals
from tinkerformer.page import create_page
from tinkerformer.page.served.template import put_into
from tinkerformer.runtime import early, patches
from tinkerformer.runtime.plain import DEEPEST, MOST, is_plain
from tornado.websocket import WebSocketClosedError

from tests.app.served import Socket, serving

NAMES = {"type": "map", "entries": [["a", 1], ["b", [None, True, "x"]], ["c", {"type": "map"}]]}
INFLATED = base64.b64encode(gzip.compress(bytes(300 << 20), 9)).decode()  # 0.4 MB, and 300


@pytest.fixture(scope="module")
def page():
    """A page in a document, and the number of its models by what they are called."""
    doc = put_into(Document(), create_page())
    doc.add_root(figure(name="chart"))
    return doc


def model(doc, name):
    return next(each for each in doc.models if type(each).__name__.rstrip("0123456789") == name)


def setting(doc, name, attr, new):
    ref = {"id": model(doc, name).id}
    return {"kind": "ModelChanged", "model": ref, "attr": attr, "new": new}


def message(doc, data, name="data_event", to=None):
    to = to or next(each for each in doc.models if type(each).__name__ == "ReactiveESM")
    values = {"type": "map", "entries": [["model", {"id": to.id}], ["data", data]]}
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


def test_what_the_page_sends_comes_in(page, caplog):
    sent = [
        READY,
        setting(page, "Tabs", "value", "stages"),
        setting(page, "Tabs", "dark", True),
        setting(page, "figure", "inner_width", 200),
        setting(page, "figure", "outer_height", None),
        setting(page, "DataRange1d", "start", -0.5),
        setting(page, "DataRange1d", "end", {"type": "number", "value": "nan"}),
        message(page, NAMES),
        message(
            page, {"type": "map", "entries": [["bytes", {"type": "bytes", "data": {"id": "b0"}}]]}
        ),
    ]
    assert admitted(page, *sent, buffers=["b0"]) == sent
    assert not caplog.records


@pytest.fixture
def told(monkeypatch):
    found = []
    monkeypatch.setattr(patches, "tell", found.append)
    return found


ESM = "export function render() { fetch('//elsewhere') }"


@pytest.mark.parametrize(
    ("name", "attr", "new"),
    [
        ("ReactiveESM", "esm", ESM),
        ("ReactiveESM", "bundle", None),
        ("ReactiveESM", "stylesheets", ["* { display: none }"]),
        ("ReactiveESM", "children", []),
        ("ReactiveESM", "js_property_callbacks", {"type": "map"}),
        ("ReactiveESM", "css_classes", ["a"]),
        ("Tabs", "tabs", []),
        ("Tabs", "name", "a"),
        ("Column", "children", []),
        ("figure", "renderers", []),
        ("figure", "inner_width", 1 << 20),
        ("DataRange1d", "start", "0"),
        ("DataRange1d", "start", True),
        ("DataRange1d", "start", None),
        ("DataRange1d", "end", 10**400),
        ("DataRange1d", "end", {"type": "map", "entries": [["a", 1]]}),
        ("DataRange1d", "renderers", []),
        ("figure", "inner_width", 2.5),
        ("figure", "inner_width", {"type": "number", "value": "nan"}),
        ("Tabs", "value", {"id": "p1001"}),
        ("Tabs", "value", {"type": "object", "id": "new", "name": "CustomJS"}),
        ("Tabs", "value", {"type": "bytes", "data": INFLATED}),
        ("Tabs", "value", {"type": "bytes", "data": {"id": "b7"}}),
        ("Tabs", "value", {"type": "bytes", "data": {"id": ["b7"]}}),
        ("Tabs", "value", {"type": "bytes", "data": {"id": {}}}),
        (
            "Tabs",
            "value",
            {"type": "ndarray", "array": [0], "order": "little", "dtype": "O", "shape": [1]},
        ),
        ("Tabs", "value", {"type": "map", "entries": [["esm"]]}),
        ("Tabs", "value", {"type": "number", "value": "1" * 1000}),
        ("Tabs", "value", [0] * (MOST + 1)),
        ("Tabs", ["value"], "stages"),
    ],
)
def test_any_other_property_or_value_is_refused_in_one_line(page, told, name, attr, new):
    event = setting(page, name, attr, new)
    assert admitted(page, event, READY) == [READY]
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
def test_what_is_no_patch_is_refused_whole(page, told, content):
    assert patches.admitted(page, SimpleNamespace(content=content, buffers=[])) == []
    assert len(told) == 1


def test_a_message_to_a_component_is_plain(page, told):
    for data in ({"id": "p1001"}, {"a": 1}, {"type": "map", "entries": [[1, 2]]}):
        assert admitted(page, message(page, data)) == []
    assert admitted(page, message(page, NAMES, "tap")) == []
    assert len(told) == 4


def test_of_a_chart_that_has_gone_nothing_is_said(page, told):
    chart = figure()
    page.add_root(chart)
    late = {"kind": "ModelChanged", "model": {"id": chart.id}, "attr": "inner_width", "new": 3}
    assert admitted(page, late) == [late]
    page.remove_root(chart)
    assert admitted(page, late) == []
    assert told == []


def test_before_a_page_is_there_little_waits(monkeypatch):
    told, document, other = [], Document(), Document()
    monkeypatch.setattr(early, "tell", told.append)
    waiting = [early.may_wait(document, {"type": "ack"}) for _ in range(early.MOST_MESSAGES + 2)]
    assert waiting == [True] * early.MOST_MESSAGES + [False] * 2
    large = {"type": "ready", "saved": "x" * (early.MOST_LETTERS // 4)}
    assert [early.may_wait(other, large) for _ in range(4)] == [True] * 3 + [False]
    assert early.may_wait(other, {"type": "ack"})
    assert len(told) == 3


def test_nothing_goes_deeper_or_holds_more_than_is_said():
    def nested(depth):
        return [] if depth == 1 else [nested(depth - 1)]

    assert is_plain(nested(DEEPEST))
    assert not is_plain(nested(DEEPEST + 1))
    assert is_plain([0] * MOST)
    assert not is_plain([[0] * (MOST // 2)] * 3)


def test_too_many_refusals_are_counted_and_not_written(caplog):
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


def test_a_page_of_which_script_is_sent_stays_as_it_is_and_goes_on(server):
    async def visit():
        async with Socket.opened(server.port) as socket:
            _, before = await socket.answer_to(await socket.say("PULL-DOC-REQ", {}))
            text = json.dumps(before)
            tabs = _found(before, lambda each: "tabs" in each.get("attributes", {}))
            esm = _found(before, lambda each: each.get("name") == "panel.models.esm.ReactiveESM")
            for attr, new in (("esm", ESM), ("bundle", None), ("stylesheets", [ESM])):
                event = {
                    "kind": "ModelChanged",
                    "model": {"id": esm["id"]},
                    "attr": attr,
                    "new": new,
                }
                await socket.answer_to(await socket.say("PATCH-DOC", {"events": [event]}))
            bomb = {"kind": "ModelChanged", "model": {"id": tabs["id"]}, "attr": "value"}
            bomb["new"] = {"type": "bytes", "data": INFLATED}
            await socket.answer_to(await socket.say("PATCH-DOC", {"events": [bomb]}))
            await socket.answer_to(await socket.say("PUSH-DOC", {"doc": {"roots": [], "defs": []}}))
            good = {**bomb, "new": "stages"}
            await socket.answer_to(await socket.say("PATCH-DOC", {"events": [good]}))
            _, after = await socket.answer_to(await socket.say("PULL-DOC-REQ", {}))
            return text, json.dumps(after)

    before, after = asyncio.run(visit())
    assert "fetch('//elsewhere')" not in after
    assert '"value": "stages"' in after
    assert '"value": "stages"' not in before
    log = server.log.read_text()
    assert log.count("Refused what a browser said: the setting of ReactiveESM.'esm'\n") == 1
    assert log.count("Refused") == 5
    assert "Traceback" not in log
    assert len(log) < 3000


def _found(raw, is_it):
    """The first object in a document's JSON that is so."""
    todo = [raw]
    while todo:
        each = todo.pop(0)
        if isinstance(each, dict):
            if is_it(each):
                return each
            todo += each.values()
        elif isinstance(each, list):
            todo += each
    raise AssertionError("nothing of the page is so")


def said_after(server, *messages):
    """What the server logs of messages, each said on a socket of its own, and how each ends."""
    before = len(server.log.read_text())

    async def visit(say):
        try:
            async with Socket.opened(server.port) as socket:
                number = await say(socket)
                await (socket.answer_to(number) if number else socket.heard())
        except (ConnectionError, WebSocketClosedError):
            return "closed"
        return "answered"

    async def all_of_them():
        return [await visit(say) for say in messages]

    return asyncio.run(all_of_them()), server.log.read_text()[before:]


def test_what_cannot_be_read_is_not_logged_whole(server):
    long = "x" * (3 << 20)
    ends, log = said_after(
        server,
        lambda socket: socket.connection.write_message(long),
        lambda socket: socket.connection.write_message(b"x" * (3 << 20), binary=True),
        lambda socket: socket.say(long, {}),
        lambda socket: socket.say("ACK", {"text": long}),
        lambda socket: socket.say(["PATCH-DOC"], {}),
        lambda socket: socket.say("PATCH-DOC", {"events": long}),
    )
    assert ends[:-1] == ["closed"] * 5
    assert ends[-1] == "answered"
    assert len(log) < 3000
    assert "Traceback" not in log


async def say_wide(socket):
    """A message of which each letter is three bytes; fewer letters than bytes are let in."""
    wide = "€" * 1_200_000
    texts = ({"msgid": "1", "msgtype": "PATCH-DOC"}, {"wide": wide}, {"events": [wide]})
    for text in texts:
        await socket.connection.write_message(json.dumps(text, ensure_ascii=False))
    return "1"


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
