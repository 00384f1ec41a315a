import itertools
import random

import numpy as np
import pytest
from tinkerformer.components.component import Component
from tinkerformer.model.matrices.address import CellAddress
from tinkerformer.model.matrices.attention import AttentionFocus
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.session.after_changes import AfterChanges
from tinkerformer.session.lesson_progress import LessonProgress
from tinkerformer.shell import create_page
from tinkerformer.view_model.page_location import VIEWS

W_E = CellAddress("source.W_e", 0, 1)
CROSS = CellAddress("decoder.0.cross_attn.head.0.weights", 2, 1)


def edit(state):
    state.change(state.scenario.with_value(W_E.path, (0, 1), 1.5), ("value", 1))


def swing(on):
    def swings(state):
        state.oscillation = state.oscillation._replace(on=on)

    return swings


def select(cell):
    def selects(state):
        state.selection = cell

    return selects


def words(*tokens):
    return lambda state: state.change(state.scenario.with_tokens("source", tokens))


def setting(name, value):
    return lambda state: state.change(state.scenario.with_setting(name, value))


def plane(name):
    return lambda state: state.change(state.scenario.with_view("plane", name))


def pin(state):
    state.baseline = state.scenario


def large(state):
    state.attention_focus = AttentionFocus("decoder.1.cross_attn", 1, 3, 2)


def lesson(step):
    def opens(state):
        state.lesson = LessonProgress("attention", step)

    return opens


def restore(of):
    def restores(state):
        saved = state.snapshots.take()
        state.snapshots.restore(saved._replace(scenario=of, selection=tuple(W_E), baseline=of))

    return restores


def go(name, value):
    return lambda state: state.go(name, value)


def undo(state):
    state.undo()


EVENTS = [
    *(select(W_E), edit, swing(True), words("the", "cat"), swing(False), undo, pin, edit),
    *(plane("change"), words("the", "white", "cat"), go("view", "formulas"), select(CROSS)),
    *(setting("decoder_layers", 1), go("view", "attention"), large, setting("heads", 1), undo),
    *(plane("gradient"), edit, go("view", "picture"), go("lens", True), words("a", "b", "c", "d")),
    *(go("followed", ["encoder", 1]), words("b", "c", "d"), plane("patch"), edit),
    *(lesson(0), lesson(1), words("the", "cat"), lesson(2), undo, undo),
    *(restore(Scenario()), edit, restore(Scenario().with_setting("decoder_layers", 0)), undo),
    *(go("view", name) for name in VIEWS),
]


class Page:
    """A page, and the values sent to each of its components."""

    def __init__(self, reorder) -> None:
        self.page = create_page()
        # The grouping of edits into steps of undo depends on the time, so the time is fixed.
        self.time = 0.0
        self.page.state.clock = lambda: self.time
        self.board, *_ = (x for x in self.page.regions["main"] if isinstance(x, Component))
        self.messages: list[dict] = []
        state = self.page.state
        of = state._watchers._of
        all_of_them = sorted({each for watchers in of.values() for each in watchers})
        # Watchers of the state itself are not views.
        own = [each for each in all_of_them if _is_of(each.function, state)]
        order = own + reorder([each for each in all_of_them if each not in own])
        for watchers in of.values():
            watchers[:] = [each._replace(order=order.index(each)) for each in watchers]
        for of_results in self.page.results.param.watchers.values():
            of_results["value"][:] = reorder(of_results["value"])
        self.board.connect(self.messages.append)
        self.after(lambda _: self.board.receive({"type": "ready", "again": False}))

    def after(self, event) -> tuple[list[dict], dict]:
        """Return the messages to the board after an event, and the values of all components."""
        self.messages.clear()
        self.time += 10
        event(self.page.state)
        painted = 0
        while frames := [m for m in self.messages[painted:] if m["type"] in ("frame", "orbit")]:
            painted = len(self.messages)
            seq = int(np.frombuffer(frames[-1]["bytes"], "<i4", 8)[3])
            self.board.receive({"type": "ack", "seq": seq})
        return [dict(m) for m in self.messages], {
            f"{region} {k}": {name: x.encode(name) for name in x.property_names()}
            for region, placed in self.page.regions.items()
            for k, x in enumerate(placed)
            if isinstance(x, Component)
        }


def _is_of(function, owner) -> bool:
    return getattr(function, "__self__", None) is owner


def _shuffled(views):
    return random.Random(len(views)).sample(views, len(views))


def _reversed(views):
    return views[::-1]


def differing(some, others):
    """Return the properties that differ, with both values."""
    return [
        (component, name, value, others[component][name])
        for component, properties in some.items()
        for name, value in properties.items()
        if value != others[component][name]
    ]


def compare(reorder):
    page, other = Page(list), Page(reorder)
    for number, event in enumerate(EVENTS):
        (sent, values), (other_sent, other_values) = page.after(event), other.after(event)
        assert [m["type"] for m in other_sent] == [m["type"] for m in sent], number
        assert other_sent == sent, number
        assert differing(values, other_values) == [], number
        assert other.page.state.snapshots.take() == page.page.state.snapshots.take(), number


@pytest.mark.parametrize("reorder", [_reversed, _shuffled])
def test_views_that_are_notified_in_another_order_send_the_same_values(reorder):
    compare(reorder)


def test_the_comparison_fails_for_a_board_that_is_drawn_too_early(monkeypatch):
    monkeypatch.setattr(AfterChanges, "call", lambda _, function: function())
    with pytest.raises((AssertionError, KeyError)):
        compare(_reversed)


def test_work_after_a_change_runs_once_and_after_all_its_consequences():
    after, called = AfterChanges(), []

    def last():
        called.append("last")

    with after.change():
        after.call(last)
        with after.change():
            after.call(last)
        assert not called
    assert called == ["last"]
    after.call(last)  # no change is in progress
    assert called == ["last", "last"]


def test_work_after_a_change_also_runs_if_the_change_fails():
    after, called = AfterChanges(), []

    def fails():
        with after.change():
            after.call(lambda: called.append("last"))
            raise RuntimeError("planted")

    for _ in itertools.repeat(None, 2):
        with pytest.raises(RuntimeError, match="planted"):
            fails()
    assert called == ["last", "last"]
