"""Hostile messages: none raises, none stays, and a page that was sent some goes on."""

import asyncio
import json
import logging

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tinkerformer.components.board.board import Board
from tinkerformer.components.board.door import FROM_BOARD, admitted
from tinkerformer.components.component import Component
from tinkerformer.page import create_page

PLACE = {"path": "encoder.0.self_attn.head.0.W_q", "i": 0, "j": 1}
GOOD = {
    "ready": {"link": None, "saved": None, "again": False},
    "ack": {"seq": 1},
    "visible": {"indices": [0, 1], "version": 1},
    "set": {**PLACE, "value": 0.5, "id": 1, "ack": 1, "press": 0},
    "select": PLACE,
    "hover": {"path": None, "i": 0, "j": 0},
    "restore": {**PLACE, "press": 0},
    "silence": {"path": "encoder.0.self_attn.out", "row": None, "column": 1, "to": "zero"},
    "oscillate": {"on": True, "amplitude": None, "period": 2},
    "focus": {"scope": "encoder.0.self_attn", "head": 0},
    "pair": {"scope": "encoder.0.self_attn", "head": 0, "query": 1, "key": 2},
    "pull": {"scope": "encoder.0.self_attn", "head": 0, "query": 1, "key": 2, "value": 0.5},
    "window": {"path": "source.W_e", "row": 3, "column": 3},
    "choose": {"name": "encoder_layer", "number": 0},
    "place": {"name": "view", "value": "stages"},
    "setting": {"name": "heads", "value": 2},
    "goto": {"place": "encoder.0.self_attn"},
    "link": {},
    "undo": {},
    "redo": {},
}
HOSTILE = [
    *(None, True, -1, 0.5, 2**31, 2**40, -(2**63), 10**400, 1e308, float("nan"), float("inf")),
    *("", "x", "x" * 5000, "encoder", "__class__", "../..", "<script>", "\x00", b"x"),
    *([], [0.5], ["a"], [10**9], [-5], [None], {}, {"a": 1}, [[[]]], {"type": "set"}),
]


def test_every_message_that_is_heard_has_its_declaration():
    heard = {name.removeprefix("_on_") for name in vars(Board) if name.startswith("_on_")}
    assert heard == set(FROM_BOARD) == set(GOOD)


@pytest.mark.parametrize("kind", GOOD)
def test_what_a_page_says_comes_in(kind):
    assert admitted({"type": kind, **GOOD[kind]}) is not None


@pytest.mark.parametrize("kind", [kind for kind in GOOD if kind != "ready"])
def test_a_field_too_many_stays_outside(kind):
    assert admitted({"type": kind, **GOOD[kind], "more": 1}) is None


@pytest.mark.parametrize(
    "data",
    [
        *(None, 3, "set", [], {}, {"type": None}, {"type": []}, {"type": "receive"}),
        *({"type": "set"}, {"type": "ack"}, {"type": "ack", "seq": True}, {"type": 5}),
        {"type": "visible", "indices": [0.5], "version": 1},
        {"type": "visible", "indices": [0] * 100_001, "version": 1},
        {"type": "set", **GOOD["set"], "id": 2**40},
        {"type": "set", **GOOD["set"], "i": 0.5},
        {"type": "set", **GOOD["set"], "value": float("nan")},
        {"type": "select", "path": "x" * 6_000_000, "i": 0, "j": 0},
    ],
)
def test_what_is_none_is_refused_with_one_short_line(data, caplog):
    with caplog.at_level(logging.WARNING):
        assert admitted(data) is None
    (record,) = caplog.records
    assert len(record.getMessage()) < 200


def components(page):
    return [each for region in page.regions.values() for each in region]


class Opened:
    """A page in an event loop of its own: experiments and trainings run in one."""

    def __init__(self):
        self.loop = asyncio.new_event_loop()
        self.page = create_page()
        self.controls = [each for each in components(self.page) if isinstance(each, Component)]

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
def test_a_page_that_is_sent_hostile_messages_goes_on(opened, data):
    """What a component takes may change the page; nothing makes it raise, or stop."""
    board = opened.page.regions["main"][0]
    kind = data.draw(st.sampled_from([*GOOD]))
    message = {"type": kind, **GOOD[kind]}
    for name in data.draw(st.lists(st.sampled_from([*message, "more"]), max_size=3, unique=True)):
        message[name] = data.draw(st.sampled_from(HOSTILE))
    opened.do(board.receive, message)
    opened.do(board.receive, {"type": "ready"})
    assert json.dumps(opened.page.state.scenario.settings.to_dict())


WORDS = ["open", "press", "part", "change", "typing", "look", "pull", "ask", "embed", "tokens"]
WORDS += ["write", "switch", "patch", "pairs", "save", "attention", "set", "restore", "select"]
WORDS += ["make", "values", "seed", "afresh", "choose"]
WORDS += ["renormalize", "oscillate", "silence", "step", "answer", "next", "back", "close"]
NAMES = [
    "kind",
    "paths",
    "heads",
    "name",
    "value",
    "row",
    "word",
    "text",
    "tokens",
    "number",
    "path",
    "i",
    "j",
    "id",
    "to",
]
NAMES += ["first", "bytes", "unit", "on", "stage", "column", "part", "index", "position", "afresh"]


@given(
    kind=st.sampled_from([*WORDS, *HOSTILE[:12]]),
    fields=st.dictionaries(st.sampled_from(NAMES), st.sampled_from(HOSTILE), max_size=6),
    at=st.integers(0, 10**6),
)
@settings(max_examples=1500, deadline=None)
def test_no_component_raises_at_a_message(opened, kind, fields, at):
    found = opened.controls
    opened.do(found[at % len(found)].receive, {"type": kind, **fields})


@given(raw=st.sampled_from(HOSTILE), at=st.integers(0, 10**6))
@settings(max_examples=600, deadline=None)
def test_no_component_raises_at_a_property(opened, raw, at):
    found = [(each, name) for each in opened.controls for name in type(each).property_names()]
    component, name = found[at % len(found)]
    opened.do(component.accept, name, raw)
