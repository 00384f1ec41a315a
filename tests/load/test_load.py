"""The commands in short: nobody's numbers are wrong, nothing is complained of, swinging is free."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.benchmarks.table import NEVER

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
