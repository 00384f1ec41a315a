"""Sessions of the server are of those who open them: no id from an address, no other site."""

import asyncio
from types import SimpleNamespace

import pytest
from bokeh.server.views.ws import WSHandler
from bokeh.util.token import generate_jwt_token
from tinkerformer.runtime import limits
from tinkerformer.runtime.own_sessions import MOST_SOCKETS, keep_sessions_apart

from tests.app.served import answer, serving, token


@pytest.fixture(scope="module")
def port():
    with serving() as found:
        yield found


@pytest.mark.parametrize("place", ["/main", "/", "/main/autoload.js", "/embedded"])
@pytest.mark.parametrize("name", ["bokeh-session-id", "bokeh-token"])
def test_a_session_that_a_link_names_is_refused(port, place, name):
    named = "x" * 44 if name == "bokeh-session-id" else token(port)
    address = f"{place}?{name}={named}&bokeh-autoload-element=a"
    assert answer(port, address)[0] == 403


def test_one_that_a_header_names_is_refused(port):
    assert answer(port, "/main", {"Bokeh-Session-Id": "x" * 44})[0] == 403


def opening(port, token, origin, host=None):
    """The status that a websocket from a page of this origin is answered with."""
    return answer(
        port,
        "/main/ws",
        {
            "Host": host or f"127.0.0.1:{port}",
            "Origin": origin,
            "Connection": "Upgrade",
            "Upgrade": "websocket",
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
            "Sec-WebSocket-Protocol": f"bokeh, {token}",
        },
    )[0]


def test_only_pages_of_its_own_host_talk_to_it(port):
    mine = token(port)
    assert opening(port, mine, "https://elsewhere.example.org") == 403
    assert opening(port, mine, f"http://127.0.0.1:{port}") == 101
    # By whatever name it is reached.
    assert opening(port, mine, "https://school.example.org", "school.example.org") == 101
    assert opening(port, mine, "https://other.example.org", "school.example.org") == 403


@pytest.mark.parametrize(
    ("session", "others", "sockets", "is_let_in"),
    [
        *[("a", "a", 0, True), ("b", "a", 0, False), ("b", "", 0, True)],
        *[("a", "a", MOST_SOCKETS - 1, True), ("a", "a", MOST_SOCKETS, False)],
    ],
)
def test_a_socket_opens_no_session_for_which_there_is_no_room(
    session, others, sockets, is_let_in, monkeypatch
):
    """A page that was opened, and forgotten because it never connected, may connect late."""
    done = []

    async def opened(_self, _token):
        done.append("opened")

    monkeypatch.setattr(WSHandler, "_async_open", opened)
    monkeypatch.setenv(limits.SESSIONS.variable, "1")
    keep_sessions_apart()
    there = SimpleNamespace(
        sessions=[SimpleNamespace(id=each, connection_count=sockets) for each in others]
    )
    socket = SimpleNamespace(application_context=there, close=lambda: done.append("closed"))
    asyncio.run(WSHandler._async_open(socket, generate_jwt_token(session)))
    assert done == ["opened" if is_let_in else "closed"]
