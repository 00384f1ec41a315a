import json
import logging
import math
from typing import ClassVar

import param
import pytest
from bokeh.document import Document
from bokeh.plotting import figure
from tinkerformer.components.component import Component
from tinkerformer.components.layout import HTML, Chart, Column
from tinkerformer.shell.page import create_page
from tinkerformer.transport.port import PortPage, port_page, wire
from tinkerformer.transport.port.catalog import component_classes
from tinkerformer.transport.security.refusals import Refusals


class Dial(Component):
    """A component that doubles a number, and has a secret."""

    value = param.Integer(default=1, bounds=(0, 9))
    double = param.Integer(default=2)
    secret = param.Integer(default=0, precedence=-1)

    accepts: ClassVar[tuple[str, ...]] = ("value",)

    @param.depends("value", watch=True)
    def _follow(self):
        self.double = 2 * self.value

    def receive(self, message):
        if message.get("type") == "fail":
            raise KeyError("nothing")
        self.send({"type": "echo", **message})


class Port:
    """A page whose port stores all posted messages."""

    def __init__(self, **regions):
        self.posted = []
        self.page = PortPage(lambda text, buffers: self.posted.append((text, buffers)))
        self.page.place(regions)

    def take(self):
        """Return the new messages, each with its entries except the limits."""
        posted, self.posted = self.posted, []
        read = [wire.read(text, buffers) for text, buffers in posted]
        return [[entry for entry in entries if entry[0] != "limits"] for entries in read]

    def say(self, *said, buffers=()):
        self.page.receive(json.dumps(said), buffers)
        return self.take()


@pytest.fixture
def dial():
    return Dial()


@pytest.fixture
def port(dial):
    opened = Port(main=[dial])
    opened.take()
    return opened


def test_a_placed_component_is_described_only_by_its_public_parameters(dial):
    [[[kind, _, regions]]] = Port(main=[dial], right=[]).take()
    assert kind == "place"
    assert regions["right"] == []
    [described] = regions["main"]
    assert described["kind"] == "component"
    assert described["class"] == "Dial"
    assert described["properties"] == {
        "value": 1,
        "double": 2,
        "label": "",
        "disabled": False,
        "problem": "",
    }
    assert described["layout"]["visible"] is True


def test_the_changes_of_one_event_are_one_message_and_are_not_echoed(port):
    assert port.say("set", 1, {"value": 3}) == [[["set", 1, {"double": 6}]]]


def test_a_refused_value_is_sent_back(port, dial):
    [entries] = port.say("set", 1, {"value": 30})
    told = {name: value for _, _, values in entries for name, value in values.items()}
    assert told["value"] == 1
    assert "9" in told["problem"]
    dial.disabled = True
    port.take()
    assert port.say("set", 1, {"value": 4}) == [[["set", 1, {"value": 1}]]]


def test_changes_outside_an_event_are_posted_at_once_and_in_order(port, dial):
    dial.param.update(value=2, label="two")
    dial.send({"type": "bang"})
    *changes, [message] = port.take()
    told = {name: value for [entry] in changes for name, value in entry[2].items()}
    assert told == {"value": 2, "label": "two", "double": 4}
    assert message == ["message", 1, {"type": "bang"}]


def test_work_scheduled_during_an_event_is_one_message_after_it(port, dial):
    with port.page.turn():
        port.page.session.schedule(lambda: setattr(dial, "label", "later"))
        dial.secret = 5
        dial.label = "now"
    assert port.take() == [[["set", 1, {"label": "now"}]], [["set", 1, {"label": "later"}]]]


def test_messages_carry_bytes_both_ways(port):
    said = ["message", 1, {"type": "x", "bytes": {"$bytes": 0}}]
    [[answer]] = port.say(*said, buffers=[b"\x00\xff"])
    assert answer == ["message", 1, {"type": "x", "bytes": b"\x00\xff"}]


@pytest.mark.parametrize(
    "text",
    [
        "no json",
        "[]",
        '["set", 1]',
        '["set", 1, []]',
        '["set", true, {"value": 2}]',
        '["run", 1, {"value": 2}]',
        '["set", 1, {"value": NaN}]',
        '["message", 1, {"type": {"$bytes": 0}}]',
        '["message", 1, {"type": {"$number": "three"}}]',
        '["message", 1, {"type": "fail"}]',
        '["message", 1, ' + '{"a":' * 200 + "1" + "}" * 201 + "]",
        '["message", 1, ' + "[" * 100_000,
        '["message", 1, {"type": "' + "x" * wire.MAX_BYTES + '"}]',
    ],
)
def test_invalid_messages_are_logged_and_ignored(port, dial, text, caplog, monkeypatch):
    monkeypatch.setattr(port_page, "tell", Refusals().tell)  # with the limit of the log unused
    with caplog.at_level(logging.WARNING):
        port.page.receive(text)
    assert len(caplog.records) == 1
    assert port.take() == []
    assert port.say("set", 1, {"value": 3}), "the page has died of it"


