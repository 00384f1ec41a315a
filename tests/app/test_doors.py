import asyncio
import base64
import json
from ipaddress import ip_address
from types import SimpleNamespace

import pytest
from tinkerformer.transport.security import hosts
from tornado.httpclient import HTTPRequest
from tornado.websocket import WebSocketClosedError, websocket_connect

from tests.app.served import COMMAND, OF_PANEL, Socket, answer, serving, token

ALLOWED = "school.example.org:8443"
LONG = "x" * 59_000
UPGRADE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}


@pytest.fixture(scope="module", params=[COMMAND, OF_PANEL], ids=["tinkerformer", "panel serve"])
def server(request, tmp_path_factory):
    """A server, its first answers, and its log, in which all lines must be short."""
    log = tmp_path_factory.mktemp("log") / "server.log"
    options = ("--allow-websocket-origin", ALLOWED)
    with serving(*options, command=request.param, log=log) as port:
        first = answer(port, "/static/js/bokeh.min.js"), answer(port, f"/main?{NAMED}")
        yield SimpleNamespace(port=port, log=log, first=first)
    text = log.read_text()
    assert "Traceback" not in text
    assert "\nForged" not in text
    assert max(map(len, text.splitlines())) < 300


NAMED = f"bokeh-session-id={'x' * 44}"


def test_the_first_request_is_guarded_like_all_others(server):
    (_, _, said_of_file), (status, _, said) = server.first
    assert said_of_file["X-Content-Type-Options"] == said["X-Content-Type-Options"] == "nosniff"
    assert status == 403
    assert answer(server.port, f"/main?{NAMED}")[0] == 403
    status, _, said = answer(server.port, "/main")
    assert status == 200
    assert "script-src 'nonce-" in said["Content-Security-Policy"]


# -- names of the server --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host",
    [
        *("localhost:{port}", "localhost", "LocalHost.:{port}", "127.0.0.1:{port}", "127.0.0.1"),
        *("[::1]:{port}", "[0:0:0:0:0:0:0:1]", "school.example.org", "SCHOOL.example.org:8443"),
    ],
)
def test_a_request_to_an_own_or_allowed_name_is_answered(server, host):
    assert answer(server.port, "/main/metadata", {"Host": host.format(port=server.port)})[0] == 200


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", "evil.example:{port}", "localhost.evil.example", "xlocalhost"),
        *("127.0.0.1.evil.example", "10.0.0.1:{port}", "127.0.0.2", "[::2]", "[::1"),
        *("localhost:80:80", "a.school.example.org", "school.example.org.evil.example"),
    ],
)
@pytest.mark.parametrize(
    "place", ["/main", "/", "/main/ws", "/main/autoload.js", "/static/js/bokeh.min.js", "/none"]
)
def test_a_request_to_a_foreign_name_is_refused_at_every_address(server, host, place):
    """The foreign name resolves to this machine (DNS rebinding)."""
    host = host.format(port=server.port)
    same = {"Origin": f"http://{host}", "Sec-Fetch-Site": "same-origin"}
    found, text, said = answer(server.port, place, {**UPGRADE, **same, "Host": host})
    assert found in (400, 421)  # 400 for an invalid host
    if found == 421:
        assert text.strip() == hosts.SENTENCE
        assert said["X-Content-Type-Options"] == "nosniff"


def test_a_request_without_a_host_is_answered_because_browsers_always_name_one(server):
    """HTTP/1.0 has no Host header, and programs that check whether a server works omit it."""

    async def asked(request: bytes) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(request)
        line = await reader.readline()
        writer.close()
        await writer.wait_closed()
        return line.split()[1]

    assert asyncio.run(asked(b"GET /main/metadata HTTP/1.0\r\n\r\n")) == b"200"
    assert asyncio.run(asked(b"GET /main/metadata HTTP/1.1\r\n\r\n")) == b"400"


OUTSIDE, INSIDE = ip_address("192.0.2.7"), ip_address("127.0.0.1")


