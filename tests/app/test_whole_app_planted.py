"""The invariants of the whole app can fail: for each a mistake is planted, and found."""

from __future__ import annotations

import numpy as np
import pytest
from tinkerformer.components.board import wire
from tinkerformer.components.board.board import Board
from tinkerformer.inference import writing
from tinkerformer.matrices import reader
from tinkerformer.matrices.sweeps import CellSweep
from tinkerformer.runtime.background import FAILED
from tinkerformer.session import session_json as scenario_json
from tinkerformer.session.undo import UndoHistory

from tests.app.whole_app import invariants
from tests.app.whole_app.browser import Browser
from tests.app.whole_app.machine import WholeApp
from transformer_math.ops import SOFTMAX


@pytest.fixture
def browser():
    opened = Browser()
    yield opened
    opened.close()


@pytest.fixture
def machine():
    used = WholeApp()
    yield used
    used.teardown()


def plant(monkeypatch, owner, name, mistake):
    """Have a function or a method give what a mistake makes of what it gave."""
    right = getattr(owner, name)
    monkeypatch.setattr(owner, name, lambda *args, **more: mistake(right(*args, **more)))


def edit(browser):
    browser.set_cell("source.W_e", 0, 0, 2.0)


def show(browser, **fields):
    for name, value in fields.items():
        form = next(f for f in browser.named("Form") if name in {x["name"] for x in f["fields"]})
        browser.say(form, {"type": "change", "name": name, "value": value})


def test_without_a_mistake_nothing_is_found(browser):
    edit(browser)
    invariants.check(browser)


def test_a_number_on_its_way_to_the_board(browser, monkeypatch):
    plant(monkeypatch, wire, "packed_matrix", lambda packed: packed._replace(values=_off(packed)))
    edit(browser)
    with pytest.raises(AssertionError, match="away from the mathematics"):
        invariants.check(browser)


def _off(packed):
    return (np.frombuffer(packed.values, "<f4") + np.float32(1e-3)).tobytes()


def test_a_frame_that_does_not_come(browser, monkeypatch):
    monkeypatch.setattr(Board, "refresh", lambda *_: None)
    browser.set_cell("encoder.0.feed_forward.b_1", 0, 0, 0.01)  # which no word depends on
    with pytest.raises(AssertionError, match="away from the mathematics"):
        invariants.check(browser)


@pytest.mark.parametrize(
    ("mistake", "said"),
    [
        (lambda y: y * np.float32(1.01), "(?s)Not equal.*weights"),
        (lambda y: y + np.float32(1e-6), "weights"),
        (lambda y: y * np.float32("nan"), "not finite"),
    ],
    ids=["a sum of 1.01", "a masked weight above 0", "no number"],
)
def test_shares_that_are_none(browser, monkeypatch, mistake, said):
    plant(monkeypatch, type(SOFTMAX), "forward", mistake)
    with pytest.raises(AssertionError, match=said):
        invariants.rows_are_probabilities(
            invariants.Computed(browser.page.state.scenario.with_writing(False))
        )


def test_a_gradient(browser, monkeypatch):
    plant(monkeypatch, reader, "matrix_gradient", lambda gradient: gradient * 1.5)
    show(browser, plane="gradient")
    with pytest.raises(AssertionError, match="the gradient of"):
        invariants.check(browser)


def test_what_is_pinned(browser, monkeypatch):
    mistake = lambda cells: cells and cells._replace(values=cells.values + np.float32(0.01))  # noqa: E731
    plant(monkeypatch, reader.MatrixReader, "read_baseline", mistake)
    show(browser, pin=True)
    with pytest.raises(AssertionError, match="what is pinned of"):
        invariants.check(browser)


def test_a_frame_of_a_swing(browser, monkeypatch):
    mistake = lambda frames: None if frames is None else frames + np.float32(0.01)  # noqa: E731
    plant(monkeypatch, CellSweep, "frames", mistake)
    place = {"path": "source.W_e", "i": 0, "j": 0}
    browser.say("BoardComponent", {"type": "select", **place})
    browser.say("BoardComponent", {"type": "oscillate", "on": True, "amplitude": 1.0})
    with pytest.raises(AssertionError, match="of a swing"):
        invariants.the_swing_is_the_mathematics(browser)


def test_a_word_that_the_model_does_not_write(browser, monkeypatch):
    plant(monkeypatch, writing, "likeliest", lambda words: (*words[:-1], "le"))
    edit(browser)
    with pytest.raises(AssertionError, match="another text is written"):
        invariants.check(browser)


def test_a_session_that_is_not_kept(browser, monkeypatch):
    monkeypatch.setattr(Board, "session", lambda *_: None)
    edit(browser)
    with pytest.raises(AssertionError, match="an old one is kept"):
        invariants.check(browser)


def test_a_part_of_a_session_that_is_not_read(browser, monkeypatch):
    part = {"path": "encoder.0.self_attn.out", "row": None, "column": 1, "to": "zero"}
    browser.say("BoardComponent", {"type": "silence", **part})
    invariants.check(browser)
    plant(monkeypatch, scenario_json, "_silences", lambda *_: ())
    with pytest.raises(AssertionError):
        invariants.check(browser)


def test_a_fault_that_is_said(browser):
    browser.page.state.notice = FAILED
    with pytest.raises(AssertionError, match="went wrong in the program"):
        invariants.no_fault_is_said(browser)


def test_a_fault_that_is_logged(machine, monkeypatch):
    def fails(*_):
        raise RuntimeError("planted")

    monkeypatch.setattr(Board, "preview", fails)
    place = {"path": "source.W_e", "i": 0, "j": 0}
    machine.browser.say("BoardComponent", {"type": "hover", **place})
    with pytest.raises(AssertionError, match="planted"):
        machine.nothing_is_logged()


@pytest.mark.parametrize("name", ["undo", "redo"])
def test_a_step_that_does_not_lead_back(machine, monkeypatch, name):
    plant(
        monkeypatch,
        UndoHistory,
        name,
        lambda step: step._replace(scenario=step.scenario.without_edits().resampled()),
    )
    step = machine.step()
    with pytest.raises(AssertionError, match=f"{name} ≠ identity"), step:
        edit(machine.browser)
