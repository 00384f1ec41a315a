import asyncio
import threading

import pytest
from tinkerformer.explain import suggestions
from tinkerformer.model.inference import cost
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.inference.writing import with_written_target
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.session.pending_changes import WAIT
from tinkerformer.session.restore import Reading, restore
from tinkerformer.session.session_json import SavedSession
from tinkerformer.shell.page import create_page
from tinkerformer.transport.port.port_session import PortSession

from transformer_math import Transformer

SMALL = Scenario()
LARGE = with_written_target(
    SMALL.with_setting("d_model", 32).with_writing(True), ForwardPassRunner()
)
W_Q, W_K = (f"encoder.0.self_attn.head.0.W_{x}" for x in "qk")
ANSWER = "output.probabilities"


class Page:
    def __init__(self, scenario=LARGE):
        self.session = PortSession(lambda function: function())
        self.page = create_page(self.session, scenario=scenario)
        self.state = self.page.state
        self.board = self.page.regions["main"][0]
        self.sent = []
        self.board.connect(self.sent.append)
        self.board.receive({"type": "ready"})

    def set(self, path, value, press=0, i=0):
        self.board.receive(
            {"type": "set", "path": path, "i": i, "j": 0, "value": value, "press": press}
        )

    def say(self, kind, **more):
        self.board.receive({"type": kind, **more})

    def cell(self, path, i=0):
        return float(self.state.trace[path].value[i, 0])

    async def settled(self):
        done = asyncio.Event()
        self.state.pending.when_settled(done.set)
        await asyncio.wait_for(done.wait(), 60)

    def is_right(self):
        scenario = self.state.scenario
        expected = ForwardPassRunner().trace(scenario)[ANSWER].value
        return (self.state.trace[ANSWER].value == expected).all()


@pytest.fixture
def passes(monkeypatch):
    """Yield the threads of a large model's passes, and the events that start them."""
    monkeypatch.setattr(cost, "INLINE", cost.forward_pass(SMALL) * 2)
    monkeypatch.setattr(suggestions, "MAX_TRIED", 0)  # of a large model
    found, may_begin = [], threading.Event()
    passed = Transformer.__call__

    def told(self, *arguments, **more):
        if self.config == LARGE.config:
            thread = threading.current_thread()
            found.append(thread.name)
            if thread is not threading.main_thread():
                assert may_begin.wait(30)
        return passed(self, *arguments, **more)

    monkeypatch.setattr(Transformer, "__call__", told)
    yield found, may_begin
    may_begin.set()


def run(script, passes, scenario=LARGE):
    async def visit():
        page = Page(scenario)
        page.before = page.state.scenario
        passes[0].clear()
        await script(page)
        assert all(name.startswith("tinkerformer") for name in passes[0]), passes[0]
        assert page.is_right()

    asyncio.run(visit())


def test_an_edit_is_shown_when_its_pass_is_ready_and_is_one_step(passes):
    async def script(page):
        state, before = page.state, page.cell(W_Q)
        page.set(W_Q, 0.5)
        assert (page.cell(W_Q), page.board.busy) == (before, True)
        passes[1].set()
        await page.settled()
        assert (page.cell(W_Q), page.board.busy) == (0.5, False)
        # The pass does not wait for large models of other pages.
        assert all(not name.startswith("tinkerformer-large") for name in passes[0])
        page.say("undo")
        await page.settled()
        assert (page.cell(W_Q), state.history.past) == (before, [])
        page.say("redo")
        await page.settled()
        assert page.cell(W_Q) == 0.5

    run(script, passes)


def test_the_last_value_of_a_drag_counts_and_finished_passes_are_shown(passes):
    async def script(page):
        shown = []
        page.state.param.watch(lambda _: shown.append(page.cell(W_Q)), "scenario")
        for value in (0.1, 0.2, 0.3, 0.4):
            page.set(W_Q, value, press=7)
        passes[1].set()
        await page.settled()
        assert [round(x, 3) for x in shown] == [0.1, 0.4]
        assert [step.scenario for step in page.state.history.past] == [page.before]

    run(script, passes)


