"""A fake browser that keeps the sent data, and answers as a browser would."""

import asyncio
import json
from collections.abc import Callable, Iterator, Sequence
from time import sleep
from typing import Any

from tinkerformer.shell import create_page
from tinkerformer.shell.page import Page
from tinkerformer.transport.port import PortPage, wire

from tests.app.whole_app import frames
from tests.app.whole_app.frames import Frame, Plane

FRAME, ORBIT = 1, 2
OF_CELL = (
    "set",
    "restore",
    "select",
    "silence",
    "pair",
    "look_only",
    "pull",
)  # kinds of messages to the board about a cell; see `structure`
BUSY_TURNS = 400  # turns of the event loop after which a turn sleeps, to let other threads work
TURNS = 40  # turns of the event loop for a training run or a pull after each message
MOST_TURNS = 20_000  # turns after which a page that still works is considered to hang
Properties = dict[str, Any]


class Thing:
    """A component or control of the page, as the browser knows it."""

    def __init__(self, described: dict[str, Any]) -> None:
        self.number: int = described["number"]
        self.kind: str = described["kind"]
        self.name: str = described.get("class", described["kind"])
        self.properties: Properties = described["properties"]
        self.layout: Properties = described["layout"]
        self.changes = 0  # the names of properties that the page changed
        self.said: list[dict[str, Any]] = []  # the received messages, unless it is the board

    def __getitem__(self, name: str) -> Any:
        return self.properties[name]


class BoardMirror:
    """The manifest and the numbers that the board has received."""

    def __init__(self) -> None:
        self.manifest: dict[str, Any] = {}
        self.matrices: dict[int, Plane] = {}
        self.pinned: dict[int, Plane] = {}
        self.orbit: dict[int, Plane] = {}
        self.swing: dict[str, Any] | None = None
        self.stale: set[int] = set()
        self.view: dict[str, Any] = {}
        self.selection: dict[str, Any] = {}
        self.session = ""
        self.kept = -1  # the version of the session that the tab stores
        self.link: str | None = None
        self.unseen = False  # whether no part of a new structure has been painted
        self.painted = 0  # the last painted frame
        self.holds = -1  # the version of the last frame
        self.to_paint = 0  # the next frame to paint, or 0

    def hear(self, message: dict[str, Any]) -> None:
        getattr(self, f"_on_{message['type']}")(message)

    def _on_manifest(self, message: dict[str, Any]) -> None:
        self.manifest = json.loads(message["json"])
        for kept in (self.matrices, self.pinned, self.orbit, self.stale):
            kept.clear()
        self.swing, self.unseen = None, True

    def _on_frame(self, message: dict[str, Any]) -> None:
        self._take(message, FRAME, self.matrices)
        self.stale = set(message["stale"])

    def _on_orbit(self, message: dict[str, Any]) -> None:
        self.swing = message
        self._take(message, ORBIT, self.orbit)

    def _on_baseline(self, message: dict[str, Any]) -> None:
        if message["bytes"] is None:
            self.pinned.clear()
        else:
            self.pinned |= frames.read(message["bytes"]).matrices  # sizes may differ

    def _take(self, message: dict[str, Any], kind: int, into: dict[int, Plane]) -> None:
        frame = frames.read(message["bytes"])
        self._check(frame, kind)
        into |= frame.matrices
        self.to_paint, self.holds = frame.seq, frame.holds

    def _check(self, frame: Frame, kind: int) -> None:
        """Check that every matrix belongs to this structure, and has the size declared there."""
        assert (frame.kind, frame.version) == (kind, self.manifest["version"])
        for index, plane in frame.matrices.items():
            entry = self.manifest["matrices"][index]
            assert plane.values.shape[1:] == (entry["rows"], entry["cols"]), entry["path"]

    def _on_stale(self, message: dict[str, Any]) -> None:
        self.stale = set(message["stale"])

    def _on_move(self, message: dict[str, Any]) -> None:
        for index, entry in enumerate(self.manifest["matrices"]):
            if entry["path"] == message["before"]:
                entry.update(json.loads(message["json"]))
                if entry["path"] != message["before"]:
                    for kept in (self.matrices, self.pinned, self.orbit):
                        kept.pop(index, None)

    def _on_orbit_end(self, _: object) -> None:
        self.swing = None
        self.orbit.clear()

    def _on_selection(self, message: dict[str, Any]) -> None:
        self.selection = message

    def _on_view(self, message: dict[str, Any]) -> None:
        self.view = message

    def _on_scenario(self, message: dict[str, Any]) -> None:
        self.session, self.kept = message["scenario"], message["version"]

    def _on_link(self, message: dict[str, Any]) -> None:
        self.link = message["code"]

    def _on_preview(self, _: object) -> None:
        pass

    _on_look = _on_follow = _on_lens = _on_step = _on_preview


