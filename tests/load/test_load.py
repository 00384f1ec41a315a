"""The commands in short: nobody's numbers are wrong, nothing is complained of, swinging is free."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from pathlib import Path

import pytest

from tests.benchmarks.table import NEVER

from .deeds import KINDS, Deed, Expected, Reader, read_deeds
from .edits import edits
from .server import served
from .slow import TOLD_FROM, slow
from .soak import soak
from .swings import swings

SESSIONS, SECONDS, LARGE_DEEDS = 6, 10, 4

pytestmark = pytest.mark.thorough


def test_random_use_ends_with_right_numbers(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        assert asyncio.run(soak(server, SESSIONS, SECONDS)) == []
        assert server.complaints() == []


def test_every_edit_is_answered_and_an_oscillation_needs_no_server(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        asked = asyncio.run(edits(server, SESSIONS, 8))
        assert len(asked.delays) >= SESSIONS * 2
        # In turns with the same sessions editing: how busy the machine is counts for both.
        assert asyncio.run(swings(server, SESSIONS, 8)) < asked.core / 4
        assert server.complaints() == []


def test_a_large_model_is_opened_and_trained_without_a_complaint(tmp_path: Path) -> None:
    """How long other visitors wait is measured by `python -m tests.load slow`."""
    with served(tmp_path, TOLD_FROM) as server:
        found = asyncio.run(slow(server, LARGE_DEEDS))
        assert [each.what for each in found if each.taken == NEVER] == []
        assert len(found) == LARGE_DEEDS
        assert server.complaints() == []
        assert "Refused" not in server.log.read_text(encoding="utf-8")


def test_the_command_runs_and_refuses_what_has_no_bounds(capsys: pytest.CaptureFixture) -> None:
    from .__main__ import _parser

    with pytest.raises(SystemExit):
        _parser().parse_args(["soak", "--seconds", "1e9"])
    assert "from 1 to" in capsys.readouterr().err


def test_what_is_expected_of_a_page_is_what_was_done_to_it_in_its_order() -> None:
    """A change is a step of undo, what changes nothing is none; it ends what can be redone."""
    first, second = ("source.W_e", 0, 0), ("target.W_e", 1, 1)
    done = [Deed("set", first, 1.0), Deed("set", second, 2.0), Deed("restore", first)]
    steps = [
        *((each, None) for each in done),
        (Deed("restore", first), {second: 2.0}),
        (Deed("undo"), {first: 1.0, second: 2.0}),
        (Deed("undo"), {first: 1.0}),
        (Deed("redo"), {first: 1.0, second: 2.0}),
        (Deed("set", first, 3.0), {first: 3.0, second: 2.0}),
        (Deed("redo"), {first: 3.0, second: 2.0}),
        (Deed("undo"), {first: 1.0, second: 2.0}),
        *[(Deed("undo"), None)] * 5,
        (Deed("redo"), {first: 1.0}),
    ]
    expected = Expected()
    for deed, values in steps:
        expected.do(deed)
        assert values is None or expected.values == values, deed


def test_a_reader_does_the_same_for_the_same_seed_and_no_cell_twice_in_a_row() -> None:
    deeds = [[reader.next() for _ in range(300)] for reader in (Reader(1), Reader(1), Reader(2))]
    assert deeds[0] == deeds[1] != deeds[2]
    assert {deed.kind for deed in deeds[0]} == {*KINDS}
    cells = [deed.cell for deed in deeds[0] if deed.cell is not None]
    assert all(one != other for one, other in pairwise(cells))
    written = [[kind, cell and list(cell), value] for kind, cell, value in deeds[0]]
    assert read_deeds(written) == deeds[0]
