import asyncio
from pathlib import Path

import pytest

from .edits import edits
from .server import served
from .swings import swings

SESSIONS = 6

pytestmark = pytest.mark.thorough


def test_every_edit_is_answered_and_an_oscillation_needs_no_server(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        asked = asyncio.run(edits(server, SESSIONS, 8))
        assert len(asked.delays) >= SESSIONS * 2
        # In turn with edits by the same sessions, so that other load on the machine affects both.
        assert asyncio.run(swings(server, SESSIONS, 8)) < asked.core / 4
        assert server.complaints() == []


def test_the_command_runs_and_refuses_unlimited_numbers(capsys: pytest.CaptureFixture) -> None:
    from .__main__ import _parser

    with pytest.raises(SystemExit):
        _parser().parse_args(["edits", "--seconds", "1e9"])
    assert "from 1 to" in capsys.readouterr().err
