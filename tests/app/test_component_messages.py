import asyncio
import inspect
import json
import re
from pathlib import Path
from typing import get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tinkerformer.board.messages import FROM_BOARD
from tinkerformer.components import messages
from tinkerformer.components.component import SHARED, Component
from tinkerformer.components.layout import Column
from tinkerformer.components.upload import Opens
from tinkerformer.plain_data import MAX_ITEMS
from tinkerformer.shell import create_page
from tinkerformer.transport.port.catalog import component_classes
from tinkerformer.view_model.page_location import VIEWS

PLACE = {"path": "encoder.0.self_attn.head.0.W_q", "i": 0, "j": 1}
GOOD = {
    "ready": {"link": None, "saved": None, "again": False},
    "ack": {"seq": 1},
    "visible": {"indices": [0, 1], "version": 1},
    "set": {**PLACE, "value": 0.5, "of": "0a", "ack": 1, "press": 0, "held": True},
    "release": {},
    "select": PLACE,
    "hover": {"path": None, "i": 0, "j": 0},
    "restore": {**PLACE, "press": 0},
    "silence": {"path": "encoder.0.self_attn.out", "row": None, "column": 1, "to": "zero"},
    "oscillate": {"on": True, "amplitude": None, "period": 2},
    "focus": {"scope": "encoder.0.self_attn", "head": 0},
    "pair": {"scope": "encoder.0.self_attn", "head": 0, "query": 1, "key": 2},
    "look_only": {
        "scope": "encoder.0.self_attn",
        "head": 0,
        "query": 1,
        "key": 2,
        "everywhere": True,
    },
    "pull": {"scope": "encoder.0.self_attn", "head": 0, "query": 1, "key": 2, "value": 0.5},
    "window": {"path": "source.W_e", "row": 3, "column": 3},
    "choose": {"name": "encoder_layer", "number": 0},
    "place": {"name": "view", "value": "stages"},
    "setting": {"name": "heads", "value": 2},
    "plane": {"value": "gradient"},
    "goto": {"place": "encoder.0.self_attn"},
    "link": {},
    "undo": {},
    "changes": {},
    "train": {},
    "redo": {},
    "escape": {},
    "unkept": {},
}
HOSTILE = [
    *(None, True, -1, 0.5, 2**31, 2**40, -(2**63), 10**400, 1e308, float("nan"), float("inf")),
    *("", "x", "x" * 5000, "encoder", "__class__", "../..", "<script>", "\x00", b"x"),
    *([], [0.5], ["a"], [10**9], [-5], [None], {}, {"a": 1}, [[[]]], {"type": "set"}),
]


def test_every_accepted_message_has_a_declaration():
    board = create_page().regions["main"][0]
    handled = {
        *board._receive.__self__._handlers,
        "ack",
        "visible",
    }  # the board sends these itself
    assert handled == set(FROM_BOARD) == set(GOOD)


def is_in(data):
    return messages.checked_message(data, FROM_BOARD, "Board") is not None


@pytest.mark.parametrize("kind", GOOD)
def test_messages_of_a_page_are_accepted(kind):
    assert is_in({"type": kind, **GOOD[kind]})


@pytest.mark.parametrize("kind", [kind for kind in GOOD if kind != "ready"])
def test_fields_that_are_not_declared_are_ignored(kind):
    assert not is_in({"type": kind, **GOOD[kind], "more": 1})


@pytest.mark.parametrize(
    "data",
    [
        *(None, 3, "set", [], {}, {"type": None}, {"type": []}, {"type": "receive"}),
        *({"type": "set"}, {"type": "ack"}, {"type": "ack", "seq": True}, {"type": 5}),
        {"type": "visible", "indices": [0.5], "version": 1},
        {"type": "visible", "indices": [0] * (MAX_ITEMS + 1), "version": 1},
        {"type": "set", **GOOD["set"], "ack": 2**40},
        {"type": "set", **GOOD["set"], "i": 0.5},
        {"type": "set", **GOOD["set"], "value": float("nan")},
        {"type": "set", **GOOD["set"], "x" * 6_000_000: 1},
        {"type": "set", **GOOD["set"], "a\nINFO all is well": 1},
        {"type": "x" * 6_000_000},
        {"type": "select", "path": "x" * 6_000_000, "i": 0, "j": 0},
    ],
)
def test_invalid_messages_are_refused_with_one_short_line(data, monkeypatch):
    told = []
    monkeypatch.setattr(messages, "tell", told.append)
    assert not is_in(data)
    (line,) = told
    assert len(line) < 120
    assert line.isprintable()


SENT = re.compile(
    r"""(?:send_msg|send|ask|say|end|press)\(\s*(?:(?:this\.)?model,\s*)?\{\s*type: "(\w+)\""""
)
BY_FORMS = {"change", "typing"}  # whose argument is the kind


def in_folders():
    """Return the component classes, and the messages in their JavaScript, by folder."""
    found = {}
    for cls in component_classes().values():
        folder = Path(inspect.getfile(cls)).parent
        found.setdefault(folder, []).append(cls)
    return sorted(found.items())