@pytest.mark.parametrize(
    ("host", "own", "allowed", "is_known"),
    [
        ("192.0.2.7:80", OUTSIDE, [], True),
        ("192.0.2.8:80", OUTSIDE, [], False),
        ("[2001:db8::1]:80", ip_address("2001:db8::1"), [], True),
        ("school.example.org", INSIDE, ["*.example.org:443"], True),
        ("a.school.example.org", INSIDE, ["*.example.org:443"], False),
        ("whatever.example", INSIDE, ["*"], True),
        ("localhost:80", None, [], True),
        ("", INSIDE, ["*"], False),
        ("user@localhost", INSIDE, ["*"], False),
    ],
)
def test_a_name_is_recognized_with_any_port(host, own, allowed, is_known):
    assert hosts.is_known(host, own, allowed) == is_known


@pytest.mark.parametrize(
    ("address", "behind_proxy", "is_answered"),
    [
        *(("192.0.2.7", False, True), ("192.0.2.7", True, False), ("127.0.0.1", False, False)),
        *(("::1", False, False), ("::ffff:127.0.0.1", False, False), (b"", True, False)),
    ],
)
def test_names_are_checked_on_this_machine_and_behind_a_proxy(address, behind_proxy, is_answered):
    name = address if isinstance(address, bytes) else (address, 80)  # a socket file, or an address
    connected = SimpleNamespace(
        stream=SimpleNamespace(socket=SimpleNamespace(getsockname=lambda: name))
    )
    application = SimpleNamespace(
        settings={hosts.BEHIND_PROXY: behind_proxy}, websocket_origins={"school.example.org:80"}
    )
    for host, known in (("evil.example", is_answered), ("school.example.org", True)):
        request = SimpleNamespace(host=host, connection=connected)
        assert hosts.is_answered(application, request) == known


# -- lines in the log -----------------------------------------------------------------------------


def unsigned(session: str) -> str:
    """Return a token of the right form without a valid signature."""
    written = json.dumps({"session_id": session, "session_expiry": 9e9}).encode()
    return base64.urlsafe_b64encode(written).decode().rstrip("=")


def opens(port, said):
    """Return whether a socket with this token opens a page."""

    async def visit():
        address = f"ws://127.0.0.1:{port}/main/ws"
        request = HTTPRequest(address, headers={"Origin": f"http://127.0.0.1:{port}"})
        socket = await websocket_connect(request, subprotocols=["bokeh", said])
        first = await socket.read_message()
        socket.close()
        while first is not None and await socket.read_message() is not None:
            pass
        return first is not None

    return asyncio.run(visit())


@pytest.mark.parametrize("said", [LONG[:40_000], "a.b", "", unsigned("y" * 29_000), unsigned("y")])
def test_a_token_that_this_server_did_not_sign_opens_nothing(server, said):
    assert not opens(server.port, said)
    mine = token(server.port)
    assert not opens(server.port, mine[:-1] + ("a" if mine[-1] != "a" else "b"))
    assert opens(server.port, mine)


@pytest.mark.parametrize(
    ("place", "headers", "status"),
    [
        ("/main/ws", {**UPGRADE, "Origin": f"http://{LONG}"}, 403),
        ("/" + LONG, {}, 404),
        (f"/main?bokeh-session-id={LONG}", {}, 403),
        (f"/main?bokeh-token={LONG}", {}, 403),
        ("/main?" + "%0aForged: a line" * 100 + "&bokeh-session-id=a", {}, 403),
    ],
)
def test_a_refused_address_or_header_leaves_a_short_line_in_the_log(server, place, headers, status):
    before = server.log.stat().st_size
    for _ in range(5):
        assert answer(server.port, place.replace(" ", "%20"), headers)[0] == status
    assert server.log.stat().st_size - before < 5 * 500


def header(kind, **others):
    return json.dumps({"msgid": "1", "msgtype": kind, **others})


