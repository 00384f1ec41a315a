import asyncio
from types import SimpleNamespace

import pytest
from tinkerformer.transport.security.incoming import _opened


@pytest.mark.parametrize(("session", "is_handled"), [(None, False), (object(), True)])
def test_a_message_after_a_failed_ping_closes_the_socket_without_a_traceback(session, is_handled):
    handled, closed = [], []

    async def found(_handler, fragment):
        handled.append(fragment)

    handler = SimpleNamespace(
        receiver=object(),
        connection=SimpleNamespace(_session=session),
        close=lambda: closed.append(True),
    )
    asyncio.run(_opened(found)(handler, "a message"))
    assert (handled == ["a message"], closed == [True]) == (is_handled, not is_handled)
