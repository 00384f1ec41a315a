"""The board sends changed numbers, one frame at a time, and always the latest ones."""

import json
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tinkerformer.board import wire
from tinkerformer.board.board import Board
from tinkerformer.board.frames import Planes
from tinkerformer.board.messages import FROM_BOARD, ReadyMessage, SetMessage


class Browser:
    """A fake browser that keeps the messages, and acknowledges frames when a test calls it."""

    def __init__(self) -> None:
        self.messages: list[dict[str, Any]] = []
        self.heard: list[Any] = []
        self.session: Callable[[], str] | None = None
        self.version = 0
        self.values = {path: np.zeros((2, 3), np.float32) for path in ("a", "b", "c")}
        self.clock: Callable[[], float] = time.monotonic
        self.is_held = True
        self.told: list[str] = []
        self.broken: set[str] = set()
        self.sends_only_visible = False
        self.board = Board(
            check=lambda *of: self.check(*of),
            clock=lambda: self.clock(),
            is_held=lambda: self.is_held,
            sends_only_visible=lambda: self.sends_only_visible,
            say=self.told.append,
        )
        for declared in FROM_BOARD.values():
            self.board.handle(declared, self.heard.append)
        self.board.handle(ReadyMessage, lambda message: self.on_ready(message))
        self.board.handle(SetMessage, self.on_set)
        self.board.component.connect(self.messages.append)

    # -- the board's owner
    def check(self, *cell: object) -> None:
        """Accept every cell."""

    def on_ready(self, _: ReadyMessage) -> None:
        """Open nothing."""

    def on_set(self, message: SetMessage) -> None:
        self.heard.append(message)
        if self.session is not None:
            self.board.session(self.session)
        if message["path"] in self.values:
            self.change(message["path"], message["value"])
            self.version += 1
            self.refresh()

    # -- the model
    def change(self, path: str, value: float) -> None:
        self.values[path] = np.full((2, 3), value, np.float32)

    def refresh(self) -> None:
        self.board.frames.refresh(self.read, self.version)

    def read(self, path: str) -> Planes:
        if path in self.broken:
            raise ZeroDivisionError
        return self.values[path], None

    # -- the browser
    def say(self, kind: str, **data: Any) -> None:
        self.board.component.receive({"type": kind, **data})

    def open(self, *paths: str, pinned: tuple[int, ...] = ()) -> None:
        names = paths or ("a", "b", "c")
        matrices = [{"path": p, "rows": 2, "cols": 3} for p in names]
        manifest = {"version": 7, "matrices": matrices, "stages": [], "pinned": list(pinned)}
        self.board.show(manifest)
        self.refresh()
        self.say("ready")
        self.paint()
        self.messages.clear()

    def paint(self) -> None:
        """Acknowledge the last frame."""
        self.say("ack", seq=self.frames()[-1][3])

    def see(self, *indices: int) -> None:
        self.say("visible", indices=list(indices), version=7)

    def frames(self, kind: str = "frame") -> list[list[int]]:
        """Return the header of each frame, followed by the indices of its matrices."""
        found = []
        for message in self.messages:
            if message["type"] == kind:
                header = np.frombuffer(message["bytes"], "<i4", 8).tolist()
                table = np.frombuffer(message["bytes"], "<i4", 5 * header[4], 32)
                found.append([*header, *table[::5].tolist()])
        return found

    def shown(self) -> list[list[int]]:
        return [frame[8:] for frame in self.frames()]


@pytest.fixture
def browser() -> Browser:
    return Browser()


def test_nothing_is_sent_before_the_browser_is_ready(browser: Browser) -> None:
    browser.board.show({"version": 1, "matrices": [{"path": "a", "rows": 2, "cols": 3}]})
    browser.refresh()
    assert browser.messages == []
    browser.say("ready")
    kinds = [message["type"] for message in browser.messages]
    assert kinds == ["view", "manifest", "look", "follow", "frame", "selection"]


