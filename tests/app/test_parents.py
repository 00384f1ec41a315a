import re

import jinja2
import panel as pn
import pytest
from tinkerformer.cli.command import main
from tinkerformer.shell import frame
from tinkerformer.transport.security import parents


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setenv(parents.ALLOWED, "")
    return monkeypatch


@pytest.mark.parametrize(
    ("written", "origin"),
    [
        ("https://course.example.org", "https://course.example.org"),
        (" https://Course.Example.org/ ", "https://course.example.org"),
        ("https://course.example.org:443", "https://course.example.org"),
        ("http://course.example.org:443", "http://course.example.org:443"),
        ("http://localhost:8000", "http://localhost:8000"),
        ("http://[::1]:8000", "http://[::1]:8000"),
    ],
)
def test_an_origin_is_written_like_a_browser_writes_it(written: str, origin: str) -> None:
    assert parents.origin(written) == origin


@pytest.mark.parametrize(
    "written",
    [
        *("", "*", "null", "course.example.org", "https://course.example.org/page", "ftp://a.b"),
        *("https://a.b:0", "https://a.b:65536", "https://*.example.org", 'https://a.b" onload="'),
    ],
)
def test_an_invalid_origin_is_refused_in_a_sentence(
    written: str, environment: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ValueError, match=r"is not an origin: write .*no path\."):
        parents.origin(written)
    with pytest.raises(SystemExit, match="is not an origin"):
        main(["--allow-parent", "https://a.b", "--allow-parent", written])
    assert parents.allowed() == ()


def test_environment_and_command_line_add_up(environment: pytest.MonkeyPatch) -> None:
    assert parents.allowed() == ()
    environment.setenv(parents.ALLOWED, "https://a.b  HTTPS://a.b https://c.d:443")
    assert parents.allowed() == ("https://a.b", "https://c.d")
    parents.allow(["http://e.f:80", "https://a.b"])
    assert parents.allowed() == ("https://a.b", "https://c.d", "http://e.f")


def test_the_page_has_the_allowed_parents_as_data() -> None:
    template = jinja2.Template(frame.source(), autoescape=False)
    name = "tinkerformer-parents"
    with_two = template.render(frame.variables(), parents=("https://a.b", "https://c.d:1"))
    assert f'<meta name="{name}" content="https://a.b https://c.d:1">' in with_two
    without = template.render(frame.variables(), parents=())
    assert not re.search(f'<meta[^>]*"{name}"', without)


def test_the_command_serves_page_and_frame_and_lets_parents_open_sessions(
    environment: pytest.MonkeyPatch,
) -> None:
    served: list[tuple[dict[str, str], dict[str, object]]] = []
    environment.setattr(pn, "serve", lambda apps, **options: served.append((apps, options)))
    main(["--no-show", "--port", "5007"])
    main(["--no-show", "--port", "5007", "--allow-parent", "https://course.example.org"])
    main(["--no-show", "--address", "0.0.0.0", "--allow-websocket-origin", "*"])
    apps = served[0][0]
    assert [*apps] == ["/", "/main", "/embedded"]
    assert apps["/"] == apps["/main"]
    assert apps["/embedded"].endswith("embedded.py")
    allowed = [options["websocket_origin"] for _, options in served]
    own = ["127.0.0.1:5007", "localhost:5007"]
    assert allowed[:2] == [own, [*own, "course.example.org"]]
    assert allowed[2][-1] == "*"