def test_numbers_that_are_set_while_others_are_pending_are_steps_of_their_own(passes):
    async def script(page):
        page.set(W_Q, 0.5, press=1)
        page.set(W_K, 0.25, press=2)
        page.set(W_K, 0.75, press=3, i=1)
        passes[1].set()
        await page.settled()
        assert (page.cell(W_Q), page.cell(W_K), page.cell(W_K, 1)) == (0.5, 0.25, 0.75)
        assert len(page.state.history.past) == 3
        page.say("undo")
        await page.settled()
        assert (page.cell(W_K), len(page.state.scenario.edits)) == (0.25, 2)

    run(script, passes)


def test_a_pending_change_can_be_undone_and_redone(passes):
    async def script(page):
        page.set(W_Q, 0.5, press=1)
        page.set(W_K, 0.25, press=2)
        page.say("undo")
        passes[1].set()
        await page.settled()
        assert page.cell(W_Q) == 0.5
        assert len(page.state.scenario.edits) == 1
        page.set(W_K, 0.75, press=3)
        page.say("undo")
        page.say("undo")
        await page.settled()
        assert not page.state.scenario.edits
        page.say("redo")
        page.say("redo")
        await page.settled()
        assert (page.cell(W_Q), page.cell(W_K)) == (0.5, 0.75)

    run(script, passes)


def test_edits_that_would_lose_a_pending_change_are_refused(passes):
    async def script(page):
        state = page.state
        state.change(state.scenario.with_setting("norm", "pre"), ("setting", "norm"))
        page.set(W_Q, 0.5)
        assert state.notice == WAIT
        passes[1].set()
        await page.settled()
        assert state.scenario.settings.norm == "pre"
        assert not state.scenario.edits

    run(script, passes)


def test_another_model_replaces_a_pending_change_and_view_settings_need_no_pass(passes):
    async def script(page):
        state = page.state
        state.change(state.scenario.with_view("palette", "safe"))
        assert state.scenario.view.palette == "safe"
        assert passes[0] == []
        page.set(W_Q, 0.5)
        (models, *_) = page.page.regions["model"]
        said: list[object] = []
        models.connect(said.append)
        models.receive({"type": "choose", "id": 4, "name": "phrases"})
        assert state.scenario.model == "phrases"
        assert said == [{"type": "answer", "id": 4}]
        passes[1].set()
        models.receive({"type": "choose", "id": 5, "name": LARGE.model})
        assert len(said) == 1  # the dialog reports that it is at work
        await page.settled()
        assert state.scenario.config == LARGE.config
        assert said[1:] == [{"type": "answer", "id": 5}]

    run(script, passes)


def test_a_closed_page_computes_nothing_more(passes):
    async def script(page):
        page.set(W_Q, 0.5)
        while not passes[0]:
            await asyncio.sleep(0.005)
        page.session.close()
        passes[1].set()
        await asyncio.sleep(0.2)
        assert not page.state.scenario.edits
        assert len(passes[0]) == 1

    run(script, passes)


def test_a_small_model_is_computed_at_once(passes):
    async def script(page):
        page.set(W_Q, 0.5)
        assert page.cell(W_Q) == 0.5
        assert passes[0] == []

    run(script, passes, SMALL)


@pytest.mark.parametrize("is_shown", [True, False])
async def test_a_pending_change_continues_even_if_a_session_is_opened(passes, is_shown):
    _, may_begin = passes
    page = Page()
    page.set(W_Q, 2.0)
    assert page.state.pending.changes
    if is_shown:
        restore(page.state, Reading(SavedSession(SMALL)), lambda: None)
        assert page.state.scenario == SMALL
        page.state.undo()
        assert [*page.state.asked.edits.values()] == [2.0]
    else:
        with pytest.raises(ValueError, match="the page failed to show it"):
            restore(page.state, Reading(SavedSession(SMALL)), fail)
    may_begin.set()
    await page.settled()
    assert page.cell(W_Q) == 2.0
    assert page.is_right()
    page.state.undo()
    await page.settled()
    assert page.state.scenario == LARGE
    assert not page.state.history.past


async def test_a_failed_change_keeps_the_earlier_pass(passes):
    found, may_begin = passes
    may_begin.set()
    page = Page()
    before = page.state.trace
    del found[:]
    with pytest.raises(ValueError, match="the page failed to show it"):
        restore(page.state, Reading(SavedSession(SMALL)), fail)
    assert page.state.trace is before
    assert not found, "the large model was computed once more"


def fail():
    raise RuntimeError("planted")
