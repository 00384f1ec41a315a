import re

import pytest
from tinkerformer.transport.security import framing, headers

from tests.app.served import answer, serving

SITES = "'self' https://course.example.org"


@pytest.fixture(scope="module")
def port():
    with serving("--frame-ancestors", SITES) as found:
        yield found


@pytest.mark.parametrize(
    "place",
    ["/main", "/embedded", "/liveness", "/static/js/bokeh.min.js", "/none", "/main?bokeh-token=x"],
)
def test_every_answer_forbids_guessing_its_type(port, place):
    assert answer(port, place)[2]["X-Content-Type-Options"] == "nosniff"


def test_a_page_runs_only_its_own_scripts(port):
    _, page, said = answer(port, "/main")
    policy = said["Content-Security-Policy"]
    (word,) = re.findall("'nonce-(.+?)'", policy)
    scripts = re.findall(r'<script\b(?! type="application/json")[^>]*>', page)
    assert len(scripts) == 5
    assert all(f'nonce="{word}"' in script for script in scripts)
    assert "unsafe-eval" not in policy
    shown = ("img-src 'self' data: blob:", "media-src blob:")  # pictures, and a recorded film
    rules = [rule for rule in policy.split("; ") if rule not in shown]
    assert "blob:" not in "; ".join(rules)
    assert "script-src" in policy
    assert "unsafe-inline" not in policy.partition("script-src")[2].partition(";")[0]
    assert re.findall("'nonce-(.+?)'", answer(port, "/main")[2]["Content-Security-Policy"]) != [
        word
    ]


@pytest.mark.parametrize("place", ["/main", "/embedded"])
def test_headers_name_the_sites_that_may_frame_the_page(port, place):
    assert f"frame-ancestors {SITES}" in answer(port, place)[2]["Content-Security-Policy"]


def test_by_default_every_site_may_frame_the_page(monkeypatch):
    monkeypatch.delenv(framing.VARIABLE, raising=False)
    framing.allow("")
    assert "frame-ancestors" not in headers.policy({headers.WORD: "a"}, "localhost:5006")
    assert headers.policy({}, "localhost:5006") == ""


def test_an_invalid_host_does_not_appear_in_the_policy(monkeypatch):
    monkeypatch.delenv(framing.VARIABLE, raising=False)
    assert "evil" not in headers.policy({headers.WORD: "a"}, "a; script-src evil")


@pytest.mark.parametrize(
    "sites", ["'none'", "*", "https:", "https://*.example.org:8443", "a.example.org", "'self'"]
)
def test_sites_are_accepted_in_the_syntax_of_browsers(sites, monkeypatch):
    monkeypatch.setenv(framing.VARIABLE, f"  {sites} ")
    assert framing.allowed() == sites
