import contextlib
import gzip
import http.client
import re
import subprocess
import sys
from typing import NamedTuple

import pytest
from tinkerformer import shared_files
from tinkerformer.cards.limits import LastUsed
from tinkerformer.transport.hosting.cached_files import hash_of
from tinkerformer.transport.hosting.compression import FOR_GOOD, MOST_BYTES, Compression
from tornado.httputil import HTTPHeaders

from tests.app.building import ROOT
from tests.app.served import OF_PANEL, serving

PREFIX = "/school"
PACKED = {"Accept-Encoding": "gzip, deflate"}
FILE = re.compile(
    r"components/tinkerformer\.shared_files/Kept/_resources/([0-9a-f]{20})/([\w./-]+)"
)
NAMED = re.compile(r'"(?:\./)?((?:components|static)/[^"]+)"')
OF_ONE_VISIT = re.compile(r'nonce="[^"]*"|"token":"[^"]*"|"port":"[^"]*"')


class Answer(NamedTuple):
    """A server's answer, whose body is still compressed."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def text(self) -> str:
        packed = self.headers["Content-Encoding"] == "gzip"
        return (gzip.decompress(self.body) if packed else self.body).decode()


def ask(port, place, headers=None, method="GET"):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    with contextlib.closing(connection):
        connection.request(method, place, headers=headers or {})
        response = connection.getresponse()
        return Answer(response.status, response.headers, response.read())


@pytest.fixture(scope="module")
def port():
    with serving("--prefix", PREFIX) as found:
        yield found


@pytest.fixture(scope="module")
def page(port):
    return ask(port, f"{PREFIX}/main", PACKED)


@pytest.fixture(scope="module")
def named(page):
    """Return the addresses of all files that the page loads."""
    found = [f"{PREFIX}/{address}" for address in NAMED.findall(page.text)]
    assert len(set(found)) > 20
    return sorted(set(found))


@pytest.fixture(scope="module")
def board(named):
    return next(place for place in named if place.endswith("/board.js"))


def test_the_page_itself_is_small_and_never_cached(page):
    assert page.status == 200
    assert page.headers["Content-Encoding"] == "gzip"
    assert page.headers["Cache-Control"] == "no-store"
    assert len(page.body) < 10_000


def test_the_page_is_compressed_only_for_a_browser_that_accepts_it(port, page):
    plain = ask(port, f"{PREFIX}/main")
    assert plain.headers["Content-Encoding"] is None
    assert plain.headers["Vary"] == page.headers["Vary"] == "Accept-Encoding"
    assert OF_ONE_VISIT.sub("", plain.text) == OF_ONE_VISIT.sub("", page.text)
    assert plain.text != page.text


def test_every_file_of_the_page_exists_and_is_cached_forever(port, named):
    for place in named:
        found = ask(port, place, PACKED)
        assert found.status == 200, place
        assert found.headers["Cache-Control"] == FOR_GOOD, place
        assert found.headers["X-Content-Type-Options"] == "nosniff"
        is_font = place.endswith(".woff2")
        assert (found.headers["Content-Encoding"] == "gzip") is not is_font, place
        assert found.headers["Set-Cookie"] is None
        assert int(found.headers["Content-Length"] or len(found.body)) == len(found.body)


def test_a_file_has_its_hash_in_its_address_and_the_content_type_of_its_ending(port, named):
    kinds = {"js": "text/javascript", "css": "text/css", "woff2": "font/woff2"}
    ours = [place for place in named if "tinkerformer.shared_files" in place]
    assert {place.rpartition(".")[2] for place in ours} == {*kinds}
    for place in ours:
        found, [(hashed, source)] = ask(port, place), FILE.findall(place)
        assert hash_of(found.body) == hashed
        assert found.headers["Content-Type"] == kinds[source.rpartition(".")[2]]
        assert found.headers["Content-Encoding"] is None
        assert (ROOT / "app" / source).is_file()


def test_the_modules_that_the_main_module_imports_exist(port, named):
    main = next(place for place in named if place.endswith("/main.js"))
    text = ask(port, main).text
    folder = f"{PREFIX}/{shared_files.FOLDER}/"
    modules = set(re.findall(r'"(?:\.\./)+([0-9a-f]{20}/[\w/]+\.js)"', text))
    assert len(modules) > 20
    for address in modules:
        assert ask(port, folder + address).status == 200
    (bokeh,) = re.findall(r'"((?:\.\./)+static/js/bokeh\.min\.js\?v=\w+)"', text)
    assert bokeh.count("../") == main.removeprefix(f"{PREFIX}/").count("/")
    assert "tables" not in text.partition("site")[2]
    found = ask(port, f"{PREFIX}/{bokeh.replace('../', '')}", PACKED)
    assert found.headers["Cache-Control"] == FOR_GOOD
    assert len(found.body) < 400_000


def test_files_contain_nothing_of_a_visitor(port, page, named):
    token = re.search(r'"token":"([^"]+)"', page.text)[1]
    word = re.search(r'nonce="([^"]+)"', page.text)[1]
    texts = [ask(port, place).body for place in named]
    assert not any(secret.encode() in text for text in texts for secret in (token, word))
    other = ask(port, f"{PREFIX}/main?view=train", {**PACKED, "Cookie": "a=b"})
    assert {*NAMED.findall(other.text)} == {*NAMED.findall(page.text)}


def test_no_query_makes_the_page_load_files_from_another_host(port, page):
    """Panel would read the prefix of all addresses from ``bokeh-absolute-url``."""
    named = ask(port, f"{PREFIX}/main?bokeh-absolute-url=https://evil.example/<b>/main", PACKED)
    assert "evil" not in named.text
    assert {*NAMED.findall(named.text)} == {*NAMED.findall(page.text)}


def test_unknown_files_are_not_found(port, board):
    [(hashed, source)] = FILE.findall(board)
    folder = board.partition(hashed)[0]
    assert ask(port, f"{folder}{'0' * 20}/{source}").status == 404
    assert ask(port, f"{folder}{hashed}/page/page.css").status == 403
    assert ask(port, f"{folder}{hashed}/../../hosting/cached_files.py").status in (403, 404)
    assert ask(port, f"{folder}{hashed}").status in (403, 404)
    assert ask(port, f"{folder}{source}").status == 404


def test_a_browser_that_has_a_file_gets_the_status_not_modified(port, board):
    etag = ask(port, board, PACKED).headers["Etag"]
    again = ask(port, board, {**PACKED, "If-None-Match": etag})
    assert (again.status, again.body) == (304, b"")
    assert ask(port, board, {**PACKED, "If-None-Match": '"another"'}).status == 200


def test_a_file_is_the_same_at_each_request(port, board):
    first, second = (ask(port, board, PACKED) for _ in range(2))
    assert first.body == second.body
    assert second.headers["Content-Length"] == str(len(second.body))
    head = ask(port, board, PACKED, "HEAD")
    assert (head.status, head.body) == (200, b"")
    assert head.headers["Content-Length"] == str(len(second.body))


def test_a_file_of_bokeh_is_compressed_as_a_whole_and_a_part_of_it_is_not_compressed(port):
    place = f"{PREFIX}/static/js/bokeh.min.js"
    whole = ask(port, place).body
    for _ in range(2):
        found = ask(port, place, PACKED)
        assert gzip.decompress(found.body) == whole
        assert found.headers["Etag"].startswith("W/")
        assert found.headers["Accept-Ranges"] is None
        assert "immutable" not in found.headers.get("Cache-Control", "")
    part = ask(port, place, {**PACKED, "Range": "bytes=5-104"})
    assert (part.status, part.body) == (206, whole[5:105])
    assert part.headers["Content-Encoding"] is None


def test_a_process_that_has_not_opened_a_page_serves_the_files():
    """Several processes share an address: the page of one requests its files from another."""
    shared = shared_files.shared()
    with serving(command=OF_PANEL) as port:
        for address in (shared.main, shared.modules["BoardComponent"]):
            found = ask(port, f"/{address}", PACKED)
            assert found.status == 200
            assert found.headers["Cache-Control"] == FOR_GOOD
            assert hash_of(found.text.encode()) == FILE.search(address)[1]
        assert shared.main in ask(port, "/main").text


def test_the_first_modules_are_those_of_the_initial_page():
    first, shared = shared_files.first_modules(), shared_files.shared()
    assert len(first) == len(set(first))
    assert shared.modules["BoardComponent"] in first
    assert shared.modules["LessonList"] not in first
    assert shared.modules["Form"] == shared.modules["SettingsForm"]
    assert first.count(shared.modules["Form"]) == 1


class Request(NamedTuple):
    """The attributes of a request that the handler uses."""

    headers: HTTPHeaders
    query_arguments: dict[str, list[bytes]]


def sent(files, headers, *chunks):
    """Return the headers and the body of an answer that is written in several chunks."""
    one = Compression(files, Request(HTTPHeaders({"Accept-Encoding": "gzip"}), {}))
    told = HTTPHeaders({"Content-Type": "text/plain", **headers})
    first, *rest = chunks
    _, told, body = one.transform_first_chunk(200, told, first, not rest)
    parts = [one.transform_chunk(x, k == len(rest)) for k, x in enumerate(rest, start=1)]
    return told, b"".join([body, *parts])


def test_private_answers_are_not_cached():
    files, text = LastUsed(MOST_BYTES, size=len), b"token " * 1000
    for about in ({"Etag": '"a"'}, {"Etag": '"a"', "Cache-Control": "no-store"}, {}):
        told, body = sent(files, about, text)
        assert gzip.decompress(body) == text
        assert told["Content-Encoding"] == "gzip"
        assert files.get('"a"') is None


def test_a_file_sent_in_chunks_is_cached_whole():
    files, about = LastUsed(MOST_BYTES, size=len), {"Etag": '"a"', "Last-Modified": "then"}
    chunks = [b"a" * 5000, b"b" * 5000, b""]
    first, again = (sent(files, about, *chunks)[1] for _ in range(2))
    assert gzip.decompress(first) == gzip.decompress(again) == b"".join(chunks)
    assert files.get('"a"') == first == again


def test_the_least_recently_used_file_is_dropped():
    files = LastUsed(100, size=len)
    for name in "abc":
        files.keep(name, b"x" * 40)
        files.get("a")
    assert [name for name in "abc" if files.get(name)] == ["a", "c"]
    files.keep("large", b"x" * 101)
    assert files.get("large") is None
    assert files.get("c")


def test_names_of_files_depend_only_on_their_contents():
    """Several processes serve the same page, so each must know the files that others name."""
    script = "from tinkerformer import shared_files; print(shared_files.shared().main)"
    told = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONHASHSEED": "7"},
    )
    import tinkerformer.components.framed.framed
    import tinkerformer.from_python.show  # noqa: F401

    assert told.stdout.strip() == shared_files.shared().main
