import asyncio
import threading

import numpy as np
import pytest
from tinkerformer.board.reached import Reached
from tinkerformer.board.view import ExploreView
from tinkerformer.explain.response_curve import MAX_POINTS, reach, response
from tinkerformer.explain.written_at import stretches_of
from tinkerformer.features.decode.view import DecodeView
from tinkerformer.features.inspector import curve
from tinkerformer.features.inspector.view import InspectorView
from tinkerformer.features.share.view import ShareView
from tinkerformer.files import catalog
from tinkerformer.model.inference import cost
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.matrices.address import CellAddress
from tinkerformer.model.matrices.oscillation import OscillationFrames
from tinkerformer.model.matrices.resolved_cell import resolve
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.session.session_json import SavedSession, to_json
from tinkerformer.session.state import AppState
from tinkerformer.transport.port.port_session import PortSession
from tinkerformer.transport.runtime.derived import COMPUTING, COMPUTING_AGAIN

from tests.app.cells import gradient_details
from tests.app.learner import others, until
from transformer_math.graph import backward, sweep

W_E, W_O = CellAddress("source.W_e", 1, 1), CellAddress("encoder.0.self_attn.W_o", 0, 0)
ELSEWHERE = "output.probabilities"
PATIENCE = 10**7  # values of the oscillating number


class Page:
    """The views that compute something about one number, and a list of what they showed."""

    def __init__(self):
        self.session = PortSession(lambda function: function())
        self.state = AppState(Scenario())
        self.explore = ExploreView(self.state, self.session)
        view = InspectorView(self.state, self.session)
        self.inspector, self.told = view.inspector, []
        self.inspector.connect(self.told.append)
        self.played = []
        self.explore.board.frames.play = lambda **played: self.played.append(played)

    def choose(self, cell):
        self.state.selection = cell

    def swing(self, on=True):
        self.state.oscillation = self.state.oscillation._replace(on=on)


@pytest.fixture
def threads(monkeypatch):
    """Yield the threads of sweeps and backward passes, and the events that start them."""
    found, may_begin = [], threading.Event()

    def watch(module, name):
        done = getattr(module, name)

        def told(*arguments, **more):
            thread = threading.current_thread()
            found.append(thread.name)
            if thread is not threading.main_thread():
                assert may_begin.wait(30)
            return done(*arguments, **more)

        monkeypatch.setattr(module, name, told)

    monkeypatch.setattr(curve, "stretches_of", lambda *_: ())  # it sweeps as well; tested below
    watch(sweep, "sweep_by")
    watch(backward, "gradients")
    monkeypatch.setattr(cost, "INLINE", cost.forward_pass(Scenario()))  # a pass at once, no sweep
    monkeypatch.setattr(cost, "INLINE_GRADIENTS", 0)
    yield found, may_begin
    may_begin.set()


def run(threads, script):
    """Do an action of a user; return its result, and the threads that computed for it."""
    found, may_begin = threads

    async def visit():
        page = Page()
        found.clear()
        result = await script(page)
        page.session.close()
        may_begin.set()
        return result

    result, computed = asyncio.run(visit()), found[:]
    assert all(name.startswith("tinkerformer") for name in computed), computed
    return result, computed


def assert_curve_is_right(page, cell):
    """Check the shown curve against separate passes of the shown scenario."""
    trace, shown = ForwardPassRunner().trace(page.state.scenario), page.inspector.curve
    answers, span = [(shown["row"], shown["column"])], (shown["low"], shown["high"])
    found = response(trace, cell.path, (cell.row, cell.column), answers, span).probabilities
    assert shown["probabilities"] == np.round(found.astype(float), 5).tolist()


def test_numbers_of_the_first_model_are_answered_at_once():
    assert cost.fits_inline(MAX_POINTS * cost.forward_pass(catalog.first("phrases")))
    assert not cost.fits_inline(cost.forward_pass(catalog.first("paper-base")))


def test_the_curve_is_shown_later_and_is_that_of_the_last_number(threads):
    async def script(page):
        page.choose(W_E)
        assert page.inspector.curve == {"coming": True}
        assert page.inspector.details["path"] == W_E.path
        await until(lambda: threads[0], PATIENCE)
        page.choose(W_O)
        assert (page.inspector.curve, page.state.answer) == ({"coming": True}, None)
        threads[1].set()
        await until(lambda: "probabilities" in page.inspector.curve, PATIENCE)
        return page

    page, computed = run(threads, script)
    assert len(computed) == 2
    assert page.state.answer == (page.inspector.curve["row"], page.inspector.curve["column"])
    assert_curve_is_right(page, W_O)


