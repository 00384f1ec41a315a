import asyncio
import base64
import json
import threading
import zlib

import pytest
from tinkerformer.board.view import ExploreView
from tinkerformer.model.inference import cost, forward_pass
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.session import link as permalink
from tinkerformer.session import opening as opening_module
from tinkerformer.session.session_json import SavedSession, to_json
from tinkerformer.session.state import AppState
from tinkerformer.transport.port.port_session import PortSession

from transformer_math import Transformer

LARGE = Scenario().with_setting("d_model", 32).with_writing(True)
PINNED = LARGE.with_setting("seed", 5)
W_Q = "encoder.0.self_attn.head.0.W_q"


class Page:
    def __init__(self):
        self.state, self.session = AppState(Scenario()), PortSession(lambda function: function())
        self.board = ExploreView(self.state, self.session).board
        self.sent = []
        self.board.component.connect(self.sent.append)

    def say(self, kind, **more):
        self.board.component.receive({"type": kind, **more})

    @property
    def has_begun(self):
        return any(message["type"] == "manifest" for message in self.sent)

    async def begun(self):
        for _ in range(2000):
            if self.has_begun:
                return
            await asyncio.sleep(0.005)
        raise AssertionError("the page does not begin")


@pytest.fixture
def passes(monkeypatch):
    """Yield the threads of a large model's passes, and the event that starts the first."""
    monkeypatch.setattr(cost, "INLINE", cost.forward_pass(Scenario()) + 1)
    assert cost.is_large(LARGE)
    found, may_begin = [], threading.Event()
    model, passed = forward_pass._model, Transformer.__call__

    def slow_model(config, *rest):
        if config == LARGE.config:
            found.append(threading.current_thread().name)
            assert may_begin.wait(30)
        return model(config, *rest)

    def told_pass(self, *arguments, **more):
        if self.config == LARGE.config:
            found.append(threading.current_thread().name)
        return passed(self, *arguments, **more)

    monkeypatch.setattr(forward_pass, "_model", slow_model)
    monkeypatch.setattr(Transformer, "__call__", told_pass)
    yield found, may_begin
    may_begin.set()


def test_another_page_continues_while_a_link_to_a_large_model_is_opened(passes):
    found, may_begin = passes
    code = permalink.encode(SavedSession(LARGE, baseline=PINNED))

    async def visits():
        opening, other = Page(), Page()
        other.say("ready")
        opening.say("ready", link=code)
        assert not opening.has_begun
        other.say("set", path=W_Q, i=0, j=0, value=0.5)
        assert other.state.trace[W_Q].value[0, 0] == 0.5
        assert not opening.has_begun
        may_begin.set()
        await opening.begun()
        return opening

    opening = asyncio.run(visits())
    assert opening.state.scenario.config == LARGE.config
    assert opening.state.pinned.scenario.settings.seed == PINNED.settings.seed
    assert found
    assert all(name.startswith("tinkerformer-large") for name in found)
    # The prepared scenario is shown, without a second model.
    assert len(found) > 2
    expected = ForwardPassRunner().trace(opening.state.scenario)["output.probabilities"].value
    assert (opening.state.trace["output.probabilities"].value == expected).all()


def test_a_stored_session_is_opened_like_a_link(passes):
    found, may_begin = passes

    async def visit():
        page = Page()
        page.say("ready", saved=to_json(SavedSession(LARGE)), again=True)
        assert not page.has_begun
        may_begin.set()
        await page.begun()
        return page

    page = asyncio.run(visit())
    assert page.state.scenario.config == LARGE.config
    assert all(name.startswith("tinkerformer-large") for name in found)


def test_closing_the_page_ends_the_computation(passes):
    found, may_begin = passes

    async def visit():
        page = Page()
        page.say("ready", link=permalink.encode(SavedSession(LARGE, baseline=PINNED)))
        while not found:
            await asyncio.sleep(0.005)
        page.session.close()
        may_begin.set()
        await asyncio.sleep(0.2)
        return page

    page = asyncio.run(visit())
    assert not page.has_begun
    assert len(found) == 1


def test_a_long_link_is_read_in_a_thread_and_its_errors_are_reported(monkeypatch):
    """The model is small: its passes are fast, but reading the link is slow."""
    found, read = [], opening_module.read

    def told(written):
        found.append(threading.current_thread().name)
        return read(written)

    monkeypatch.setattr(opening_module, "read", told)
    edits = {"source.W_e": [["the", 0, 1]] * 2000}
    code = packed(json.dumps({"version": 1, "edits": edits, "layers": 7, "place": 7}))
    damaged = packed(json.dumps({"version": 1, "edits": edits, "source": 7}))

    async def visits():
        pages = [Page(), Page()]
        for page, link in zip(pages, (code, damaged), strict=True):
            page.say("ready", link=link)
            assert not page.has_begun
        for page in pages:
            await page.begun()
        return pages

    opened, refused = asyncio.run(visits())
    assert [*opened.state.scenario.edits.values()] == [1]
    assert opened.state.notice.endswith("without the open view and the chosen layers.")
    assert refused.state.scenario == Scenario()
    assert refused.state.notice.startswith("This link could not be opened. The field “source”")
    assert found == ["tinkerformer-large_0"] * 2


def packed(text):
    """Return a text encoded as in a link."""
    code = base64.urlsafe_b64encode(zlib.compress(text.encode(), 9))
    return code.decode().rstrip("=")


def test_the_link_of_a_small_model_is_opened_at_once(passes):
    async def visit():
        page = Page()
        page.say("ready", link=permalink.encode(SavedSession(Scenario(), baseline=Scenario())))
        assert page.has_begun

    asyncio.run(visit())
    assert passes[0] == []