@pytest.mark.parametrize(("folder", "classes"), in_folders(), ids=lambda x: getattr(x, "name", ""))
def test_exactly_the_messages_that_a_component_sends_are_declared(folder, classes):
    """The source text of the JavaScript is searched; the board's messages are compared above."""
    if folder.name == "board":
        return
    files = [*folder.glob("*.js")]
    if any(issubclass(cls, Opens) for cls in classes):
        files += [SHARED / name for name in ("upload.js", "files.js")]
    texts = [file.read_text(encoding="utf-8") for file in files]
    # The pictures of ideas share the code of `kit`.
    shared = {name for text in texts for name in re.findall(r'from "(\.\./kit/\w+\.js)"', text)}
    texts += [(folder / name).read_text(encoding="utf-8") for name in shared]
    said = {kind for text in texts for kind in SENT.findall(text)}
    for text in texts:
        for kinds in re.findall(r"@typedef \{(.*?)\} From\w+", text, re.DOTALL):
            said |= set(re.findall(r'type: "(\w+)"', kinds))
    assert {kind for cls in classes for kind in cls.hears} - BY_FORMS == said


def components(page):
    """Return all components of a page, including nested ones."""
    todo = [each for region in page.regions.values() for each in region]
    for placed in todo:
        todo += placed.objects if isinstance(placed, Column) else []
    return [each for each in todo if isinstance(each, Component)]


class Opened:
    """A page in an event loop of its own: experiments and training runs run in one."""

    def __init__(self):
        self.loop = asyncio.new_event_loop()
        self.page = create_page()
        for view in VIEWS:  # a view creates its contents when it is opened
            self.do(self.page.state.go, "view", view)
        self.controls = components(self.page)

    def do(self, function, *arguments):
        async def turn():
            function(*arguments)
            await asyncio.sleep(0)

        self.loop.run_until_complete(turn())

    def close(self):
        async def stop():
            tasks = asyncio.all_tasks() - {asyncio.current_task()}
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

        self.loop.run_until_complete(stop())
        self.loop.close()


@pytest.fixture(scope="module")
def opened():
    found = Opened()
    yield found
    found.close()


@given(data=st.data())
@settings(max_examples=300, deadline=None)
def test_a_page_that_is_sent_hostile_messages_continues(opened, data):
    """Accepted messages may change the page; no message makes it raise or stop."""
    board = opened.page.regions["main"][0]
    kind = data.draw(st.sampled_from([*GOOD]))
    message = {"type": kind, **GOOD[kind]}
    for name in data.draw(st.lists(st.sampled_from([*message, "more"]), max_size=3, unique=True)):
        message[name] = data.draw(st.sampled_from(HOSTILE))
    opened.do(board.receive, message)
    opened.do(board.receive, {"type": "ready"})
    assert json.dumps(opened.page.state.scenario.settings.to_dict())


PLACES = ["", "@", "@x", "@-1", "@9,9", "@0+0,0+0", "@likeliest", "@overview", "@overview0x0"]
PLACES += ["@99999+99999999999", "@3,5", "@overview2x2@1", f"@overview3x{'9' * 30}"]


@pytest.mark.parametrize("path", ["source.W_e", "source.ids", "encoder.0.self_attn.pair", "loss"])
@pytest.mark.parametrize("place", PLACES)
def test_no_part_of_a_matrix_makes_a_component_raise(opened, path, place):
    board = opened.page.regions["main"][0]
    for kind in ("select", "hover", "set", "restore", "silence"):
        opened.do(board.receive, {"type": kind, **GOOD[kind], "path": path + place})
    [exports] = [each for each in opened.controls if type(each).__name__ == "Exports"]
    opened.do(exports.receive, {"type": "values", "id": 1, "paths": [path + place]})
    opened.do(board.receive, {"type": "ready"})


LIKELY = [*HOSTILE, 0, 1, 2, 0.5, False, ["a"]]
LIKELY += ["word", "phrases", "source", "number", "zero", "unk"]


def test_every_kind_of_component_is_sent_messages(opened):
    there = {type(each).__name__ for each in opened.controls}
    # Except parts of forms, and components that contain a page.
    assert {*component_classes()} - there <= {"Fields", "Framed"}


@given(at=st.integers(0, 10**6), data=st.data())
@settings(max_examples=1500, deadline=None)
def test_no_message_makes_a_component_raise(opened, at, data):
    """The fields may have their declared types or others, or be missing."""
    found = [each for each in opened.controls if each.hears]
    component = found[at % len(found)]
    kind = data.draw(st.sampled_from(sorted(component.hears)))
    names = st.sampled_from([*get_type_hints(component.hears[kind]), "more"])
    missing = data.draw(st.lists(names, max_size=1))
    fields = {
        name: data.draw(st.sampled_from(LIKELY))
        for name in get_type_hints(component.hears[kind])
        if name not in ("type", *missing)
    }
    opened.do(component.receive, {"type": kind, **fields})


@given(raw=st.sampled_from(HOSTILE), at=st.integers(0, 10**6))
@settings(max_examples=600, deadline=None)
def test_no_value_of_a_property_makes_a_component_raise(opened, raw, at):
    found = [(each, name) for each in opened.controls for name in type(each).property_names()]
    component, name = found[at % len(found)]
    opened.do(component.accept, name, raw)