def test_the_range_of_each_word_is_computed_once_and_in_a_thread(monkeypatch):
    found = []

    def told(*arguments):
        found.append(threading.current_thread())
        return stretches_of(*arguments)

    monkeypatch.setattr(curve, "stretches_of", told)

    async def visit():
        page = Page()
        page.choose(W_E)
        assert page.inspector.words == {"coming": True}
        await until(lambda: "rows" in page.inspector.words, PATIENCE)
        words = page.inspector.words
        assert (words["low"], words["high"]) == tuple(
            page.inspector.details[end] for end in ("low", "high")
        )
        for value in (0.25, 0.5):
            page.state.change(page.state.scenario.with_value(W_E.path, (1, 1), value))
        assert page.inspector.words is words
        page.state.change(page.state.scenario.with_value(W_O.path, (0, 0), 2))
        assert page.inspector.words == {**words, "pending": COMPUTING_AGAIN}
        await until(lambda: not page.inspector.words["pending"], PATIENCE)
        page.session.close()

    asyncio.run(visit())
    assert len(found) == 2
    assert threading.main_thread() not in found


def test_an_edit_elsewhere_computes_the_curve_again(threads):
    async def script(page):
        page.choose(W_E)
        page.state.change(page.state.scenario.with_value(W_O.path, (0, 0), 2))
        threads[1].set()
        await until(lambda: "probabilities" in page.inspector.curve, PATIENCE)
        return page

    page, _ = run(threads, script)
    assert_curve_is_right(page, W_E)


@pytest.mark.parametrize(
    "then", [None, CellAddress("decoder.0.self_attn.head.0.masked_scores", 0, 1)]
)
def test_a_number_that_is_released_or_infinite_has_no_curve(threads, then):
    async def script(page):
        page.choose(W_E)
        await until(lambda: threads[0], PATIENCE)
        page.choose(then)
        threads[1].set()
        await asyncio.sleep(0.2)
        assert (page.inspector.curve, page.state.answer) == ({}, None)

    run(threads, script)


def test_errors_are_shown_in_the_open_view(threads, monkeypatch):
    def fail(*arguments, **more):
        raise MemoryError

    monkeypatch.setattr(curve, "response", fail)

    async def script(page):
        page.choose(W_E)
        await until(lambda: page.inspector.curve == {}, PATIENCE)
        assert "not enough memory" in page.state.notice

    run(threads, script)


@pytest.mark.parametrize("plane", ["value", "gradient"])
def test_an_oscillation_starts_when_its_frames_are_ready(threads, plane):
    async def script(page):
        threads[1].set()
        page.state.change(page.state.scenario.with_view("plane", plane))
        threads[0].clear()
        page.choose(W_E)
        await until(lambda: "probabilities" in page.inspector.curve, PATIENCE)
        page.swing()
        assert not page.played
        await until(lambda: page.played, PATIENCE)
        return page

    page, _ = run(threads, script)
    (played,) = page.played
    reader, oscillation = page.explore.values.reader(), page.state.oscillation
    expected = OscillationFrames(
        reader, resolve(reader.shown.trace, W_E), oscillation, {ELSEWHERE, W_E.path}
    )
    assert played["values"] == expected.values.tolist()
    np.testing.assert_array_equal(played["read_frames"](ELSEWHERE), expected.frames(ELSEWHERE))
    assert (played["read_gradients"] is not None) == (plane == "gradient")
    if plane == "gradient":
        found = played["read_gradients"](W_E.path)
        np.testing.assert_array_equal(found, expected.gradients(W_E.path))


def test_while_the_model_learns_curves_and_swings_follow_as_fast_as_possible(threads, monkeypatch):
    monkeypatch.setattr("tinkerformer.session.calm.CALM_SECONDS", 0)

    async def script(page):
        threads[1].set()
        page.state.learning = True
        page.choose(W_E)
        page.swing()
        shown = []
        page.inspector.param.watch(lambda event: shown.append(event.new), "curve")
        for step in range(5000):  # each edit arrives before the previous result
            if len(shown) > 3 and len(page.played) > 3:
                break
            page.state.scenario = page.state.scenario.with_value(W_O.path, (0, 0), step / 100)
            await asyncio.sleep(0.002)  # so that the thread can work
        assert step < 4999
        assert {"coming": True} not in shown
        page.state.learning = False
        await until(lambda: not others(), PATIENCE)
        return page

    page, _ = run(threads, script)
    assert_curve_is_right(page, W_E)
    reader, oscillation = page.explore.values.reader(), page.state.oscillation
    frames = OscillationFrames(
        reader, resolve(reader.shown.trace, W_E), oscillation, {ELSEWHERE, W_E.path}
    )
    last = page.played[-1]
    np.testing.assert_array_equal(last["read_frames"](ELSEWHERE), frames.frames(ELSEWHERE))


@pytest.mark.parametrize("end", ["stop", "choose", "leave"])
def test_an_oscillation_that_ends_before_its_start_never_starts(threads, end):
    async def script(page):
        page.choose(W_E)
        page.swing()
        await until(lambda: len(threads[0]) > 1, PATIENCE)
        if end == "stop":
            page.swing(False)
        elif end == "choose":
            page.explore.messages.on_select({"type": "select", "path": W_O.path, "i": 0, "j": 0})
        else:
            page.session.close()
        threads[1].set()
        await asyncio.sleep(0.2)
        assert not page.played

    run(threads, script)