class Browser:
    """An opened page; messages are sent to it as text, as over the network."""

    def __init__(
        self,
        saved: str | None = None,
        link: str | None = None,
        note: Callable[[str], object] = lambda _: None,
    ) -> None:
        self.note = note  # called with each sent message
        self.loop = asyncio.new_event_loop()
        self.things: dict[int, Thing] = {}
        self.board = BoardMirror()
        self.notices: list[str] = []
        self.number = 0  # the number of the last sent message
        self.time = 0.0  # the time of that message, in ms
        self.posts = 0  # the number of received messages
        self.model = ""
        self.limits: dict[str, int] = {}
        self.answers: dict[int, str] = {}  # number of message -> why it was refused, or ""
        self.version = 0  # the version of the page's state in the last answer
        self.faults: list[str] = []
        self.loop.set_exception_handler(lambda _, context: self.faults.append(str(context)))
        self.port = PortPage(self._hear)
        self.page: Page
        self._open()
        self.say("BoardComponent", {"type": "ready", "saved": saved, "link": link, "again": True})

    def _open(self) -> None:
        async def turn() -> None:
            self.page = create_page(self.port.session)
            self.port.place(self.page.regions, self.page.status)

        self.loop.run_until_complete(turn())

    # -- messages from the page --------------------------------------------------------------------

    def _hear(self, text: str, buffers: list[bytes]) -> None:
        self.posts += 1
        for kind, number, content in wire.read(text, buffers):
            if kind == "place":
                for things in content.values():
                    self._place(things)
            elif kind == "set":
                self.things[number].changes += 1
                self._set(self.things[number], content)
            elif kind == "layout":
                self.things[number].layout |= content
            elif kind == "limits":
                self.limits = content
            elif kind == "model":
                self.model = content["name"]
            elif kind == "answers":
                self.version = content["version"]
                self.answers |= dict(content["done"])
            elif kind == "message" and self.things[number].name == "BoardComponent":
                self.board.hear(content)
            elif kind == "message":
                self.things[number].said.append(content)

    def _place(self, things: list[dict[str, Any]]) -> list[int]:
        for described in things:
            if "properties" in described:
                thing = self.things[described["number"]] = Thing(described)
                self._set(thing, thing.properties)
        return [described["number"] for described in things]

    def _set(self, thing: Thing, properties: Properties) -> None:
        if thing.kind == "column" and "objects" in properties:
            properties = {**properties, "objects": self._place(properties["objects"])}
        if thing.name == "Notice" and properties.get("said", {}).get("text"):
            self.notices.append(properties["said"]["text"])
        thing.properties |= properties

    # -- components --------------------------------------------------------------------------------

    def named(self, *names: str) -> list[Thing]:
        """Return the visible components of these classes."""
        return [thing for thing in self.shown() if thing.name in names]

    def shown(self) -> Iterator[Thing]:
        held = {n for t in self.things.values() if t.kind == "column" for n in t["objects"]}
        todo = [thing for number, thing in self.things.items() if number not in held]
        while todo:
            thing = todo.pop(0)
            if thing.layout["visible"]:
                yield thing
                if thing.kind == "column":
                    todo += [self.things[number] for number in thing["objects"]]

    def thing(self, name: str, label: str | None = None) -> Thing:
        named = (thing for thing in self.things.values() if thing.name == name)
        return next(thing for thing in named if label is None or thing["label"] == label)

    # -- messages to the page ----------------------------------------------------------------------

    def say(self, to: str | Thing, message: dict[str, Any]) -> None:
        """Send a message to a component, and wait until the page has processed it."""
        self._send("message", self.thing(to) if isinstance(to, str) else to, message)

    def set(self, thing: Thing, **properties: Any) -> None:
        """Set properties of a control, as a browser does."""
        thing.properties |= properties
        self._send("set", thing, properties)

    def _send(self, kind: str, thing: Thing, content: dict[str, Any]) -> None:
        self.note(f"    {thing.name} says {content!s:.300}")
        text, buffers = self.written(kind, thing, content)

        async def turn() -> None:
            self.port.receive(text, buffers)
            await self._rest()

        self.loop.run_until_complete(turn())
        assert self.number in self.answers, "somebody waits for an answer"

    def written(
        self, kind: str, thing: Thing, content: dict[str, Any]
    ) -> tuple[str, Sequence[bytes]]:
        """Write a message as a browser sends it."""
        self.number += 1
        self.time += 1000.0
        stamp = {"n": self.number, "at": self.time, "model": self.model}
        is_of_cell = thing.name == "BoardComponent" and content.get("type") in OF_CELL
        if is_of_cell and content.get("path", "") is not None:
            content = {**content, "of": self.board.manifest["structure"]}
        return wire.write([kind, thing.number, content, {**stamp, "seen": thing.changes}])

    def set_cell(self, path: str, i: int, j: int, value: float, press: int = 0) -> None:
        """Set a number, as by the slider or the keyboard."""
        place = {"path": path, "i": i, "j": j, "value": value}
        more = {"ack": self.board.painted, "press": press}
        self.say("BoardComponent", {"type": "set", **place, **more})

    def until(self, condition: Callable[[], bool]) -> None:
        """Let training runs and pulls continue until a condition holds."""

        async def turn() -> None:
            for _ in range(MOST_TURNS):
                if condition():
                    break
                await self._rest()
                await _turn(BUSY_TURNS)
            assert condition(), "the condition never became true"

        self.loop.run_until_complete(turn())

    @property
    def trains(self) -> bool:
        return self.page.state.training.controller.is_active

    @property
    def pulls(self) -> bool:
        line = self.thing("Pull")
        return line.layout["visible"] and line["shown"].get("tone") == "busy"

    @property
    def works(self) -> bool:
        """Return whether a training run or a pull is changing numbers."""
        return self.trains or self.pulls

    async def _rest(self) -> None:
        """Paint until nothing is left to do; for a training run or a pull, only a few steps."""
        for turn in range(MOST_TURNS):
            await _turn(turn)
            while self._paint():
                pass
            is_free = not asyncio.all_tasks() - {asyncio.current_task()}
            if is_free or (self.works and turn >= TURNS):
                return
        raise AssertionError("the page never becomes idle")

    def _paint(self) -> bool:
        """If due, report visible matrices or a painted frame; return whether one was reported."""
        board, at = self.board, self.thing("BoardComponent")
        if board.unseen:
            board.unseen = False
            seen = list(range(len(board.manifest["matrices"])))
            said = {"type": "visible", "indices": seen, "version": board.manifest["version"]}
        elif board.to_paint:
            said = {"type": "ack", "seq": board.to_paint}
            board.painted, board.to_paint = board.to_paint, 0
        else:
            return False
        self.port.receive(*wire.write(["message", at.number, said]))
        return True

    def close(self) -> None:
        async def stop() -> None:
            self.port.close()
            tasks = asyncio.all_tasks() - {asyncio.current_task()}
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

        self.loop.run_until_complete(stop())
        self.loop.close()


async def _turn(turn: int) -> None:
    """Take a turn of the event loop; after many turns also sleep, to let other threads work."""
    if turn >= BUSY_TURNS:
        sleep(0.0005)  # the system's clock, because the loop's clock may be stopped
    await asyncio.sleep(0)
