from functools import partial

import pytest
from tinkerformer.transport.port import port_page
from tinkerformer.transport.port.port_page import PortPage
from tinkerformer.transport.port.status import NoModel

from tests.app.test_page_port import Echo
from tests.app.whole_app.browser import Browser

CELL = "output.W_out", (0, 3)


class Painting(NoModel):
    """A page whose browser is painting the frame ``awaited_frame``."""

    awaited_frame = 0


class Posts:
    """A page with one component, and the kinds of entries in each post."""

    def __init__(self) -> None:
        self.kinds: list[list[str]] = []
        self.status = Painting()
        self.page = PortPage(lambda text, _bytes: self.kinds.append(_kinds(text)))
        self.page.place({"main": [Echo(label="echo")]}, self.status)
        self.kinds.clear()

    def frame(self, number: int) -> None:
        with self.page.turn():
            self.status.awaited_frame = number
            self.page.note("message", 1, {"frame": number})


def _kinds(text: str) -> list[str]:
    return [entry[0] for entry in port_page.wire.read(text, ())]


def test_changes_are_sent_after_the_awaited_frame_is_painted_or_with_the_next_frame() -> None:
    posts = Posts()
    posts.frame(1)
    posts.page.note("set", 1, {"label": "a"})
    posts.page.note("message", 1, {"b": 1})
    assert posts.kinds == [["message"]]
    posts.frame(2)
    assert posts.kinds[1:] == [["set", "message", "message"]]
    posts.page.note("set", 1, {"label": "b"})
    with posts.page.turn():
        posts.status.awaited_frame = 0
    assert posts.kinds[2:] == [["set"]]


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that the test sets, in seconds."""
    at = [10.0]
    monkeypatch.setattr(port_page.time, "monotonic", lambda: at[0])
    return at


def test_after_a_long_wait_changes_are_sent_with_the_next_frame(now: list[float]) -> None:
    posts = Posts()
    posts.status.overtake = lambda: posts.page.at_end(partial(posts.frame, 2))
    posts.frame(1)
    posts.page.note("set", 1, {"label": "a"})
    now[0] += port_page.HOLD_SECONDS
    posts.page.note("set", 1, {"label": "b"})
    assert posts.kinds == [["message"], ["set", "message"]]
    posts.page.note("set", 1, {"label": "c"})
    assert posts.kinds[2:] == []


def test_a_browser_that_paints_slowly_gets_words_only_with_their_numbers(now: list[float]) -> None:
    browser, posts = Browser(), []
    browser.port._post = lambda text, buffers: posts.append(port_page.wire.read(text, buffers))
    state = browser.page.state
    for k in range(4):
        browser.port.do(partial(state.change, state.scenario.with_value(*CELL, k + 3.0)))
        now[0] += 0.6 * port_page.HOLD_SECONDS
    assert len(posts) > 1
    for entries in posts:
        kinds = [content.get("type") for kind, _, content in entries if kind == "message"]
        assert "frame" in kinds
    browser.close()


def test_a_component_is_described_in_full_until_the_description_is_sent() -> None:
    posts = Posts()
    posts.frame(1)
    new = Echo(label="new")
    first, again = posts.page.described(new), posts.page.described(new)
    assert first == again
    assert first["class"] == "Echo"
    posts.frame(2)
    assert posts.page.described(new) == {"number": first["number"]}


def test_the_changes_of_a_turn_and_the_calls_at_its_end_are_one_post() -> None:
    posts = Posts()
    late = lambda: posts.page.note("message", 1, {"late": True})  # noqa: E731
    with posts.page.turn():
        for _ in range(2):
            posts.page.at_end(late)
        posts.page.note("set", 1, {"label": "a"})
    assert posts.kinds == [["set", "message"]]


def test_an_error_at_the_end_of_a_turn_does_not_stop_the_other_changes(
    caplog: pytest.LogCaptureFixture,
) -> None:
    posts = Posts()
    with posts.page.turn():
        posts.page.at_end(lambda: 1 / 0)
        posts.page.note("set", 1, {"label": "a"})
    assert posts.kinds == [["set"]]
    assert "A part of a change failed" in caplog.text