DIGITS = "1" * 100_000
ERROR = json.dumps({"text": "a\nForged: all is well\n" * 3, "traceback": "\nForged: a line"})


@pytest.mark.parametrize(
    "fragments",
    [
        (header("ERROR"), "{}", ERROR),
        (header("ERROR"), "{}", json.dumps({"text": "a" * 1_000_000, "traceback": None})),
        (header("ERROR"), "{}", json.dumps({"other": 1})),
        (header("ACK"), "{}", "{}"),
        (header("no such kind"), "{}", "{}"),
        (json.dumps({"msgtype": "PATCH-DOC"}), "{}", '{"events": []}'),
        (json.dumps({"msgid": ["1"], "msgtype": "PATCH-DOC"}), "{}", '{"events": []}'),
        (json.dumps({"msgid": "1"}), "{}", "{}"),
        ("[1]", "{}", "{}"),
        (header("PATCH-DOC", num_buffers=-1), "{}", '{"events": []}'),
        (f'{{"msgid": {DIGITS[:900]}}}', "{}", "{}"),
        (header("PATCH-DOC"), f'{{"a": {DIGITS}}}', '{"events": []}'),
        (header("PATCH-DOC"), "{}", f'{{"events": [{DIGITS}]}}'),
        (header("PATCH-DOC"), "{}", "[" * 200_000),
        (b"{}", "{}", "{}"),
    ],
)
def test_an_unexpected_message_closes_its_socket(server, fragments):
    """Later messages are not even read, so one socket leaves one line in the log."""

    async def visit():
        async with Socket.opened(server.port) as socket:
            for _ in range(50):
                for part in fragments:
                    await socket.connection.write_message(part, binary=isinstance(part, bytes))
            await socket.heard()

    before = server.log.stat().st_size
    with pytest.raises((ConnectionError, WebSocketClosedError)):
        asyncio.run(visit())
    assert server.log.stat().st_size - before < 1000


def test_a_number_with_too_many_digits_in_a_message_is_refused(server):
    async def visit():
        async with Socket.opened(server.port) as socket:
            _, found = await socket.answer_to(await socket.say("PULL-DOC-REQ", {}))
            [port] = found["doc"]["roots"]
            for data in ([], [["text", f'["message",{DIGITS},{{}}]'], ["buffers", []]]):
                values = [["model", {"id": port["id"]}], ["data", {"type": "map", "entries": data}]]
                event = {"type": "event", "name": "data_event"}
                event["values"] = {"type": "map", "entries": values}
                sent = {"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": event}
                await socket.say("PATCH-DOC", {"events": [sent]})
            return (await socket.answer_to(await socket.say("SERVER-INFO-REQ", {})))[0]

    assert asyncio.run(visit())["msgtype"] == "SERVER-INFO-REPLY"
    assert "A message is no JSON" in server.log.read_text()


# -- files and scripts ----------------------------------------------------------------------------


@pytest.mark.parametrize("place", ["/static/%00", "/static/js/%00.js", "/embed/%00", "/main%00"])
def test_an_address_that_no_file_can_have_is_not_found(server, place):
    assert answer(server.port, place)[0] == 404


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ({"Origin": "https://elsewhere.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "cross-site", "Referer": "https://elsewhere.example/"}, 403),
        ({"Sec-Fetch-Site": "cross-site", "Origin": f"https://{ALLOWED}"}, 200),
        ({"Sec-Fetch-Site": "cross-site", "Referer": f"https://{ALLOWED}/a"}, 200),
        ({"Origin": "http://127.0.0.1:{port}"}, 200),
        ({"Sec-Fetch-Site": "same-origin"}, 200),
        ({}, 200),
    ],
)
def test_a_page_s_script_is_sent_only_to_sites_whose_sockets_are_accepted(server, said, status):
    said = {name: text.format(port=server.port) for name, text in said.items()}
    place = "/main/autoload.js?bokeh-autoload-element=a"
    found, text, _ = answer(server.port, place, said)
    assert found == status
    assert ('"token":' in text) == (status == 200)
