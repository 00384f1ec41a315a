import asyncio
import json
import re
from contextlib import AsyncExitStack

import pytest
from tinkerformer.transport.runtime import limits
from tinkerformer.transport.security import session_limit as places
from tornado.httpclient import HTTPClientError

from tests.app.served import Socket, answer, serving, token

SESSIONS, OPENING = 2, 3
MANY = 3 * (SESSIONS + OPENING)
LATEST = 600  # attempts to open a page; each takes some milliseconds


@pytest.fixture(scope="module")
def port():
    most = {limits.SESSIONS.variable: SESSIONS, limits.OPENING.variable: OPENING}
    with serving(**most) as found:
        yield found


async def free_again(port: int) -> None:
    """Return when a page can open; the server notices the end of a socket after a moment."""
    for _ in range(LATEST):
        if (await asyncio.to_thread(answer, port, "/main"))[0] == 200:
            return
        await asyncio.sleep(0.02)
    raise AssertionError("a place stays taken")


async def test_requests_without_a_socket_need_no_room_and_discarded_pages_are_created_again(port):
    # All are answered, even if many are sent at once.
    tokens = await asyncio.gather(*[asyncio.to_thread(token, port) for _ in range(MANY)])
    async with AsyncExitStack() as pages:
        first, last = [
            await pages.enter_async_context(Socket.opened(port, each))
            for each in (tokens[0], tokens[-1])
        ]
        found = []
        for page in (first, last):
            _, content = await page.answer_to(await page.say("PULL-DOC-REQ", {}))
            found.append([root["name"] for root in content["doc"]["roots"]])
        assert found[0] == found[1]
    await free_again(port)


@pytest.mark.parametrize("place", ["/main?view=formulas&embed", "/", "/embedded"])
async def test_without_room_a_visitor_waits_at_the_same_address(port, place):
    waiting = token(port)
    async with AsyncExitStack() as pages:
        for _ in range(SESSIONS):
            await pages.enter_async_context(Socket.opened(port))
        status, page, said = answer(port, place)
        assert (status, said["Retry-After"]) == (503, str(places.AGAIN))
        assert places.FULL in page
        assert "location.reload()" in page
        (word,) = re.findall("script-src 'nonce-(.+?)'", said["Content-Security-Policy"])
        assert page.count(f'nonce="{word}"') == page.count("<script") + page.count("<style") == 2
        # A page that lost its socket asks here whether the server works; this opens no session.
        assert [answer(port, "/main/metadata")[0] for _ in range(MANY)] == [200] * MANY
        with pytest.raises(HTTPClientError, match="503"):
            async with Socket.opened(port, waiting):
                raise AssertionError("more pages are open than there are places")
    await free_again(port)


async def test_a_frame_on_another_site_also_waits_for_room(port):
    query = "bokeh-autoload-element=a%22b&bokeh-absolute-url=http://localhost:1/main"
    async with AsyncExitStack() as pages:
        for _ in range(SESSIONS):
            await pages.enter_async_context(Socket.opened(port))
        status, script, said = answer(port, f"/main/autoload.js?{query}")
        assert status == 503
        assert said["Content-Type"] == "application/javascript"
        (values,) = re.findall(r"\n wait\((.+)\); }\)\(\);$", script)
        name, sentence, source, _ = json.loads(f"[{values}]")
        assert (name, sentence) == ('a"b', places.FULL)
        assert source == f"http://localhost:1/main/autoload.js?{query}"
    await free_again(port)


async def test_the_sockets_of_one_page_are_limited(port):
    mine = token(port)
    async with AsyncExitStack() as pages:
        for _ in range(places.MOST_SOCKETS):
            await pages.enter_async_context(Socket.opened(port, mine))
        assert answer(port, "/main")[0] == 200  # they count as one page
        with pytest.raises(HTTPClientError, match="503"):
            async with Socket.opened(port, mine):
                raise AssertionError("a page has more sockets than it may")
    await free_again(port)