def test_the_board_starts_even_if_its_owner_raises_an_error(
    browser: Browser, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(_: ReadyMessage) -> None:
        raise TypeError("planted")

    monkeypatch.setattr(browser, "on_ready", fails)
    browser.open()
    assert "planted" in caplog.text
    browser.see(0)
    browser.change("a", 1)
    browser.refresh()
    assert browser.shown() == [[0]]


def test_the_session_is_written_when_it_is_sent_and_not_while_a_number_is_held(
    browser: Browser,
) -> None:
    made: list[int] = []

    def text() -> str:
        made.append(len(made))
        return f"session {made[-1]}"

    def sent() -> list[str]:
        return [m["scenario"] for m in browser.messages if m["type"] == "scenario"]

    browser.board.session(text)
    assert made == []  # no browser is connected
    browser.open()
    made.clear()
    browser.is_held = False
    browser.board.session(text)
    assert sent() == ["session 0"]
    browser.session = text  # the view writes the session at each change from now on
    browser.is_held = True
    for k in range(1, 6):
        browser.say("set", path="a", i=0, j=0, value=k, ack=browser.board.frames.in_flight)
    assert len(made) == 1
    browser.paint()  # the pointer is idle
    assert sent() == ["session 0", "session 1"]
    browser.paint()
    assert len(made) == 2
    browser.board.session(text)
    assert len(made) == 2
    browser.board.send_due_session()  # as at the end of an edit
    browser.board.send_due_session()
    assert len(made) == 3


def test_hidden_matrices_and_the_session_are_not_sent_during_a_drag(browser: Browser) -> None:
    browser.open(pinned=(2,))
    browser.sends_only_visible = True
    for k in range(1, 4):
        for path in ("a", "c"):
            browser.change(path, k)
        browser.version += 1
        browser.board.session(lambda: "dragged")
        browser.refresh()
        browser.paint()
    assert browser.shown() == [[2], [2], [2]]
    assert [m for m in browser.messages if m["type"] == "scenario"] == []
    browser.sends_only_visible = browser.is_held = False
    browser.board.session(lambda: "let go of")
    browser.refresh()
    assert [m["scenario"] for m in browser.messages if m["type"] == "scenario"] == ["let go of"]
    assert browser.shown()[-1] == [0]


def test_a_rehearsal_reads_what_the_first_frame_needs_and_sends_nothing(browser: Browser) -> None:
    browser.board.frames.rehearse()  # there is nothing to show yet
    browser.open()
    read: list[str] = []
    browser.board.frames.compare(lambda path: read.append(f"pinned {path}"))
    browser.messages.clear()
    read.clear()
    browser.board.frames.refresh(lambda path: read.append(path))
    read.clear()
    browser.board.frames.rehearse()
    assert sorted(read) == ["a", "b", "c", "pinned a", "pinned b", "pinned c"]
    assert browser.messages == []


def test_the_same_values_are_not_sent_twice_even_if_infinite_or_nan(browser: Browser) -> None:
    browser.open()
    browser.see(0)
    for value in (-np.inf, np.nan):
        browser.change("a", value)
        browser.refresh()
        browser.paint()
        browser.refresh()
    assert browser.shown() == [[0], [0]]


def test_without_a_pointer_one_frame_holds_all_changed_matrices(browser: Browser) -> None:
    browser.open()
    browser.see(0, 1)
    browser.is_held = False
    browser.change("a", 1)
    browser.change("c", 1)
    browser.refresh()
    assert browser.shown() == [[0, 2]]
    assert browser.messages[-1]["stale"] == []
    browser.paint()
    assert len(browser.messages) == 1


def test_a_matrix_that_is_known_to_be_unchanged_is_not_read_again(browser: Browser) -> None:
    browser.open()
    browser.see(0, 1)
    read: list[str] = []

    def values(path: str) -> tuple[np.ndarray, None]:
        read.append(path)
        return browser.values[path], None

    def refresh(*unchanged: str) -> None:
        read.clear()
        browser.board.frames.refresh(values, browser.version, lambda path: path in unchanged)

    browser.change("b", 1)
    refresh("a", "c")
    assert (read, browser.shown()) == (["b"], [[1]])
    browser.change("a", 1)
    refresh("b")  # this frame waits for the previous one
    refresh("a", "b", "c")
    browser.paint()
    assert (read, browser.shown()[1:]) == (["a", "c"], [[0]])


def test_a_path_that_is_shown_twice_is_sent_once(browser: Browser) -> None:
    browser.open("a", "b", "a", pinned=(2,))
    browser.change("a", 5)
    browser.refresh()
    assert browser.shown() == [[0]]
    assert browser.board.frames.visible_paths() == ["a"]


def test_one_frame_is_sent_and_then_the_latest_follows_when_it_is_painted(browser: Browser) -> None:
    browser.open()
    browser.see(0)
    for value in range(1, 10):
        browser.change("a", value)
        browser.refresh()
    assert len(browser.frames()) == 1
    browser.paint()
    assert len(browser.frames()) == 2
    last = browser.messages[-1]["bytes"]
    assert np.frombuffer(last, "<f4", 6, 52).tolist() == [9.0] * 6
    browser.paint()
    assert len(browser.frames()) == 2


def test_a_version_is_reported_even_if_nothing_visible_changed(browser: Browser) -> None:
    browser.open()
    browser.say("set", path="c", i=0, j=1, value=0.5)
    assert browser.shown() == [[]]
    assert browser.frames()[0][6] == 1
    browser.paint()  # then the hidden matrices are sent
    browser.paint()
    browser.messages.clear()
    browser.board.frames.reach(1)
    assert browser.messages == []
    browser.board.frames.reach(2)
    assert [frame[6] for frame in browser.frames()] == [2]
    assert browser.shown() == [[]]


def test_a_version_is_reported_after_the_previous_frame_is_painted(browser: Browser) -> None:
    browser.open()
    browser.see(0)
    for value in (1, 2, 3):
        browser.say("set", path="a", i=0, j=1, value=value)
    assert [frame[6] for frame in browser.frames()] == [1]
    browser.paint()
    assert [frame[6] for frame in browser.frames()] == [1, 3]


def test_a_set_message_acknowledges_the_last_frame_even_if_the_set_fails(browser: Browser) -> None:
    browser.open()
    browser.see(0)
    browser.say("set", path="a", i=0, j=1, value=1)
    browser.say("set", path="a", i=0, j=1, value=2, ack=browser.frames()[-1][3])
    assert [frame[6] for frame in browser.frames()] == [1, 2]
    last = browser.frames()[-1][3]
    browser.change = None  # type: ignore[method-assign,assignment]
    with pytest.raises(TypeError):
        browser.say("set", path="a", i=0, j=1, value=1, ack=last)
    browser.board.frames.reach(5)
    assert browser.frames()[-1][6] == 5


@pytest.mark.parametrize("misses", [True, False], ids=["missed something", "draws again"])
def test_a_browser_that_lost_frames_is_sent_all_matrices(browser: Browser, misses: bool) -> None:
    browser.open()
    browser.see(0)
    browser.change("a", 4)
    browser.refresh()
    browser.messages.clear()  # lost in transit, and never acknowledged
    if misses:
        browser.board.component.renew()
    else:
        browser.say("ready")
    kinds = [message["type"] for message in browser.messages]
    assert kinds == ["view", "manifest", "look", "follow", "frame", "selection"]
    assert browser.shown() == [[0, 1, 2]]


def test_a_cell_of_an_earlier_structure_is_refused(browser: Browser) -> None:
    browser.open()

    def check(of: str, *cell: object) -> None:
        browser.heard.append((of, *cell))
        if of == "old":
            raise ValueError("Another one.")

    browser.check = check  # type: ignore[method-assign]
    place = {"path": "a", "i": 1, "j": 2}
    component = browser.board.component
    browser.messages.clear()
    for said, cell in (
        ({"type": "set", **place, "value": 1.0}, ("a", 1, 2)),
        ({"type": "restore", **place}, ("a", 1, 2)),
        ({"type": "select", **place}, ("a", 1, 2)),
        ({"type": "silence", "path": "a", "row": 1, "column": None, "to": "zero"}, ("a", 1, None)),
        (
            {"type": "pair", "scope": "s", "head": 1, "query": 2, "key": 3},
            ("s.head.1.weights", 2, 3),
        ),
    ):
        browser.heard.clear()
        assert component.receive({**said, "of": "old"}) == "Another one."
        assert browser.heard == [("old", *cell)]
        # The browser may already have selected another cell.
        assert browser.messages.pop()["type"] == "selection"
        assert component.receive({**said, "of": "new"}) == ""
        assert browser.heard[-1] == {**said, "of": "new"}


def test_an_orbit_is_sent_for_matrices_once_they_are_visible(browser: Browser) -> None:
    browser.open()
    browser.see(0, 1)
    frames = np.zeros((5, 2, 3), np.float32)
    browser.board.frames.play(
        path="a",
        i=0,
        j=0,
        values=[0.0] * 5,
        period=2,
        read_frames=lambda path: None if path == "b" else frames,
    )
    assert [frame[8:] for frame in browser.frames("orbit")] == [[0]]
    orbit = next(m for m in browser.messages if m["type"] == "orbit")
    assert np.frombuffer(orbit["bytes"], "<i4", 8)[1] == wire.ORBIT
    browser.say("ack", seq=browser.frames("orbit")[-1][3])
    browser.see(0, 2)
    assert [frame[8:] for frame in browser.frames("orbit")] == [[0], [2]]


def test_after_an_orbit_the_kept_values_are_sent(browser: Browser) -> None:
    browser.open()
    browser.see(0, 1)
    frames = np.zeros((5, 2, 3), np.float32)
    browser.board.frames.play(
        path="a", i=0, j=0, values=[0.0] * 5, period=2, read_frames=lambda path: frames
    )
    browser.say("ack", seq=browser.frames("orbit")[-1][3])
    browser.change("a", 3)
    browser.refresh()
    assert browser.frames() == []  # the browser computes the oscillation
    browser.board.frames.stop()
    browser.refresh()
    assert browser.messages[-2]["type"] == "orbit_end"
    assert browser.shown() == [[0, 1]]
    assert not browser.board.frames.playing


def test_visible_matrices_stay_visible_in_a_new_structure(browser: Browser) -> None:
    browser.open()
    browser.see(1)
    matrices = [{"path": p, "rows": 2, "cols": 3} for p in ("x", "b")]
    browser.board.show({"version": 8, "matrices": matrices, "stages": []})
    assert browser.board.frames.visible_paths() == ["b"]
    browser.see(0)  # these are indices of the previous structure
    assert browser.board.frames.visible_paths() == ["b"]


def test_an_unchanged_view_is_not_sent_again(browser: Browser) -> None:
    browser.open()
    view = {"palette": "safe", "scale": "fixed", "numbers": "decimal"}
    view |= {"plane": "value", "all_numbers": False}
    for _ in range(2):
        browser.board.view(**view)
    assert browser.messages == [{"type": "view", **view}]


def moves(browser: Browser) -> list[dict[str, Any]]:
    return [message for message in browser.messages if message["type"] == "move"]


def test_a_moved_part_is_sent_with_its_changed_properties(browser: Browser) -> None:
    browser.open("a", "b", "a")
    browser.values["a@5"] = np.ones((2, 3), np.float32)
    browser.board.move("a", {"path": "a@5", "note": "2 × 3"})
    browser.refresh()
    (move,) = moves(browser)
    assert (move["index"], move["before"]) == (0, "a")
    assert json.loads(move["json"]) == {"path": "a@5", "note": "2 × 3"}
    assert browser.shown() == [[0]]  # sent although it is hidden
    browser.paint()
    browser.refresh()
    assert browser.shown() == [[0]]


def test_a_part_that_moves_before_a_frame_is_painted_is_in_the_next_one(browser: Browser) -> None:
    browser.open()
    browser.see(0)
    browser.change("a", 1)
    browser.refresh()
    for place in ("a@5", "a@6"):
        browser.values[place] = np.ones((2, 3), np.float32)
    browser.board.move("a", {"path": "a@5"})
    browser.refresh()
    browser.board.move("a@5", {"path": "a@6"})
    browser.refresh()
    assert len(moves(browser)) == 2
    assert browser.shown() == [[0]]
    browser.paint()
    assert browser.shown() == [[0], [0]]


def test_a_part_that_moves_during_an_oscillation_gets_new_frames(browser: Browser) -> None:
    browser.open()
    browser.see(0, 1)
    asked = []

    def read(path: str) -> np.ndarray:
        asked.append(path)
        return np.zeros((5, 2, 3), np.float32)

    browser.board.frames.play(path="a", i=0, j=0, values=[0.0] * 5, period=2, read_frames=read)
    browser.say("ack", seq=browser.frames("orbit")[-1][3])
    browser.board.move("b", {"path": "b@1"})
    browser.refresh()
    assert asked == ["a", "b", "b@1"]
    assert [frame[8:] for frame in browser.frames("orbit")] == [[0, 1], [1]]


def test_hidden_matrices_are_sent_at_once_if_nothing_visible_changes(browser: Browser) -> None:
    """Otherwise no frame would be painted and acknowledged, so the board would not change."""
    browser.open()
    browser.see(0)
    browser.change("b", 1)
    browser.refresh()
    assert browser.shown() == [[1]]
    assert browser.messages[-1]["stale"] == []


def test_a_frame_holds_visible_changes_and_names_other_stale_matrices(browser: Browser) -> None:
    browser.open()
    browser.see(0)
    browser.change("a", 1)
    browser.change("b", 1)
    browser.refresh()
    assert browser.shown() == [[0]]
    assert browser.messages[-1]["stale"] == [1, 2]
    browser.paint()
    assert browser.shown() == [[0], [1]]
    assert browser.messages[-1]["stale"] == []
    browser.paint()
    browser.change("a", 2)
    browser.refresh()
    assert browser.messages[-1]["stale"] == [1, 2]
    browser.paint()  # the numbers did not change
    assert browser.messages[-1] == {"type": "stale", "stale": []}
    assert browser.shown()[2:] == [[0]]


@pytest.mark.parametrize("what", ["frame", "orbit", "baseline"])
def test_a_matrix_that_cannot_be_read_is_omitted_and_logged_once(
    browser: Browser, caplog: pytest.LogCaptureFixture, what: str
) -> None:
    browser.open()
    browser.see(0, 1)
    browser.broken.add("a")
    for value in (1, 2):
        browser.version += 1
        for path in ("a", "b"):
            browser.change(path, value)
        if what == "orbit":
            swing = {"path": "b", "i": 0, "j": 0, "values": [1, 2], "period": 1}
            browser.board.frames.play(
                **swing, read_frames=lambda p: np.stack([browser.read(p)[0]] * 2)
            )
        elif what == "baseline":
            browser.board.frames.compare(browser.read)
        else:
            browser.refresh()
            assert browser.frames()[-1][6] == browser.version
            browser.paint()
        assert 1 in browser.frames(what)[-1][8:]
        assert 0 not in browser.frames(what)[-1][8:]
    assert len(browser.told) == 1
    assert "The numbers of a could not be read" in browser.told[0]
    assert "ZeroDivisionError" in caplog.text
    browser.messages.clear()
    browser.broken.clear()
    browser.board.frames.stop()
    browser.refresh()
    if what == "frame":
        assert browser.shown() == [[0]]