@pytest.mark.parametrize(
    "said",
    [("set", 1, {"secret": 7}), ("set", 1, {"double": 7}), ("set", 1, {"visible": False}),
     ("set", 99, {"value": 7}), ("message", -1, {})],
)  # fmt: skip
def test_a_browser_sets_only_accepted_properties_of_existing_components(port, dial, said):
    before = dial.param.values()
    assert port.say(*said) == []
    assert dial.param.values() == before


def test_a_column_sends_new_components_and_forgets_removed_ones(dial):
    text, column = HTML("<p>one</p>"), Column()
    port = Port(main=[column])
    port.take()
    column.objects = [text, dial]
    [[[_, number, told]]] = port.take()
    assert [each["kind"] for each in told["objects"]] == ["html", "component"]
    column.objects = [dial]
    [[[_, _, told]]] = port.take()
    assert told["objects"] == [{"number": port.page.number_of(dial)}]
    text.object = "<p>unseen</p>"
    assert port.take() == []
    text.visible = column.visible = False
    assert port.take() == [[["layout", number, {"visible": False}]]]
    column.objects = []
    dial.value = 5
    dial.send({"type": "unheard"})
    assert [entries for entries in port.take() if entries[0][1] != number] == []


class Browser:
    """A document to which Bokeh applies the patches, as in the browser."""

    def __init__(self):
        self.document = Document()

    def take(self, entries):
        for kind, text, buffers in entries:
            if kind == "charts":
                patch = json.loads(text)
                held = dict(buffers)
                self.document.apply_json_patch(_with_bytes(patch, held))


def _with_bytes(value, buffers):
    from bokeh.core.serialization import Buffer

    if isinstance(value, list):
        return [_with_bytes(x, buffers) for x in value]
    if isinstance(value, dict):
        if value.get("type") == "bytes":
            at = value["data"]["id"]
            return {"type": "bytes", "data": Buffer(at, buffers[at])}
        return {name: _with_bytes(x, buffers) for name, x in value.items()}
    return value


def test_a_chart_is_drawn_from_patches_and_updated_with_new_data():
    plot = figure()
    line = plot.line([1.0, 2.0], [3.0, math.nan])
    chart, browser = Chart(plot), Browser()
    port = Port(main=[Column(chart)])
    [entries] = port.take()
    assert [entry[0] for entry in entries] == ["charts", "place"], "the model before who draws it"
    browser.take(entries)
    copy = browser.document.get_model_by_id(plot.id)
    assert copy is not None
    line.data_source.stream({"x": [4.0], "y": [5.0]})
    [entries] = port.take()
    browser.take(entries)
    assert list(copy.renderers[0].data_source.data["x"]) == [1.0, 2.0, 4.0]
    with port.page.turn():
        chart.object = other = figure()
        other.title.text = "another"
    [entries] = port.take()
    browser.take(entries)
    assert ["set", port.page.number_of(chart), {"object": other.id}] in entries
    assert browser.document.get_model_by_id(plot.id) is None
    assert browser.document.get_model_by_id(other.id).title.text == "another"


def test_a_closed_page_ignores_messages_and_ends_its_computations(port, dial):
    ended = []
    port.page.session.on_close(lambda: ended.append(1))
    port.page.close()
    assert ended == [1]
    assert not port.page.session.has_viewers
    dial.value = 3
    assert port.say("set", 1, {"value": 4}) == []
    assert dial.value == 3


@pytest.mark.parametrize(
    "value",
    [
        [1, 2.5, "…", None, True],
        {"$bytes": 3},
        {"a": {"$x": [b"1"]}, "$number": "inf"},
        [math.inf, -math.inf, {"deep": [b"", b"\x01"]}],
        ["$bytes", {"word": "$"}],
    ],
)
def test_a_written_message_can_be_read(value):
    text, buffers = wire.write(value)
    json.loads(text, parse_constant=pytest.fail)
    assert wire.read(text, buffers) == value


def test_nan_has_a_name():
    [back] = wire.read(*wire.write([math.nan]))
    assert math.isnan(back)


def test_two_pages_are_independent():
    """Each page has its own numbers, state and charts."""
    pages = []
    for _ in range(2):
        port = Port()
        page = create_page(port.page.session)
        port.page.place(page.regions)
        port.take()
        pages.append((port, page))
    (one, page), (other, _) = pages
    tabs = one.page.number_of(page.regions["forms"][0])
    assert one.say("set", tabs, {"value": "idea:positions"})
    assert other.take() == []


def test_every_class_with_a_module_is_in_the_catalog():
    classes = component_classes()
    assert "Dial" not in classes
    assert {"BoardComponent", "Tabs", "Tokens"} <= set(classes)