def test_the_effect_of_a_number_is_computed_later_and_once(threads, monkeypatch):
    monkeypatch.setattr(cost, "INLINE", 1)
    refreshed = []
    said: list[str] = []

    async def script(page):
        threads[1].set()
        state = AppState(Scenario())
        reached = Reached(state, page.session, lambda: refreshed.append(1), said.append)
        state.update(selection=W_E, reach=True)
        assert reached.read() == {}
        assert reached.read() == {}
        await until(lambda: refreshed, PATIENCE)
        found = reached.read()
        state.reach = False
        assert reached.read() == {}
        return found

    found, computed = run(threads, script)
    assert len(computed) == len(refreshed) == 1
    numbers = sum(int(np.count_nonzero(shares)) for shares in found.values())
    assert said[:2] == [COMPUTING, COMPUTING]
    assert said[2].startswith(f"It reaches {numbers:,} of the ")
    assert said[-1] == ""
    expected = reach(ForwardPassRunner().trace(Scenario()), W_E.path, (1, 1))
    assert list(found) == list(expected)
    for path, shares in expected.items():
        np.testing.assert_allclose(found[path], shares, rtol=1e-6)


def test_the_gradient_of_a_large_model_is_computed_later_and_kept(threads):
    async def script(page):
        threads[1].set()
        page.choose(W_E)
        page.inspector.receive({"type": "gradient", "now": False})
        assert page.told[-1]["costly"]
        page.inspector.receive({"type": "gradient", "now": True})
        assert not page.state.runner.has_gradients(page.state.scenario)
        await until(lambda: "value" in page.told[-1], PATIENCE)
        told, scenario = page.told[-1], page.state.scenario
        assert page.state.runner.has_gradients(scenario)
        count = len(page.told)
        page.inspector.receive({"type": "gradient", "now": False})
        assert page.told[count]["value"] == told["value"]
        return scenario, told

    (scenario, told), _ = run(threads, script)
    expected = gradient_details(ForwardPassRunner(), scenario, *W_E)
    assert told["value"] == expected["value"]


def test_the_gradient_of_a_number_that_is_no_longer_shown_is_not_stated(threads):
    async def script(page):
        page.choose(W_E)
        page.inspector.receive({"type": "gradient", "now": True})
        await until(lambda: len(threads[0]) > 1, PATIENCE)
        page.state.change(page.state.scenario.with_value(W_O.path, (0, 0), 2))
        threads[1].set()
        await asyncio.sleep(0.2)
        assert not any("value" in told for told in page.told)
        assert not page.state.runner.has_gradients(page.state.scenario)

    run(threads, script)


@pytest.mark.parametrize("is_locked", [False, True])
async def test_the_file_of_a_session_opens_when_its_passes_are_ready(monkeypatch, is_locked):
    monkeypatch.setattr(cost, "INLINE", 1)
    other = Scenario().with_setting("seed", 5)
    state, opened = AppState(Scenario()), []
    if is_locked:
        state.address = state.address._replace(lock="all")
    view = ShareView(state, lambda: None, PortSession(lambda function: function()))
    view.share.connect(opened.append)
    view.share.receive({"type": "open", "bytes": to_json(SavedSession(other)).encode()})
    assert len(opened) == is_locked
    await until(lambda: opened, PATIENCE)
    assert (state.scenario == other) == (not is_locked)
    assert ("locked" in opened[0]["sentence"]) == is_locked


@pytest.mark.parametrize("method", ["comparison", "greedy", "sample", "beam"])
async def test_the_text_of_a_large_model_arrives_later_and_belongs_to_the_last_setting(
    monkeypatch, method
):
    at_once = DecodeView(AppState(Scenario()), lambda: None)
    at_once.state.decode = at_once.state.decode.changed("method", method)
    at_once.show(True)
    expected = at_once.column.objects[2].data
    assert method in expected
    monkeypatch.setattr(cost, "INLINE", 1)
    view = DecodeView(AppState(Scenario()), lambda: None, PortSession(lambda do: do()))
    view.show(True)
    body = view.column.objects[2]
    assert "coming" in body.data
    view.state.decode = view.state.decode.changed("method", method)
    await until(lambda: "coming" not in body.data, PATIENCE)
    assert body.data == expected
    if method == "beam":
        assert body.value == at_once.column.objects[2].value
    view._on_attention_asked({"step": 0, "id": 0})
    view.show(True)
    view.show(False)
    await asyncio.sleep(0.1)
    # A comparison opens no attention, so nothing changes.
    assert body.pending == ("" if method == "comparison" else COMPUTING_AGAIN)


def test_without_an_event_loop_all_results_are_ready_at_once(monkeypatch):
    monkeypatch.setattr(cost, "INLINE", 1)
    page = Page()
    page.choose(W_E)
    page.swing()
    assert "probabilities" in page.inspector.curve
    assert page.played
