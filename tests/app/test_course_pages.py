import re
from pathlib import Path

import pytest
from tinkerformer.shell.served.framed import framed
from tinkerformer.transport.hosting import embed_script

from .served import COMMAND, OF_PANEL, answer, serving

ROOT = Path(__file__).parents[2]
ELEMENT = ROOT / "assets" / "embed" / "tinkerformer.js"
HOST = "server.example.org:5006"


def test_the_script_of_course_pages_is_small_and_imports_nothing() -> None:
    text = ELEMENT.read_text(encoding="utf-8")
    assert ELEMENT.stat().st_size < 2_600
    assert not re.search(r"\bimport\b|\brequire\b|https?:", text)
    assert text.startswith("// <tinker-former")
    assert "No answer: serve the page with --allow-parent ${origin}." in text


def test_the_manual_has_every_attribute_of_the_element() -> None:
    """Their values are derived from their declarations: see `test_documentation`."""
    page = (ROOT / "assets" / "docs" / "teachers" / "embedding.md").read_text(encoding="utf-8")
    section = page.partition("## Attributes of the element")[2].partition("\n## ")[0]
    passed = re.search(r"\^\(([\w|]+)\)\$", ELEMENT.read_text(encoding="utf-8"))
    assert passed
    told = {*re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)}
    # A lesson is a view; the height and the title are not part of the address.
    assert told == {*passed[1].split("|"), "height", "title"} - {"lesson"}


@pytest.mark.parametrize("command", [COMMAND, OF_PANEL])
def test_every_server_has_the_course_script_at_one_address(command: tuple[str, ...]) -> None:
    """The servers are the command and ``panel serve``, before the first page as well."""
    with serving(command=command) as port:
        status, text, headers = answer(port, f"/{embed_script.ADDRESS}")
    assert (status, text) == (200, ELEMENT.read_text(encoding="utf-8"))
    assert "javascript" in headers["Content-Type"]


def test_the_frame_sends_the_methods_of_its_document_to_the_page_inside() -> None:
    asked = {
        "bokeh-autoload-element": "e1",
        "bokeh-app-path": "/embedded",
        "bokeh-absolute-url": f"https://{HOST}/tools/embedded",
        "resources": "none",
        "view": "encoder.0.self_attn",
        "show": "a&b=c",
        "lock": "",
    }
    found = framed(asked, HOST)
    assert found.value == (
        f"https://{HOST}/tools/main?view=encoder.0.self_attn&show=a%26b%3Dc&lock="
    )
    assert found.script == f"https://{HOST}/tools/{embed_script.ADDRESS}"
    assert found.height == "auto"


def test_a_link_and_a_height_mean_the_same_for_document_and_element() -> None:
    found = framed({"s": "abc", "height": "480"}, HOST)
    assert (found.value, found.height) == ("main#s=abc", "480")


@pytest.mark.parametrize(
    "address",
    [
        "https://elsewhere.example.org/embedded",
        f"javascript://{HOST}/embedded",
        f"https://{HOST}@elsewhere.example.org/embedded",
        "//elsewhere.example.org/embedded",
        "",
    ],
)
def test_a_script_is_never_loaded_from_another_host(address: str) -> None:
    """A hostile address can contain anything."""
    found = framed({"bokeh-absolute-url": address}, HOST)
    assert found.script == embed_script.ADDRESS
    assert found.value == "main"
