import pytest

from tests.app.served import answer, serving, token


@pytest.fixture(scope="module")
def port():
    with serving("--allow-websocket-origin", "school.example.org") as found:
        yield found


@pytest.mark.parametrize("place", ["/main", "/", "/main/autoload.js", "/embedded"])
@pytest.mark.parametrize("name", ["bokeh-session-id", "bokeh-token"])
def test_a_session_that_a_link_names_is_refused(port, place, name):
    named = "x" * 44 if name == "bokeh-session-id" else token(port)
    address = f"{place}?{name}={named}&bokeh-autoload-element=a"
    assert answer(port, address)[0] == 403


def test_a_session_that_a_header_names_is_refused(port):
    assert answer(port, "/main", {"Bokeh-Session-Id": "x" * 44})[0] == 403


def opening(port, token, origin, host=None):
    """Return the status of the answer to a websocket from this origin."""
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


def test_a_socket_is_opened_only_for_pages_of_the_server_s_own_host(port):
    mine = token(port)
    assert opening(port, mine, "https://elsewhere.example.org") == 403
    assert opening(port, mine, f"http://127.0.0.1:{port}") == 101
    # Every name of this machine counts, because its owner allows it.
    assert opening(port, mine, "https://school.example.org", "school.example.org") == 101
    for other in ("other.example.org", "myschool.example.org", "school.example.org.evil.org"):
        assert opening(port, mine, f"https://{other}", "school.example.org") == 403
