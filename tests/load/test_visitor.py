"""A visitor keeps what a page shows: no frame of a structure that has gone, and none is missed."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import numpy as np
import pytest
from tinkerformer.components.board import wire

from .visitor import Visitor


class Heard(Visitor):
    """A visitor without a socket: what it says is kept."""

    def __init__(self) -> None:
        super().__init__("")
        self.sent: list[object] = []
        self._numbers = {"BoardComponent": 1}

    async def _say(self, *said: Any) -> None:
        self.sent.append(said)

    def shows(self, version: int, **sizes: tuple[int, int]) -> None:
        matrices = [{"path": path, "rows": r, "cols": c} for path, (r, c) in sizes.items()]
        manifest = {"version": version, "structure": f"s{version}", "matrices": matrices}
        self._take_entry("message", {"type": "manifest", "json": json.dumps(manifest)})

    def take(self, version: int, seq: int, holds: int, *values: np.ndarray) -> None:
        entries = [wire.packed_matrix(k, each) for k, each in enumerate(values)]
        asyncio.run(self._take_bytes(wire.pack(wire.FRAME, version, seq, entries, holds)))


@pytest.fixture
def visitor() -> Heard:
    return Heard()


def test_a_frame_of_a_structure_that_has_gone_is_painted_and_not_kept(visitor: Heard) -> None:
    visitor.shows(1, a=(2, 3))
    visitor.take(1, 1, 1, np.ones((2, 3)))
    visitor.shows(2, a=(2, 3))
    visitor.take(1, 2, 2, np.zeros((2, 3)))
    assert (visitor.values["a"] == 1).all()
    assert [content["seq"] for _, _, content in visitor.sent] == [1, 2]  # type: ignore[index,misc]


def test_it_goes_on_with_a_model_of_another_size(visitor: Heard) -> None:
    visitor.shows(1, a=(2, 3), b=(1, 2), c=(4, 4))
    visitor.take(1, 1, 1, np.ones((2, 3)), np.ones((1, 2)), np.ones((4, 4)))
    visitor.shows(2, a=(2, 3), b=(5, 5))
    assert visitor.values.keys() == {"a"}
    # Late, with more matrices than there are, and of other sizes.
    visitor.take(1, 2, 2, np.zeros((2, 3)), np.zeros((1, 2)), np.zeros((4, 4)))
    assert visitor.values.keys() == {"a"}
    visitor.take(2, 3, 3, np.full((2, 3), 7.0), np.full((5, 5), 8.0))
    assert {path: float(found[0, 0]) for path, found in visitor.values.items()} == {"a": 7, "b": 8}


def test_a_number_is_answered_when_its_version_is_painted(visitor: Heard) -> None:
    visitor.shows(1, a=(2, 3))

    async def sets() -> None:
        done = asyncio.ensure_future(visitor.set("a", 0, 0, 1.0))
        await asyncio.sleep(0)
        *_, (_, _, content, stamp) = visitor.sent  # type: ignore[misc]
        assert (content["of"], stamp["n"]) == ("s1", 1)  # type: ignore[index,has-type]
        visitor._take_entry("answers", {"done": [[1, ""]], "version": 5, "kept": 5})
        await asyncio.sleep(0)
        await visitor._take_bytes(wire.pack(wire.FRAME, 1, 1, [], 4))
        await asyncio.sleep(0)
        assert not done.done()
        await visitor._take_bytes(wire.pack(wire.FRAME, 1, 2, [], 5))
        await asyncio.wait_for(done, 1)

    asyncio.run(sets())


def test_what_is_refused_is_known(visitor: Heard) -> None:
    async def asks() -> None:
        asked = await visitor.tell("undo")
        visitor._take_entry("answers", {"done": [[1, "Not so."]], "version": 5, "kept": 5})
        assert await asked == -1
        await visitor.answered()

    asyncio.run(asks())
    assert visitor.refused == ["Not so."]
