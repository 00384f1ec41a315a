"""What one event changes goes to the browser as one message, in its order."""

import asyncio
from types import SimpleNamespace

import panel as pn
import param
import pytest
from bokeh.document import Document
from bokeh.models import ColumnDataSource
from bokeh.plotting import figure
from bokeh.protocol import Protocol
from panel.io.state import set_curdoc
from tinkerformer.components.carriers.panel.custom import panel_class
from tinkerformer.components.component import Component
from tinkerformer.runtime.turn import turn


class Socket:
    """A socket that keeps what is written."""

    def __init__(self) -> None:
        self.messages: list = []

    async def send_message(self, message) -> None:
        self.messages.append(message)


@pytest.fixture
def opened():
    """A document with a column of Panel's that a browser shows, and what it is written."""
    document, column, socket = Document(), pn.Column(), Socket()
    session = SimpleNamespace(
        document=document,
        _pending_writes=[],
        _subscribed_connections=[SimpleNamespace(_socket=socket, protocol=Protocol())],
    )
    column.server_doc(document)
    document.models.flush_synced()
    document._session_context = lambda: SimpleNamespace(
        session=session, request=SimpleNamespace(arguments={})
    )
    pn.state._connected[document] = True
    with set_curdoc(document):
        yield document, column, session, socket


def written(session) -> None:
    for waiting in session._pending_writes:
        asyncio.run(waiting)
    session._pending_writes = []


def test_a_chart_and_its_numbers_come_in_one_message_and_in_this_order(opened):
    document, column, session, socket = opened
    source = ColumnDataSource({"x": [0], "y": [0]})
    chart = figure()
    chart.line("x", "y", source=source)
    with turn(document):
        column.append(pn.pane.Bokeh(chart))
        with turn(document):  # an event within an event is of the same turn
            source.data = {"x": [1, 2], "y": [3, 4]}
        assert not session._pending_writes
    written(session)
    (message,) = socket.messages
    kinds = [(event["kind"], event.get("attr")) for event in message.content["events"]]
    assert kinds.index(("ModelChanged", "children")) < kinds.index(("ColumnDataChanged", "data"))
    assert document.callbacks.hold_value is None


def test_what_is_changed_before_a_mistake_is_sent_all_the_same(opened):
    document, column, session, socket = opened
    try:
        with turn(document):
            column.visible = False
            raise ValueError
    except ValueError:
        pass
    written(session)
    assert [event["attr"] for event in socket.messages[0].content["events"]] == ["visible"]


def test_a_page_that_nobody_has_locked_is_changed_at_once(opened):
    document, column, session, _ = opened
    session._pending_writes = None
    with turn(document):
        assert document.callbacks.hold_value is None
    with turn(None):
        column.visible = False


class Loud(Component):
    """Says back what it is sent."""

    said = param.String(default="")
    _esm = "export function render() {}"

    def receive(self, message):
        """See `Component.receive`."""
        self.said = message["text"]


def test_a_message_that_comes_before_panel_knows_of_the_page_is_answered_afterwards(opened):
    document, _, session, socket = opened
    loud = Loud()
    carrier = panel_class(Loud)(loud)
    document.add_root(carrier.get_root(document))
    document.models.flush_synced()
    pn.state._connected.pop(document)
    pn.state._loaded.pop(document, None)
    carrier._handle_msg({"text": "back again"})
    assert loud.said == ""  # what changed now, Panel would drop
    pn.state._on_load(document)
    written(session)
    assert loud.said == "back again"
    assert "back again" in str([message.content for message in socket.messages])
    carrier._handle_msg({"text": "once more"})
    assert loud.said == "once more"
