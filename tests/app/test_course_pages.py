"""What course pages are given: a small script, and a frame for those that take no address."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest
from tinkerformer.page.served import framed as served_framed
from tinkerformer.page.served.framed import framed

ROOT = Path(__file__).parents[2]
ELEMENT = ROOT / "assets" / "embed" / "tinkerformer.js"
HOST = "server.example.org:5006"


def test_the_script_of_course_pages_is_small_and_needs_nothing() -> None:
    text = ELEMENT.read_text(encoding="utf-8")
    assert ELEMENT.stat().st_size < 2_000
    assert not re.search(r"\bimport\b|\brequire\b|https?:", text)
    assert text.startswith("// <tinker-former")


def test_the_script_is_where_the_served_page_says() -> None:
    _, module, name, attribute, file = served_framed.SCRIPT.split("/")
    element = getattr(importlib.import_module(module), name)
    assert [path.name for path in getattr(element, attribute)] == [file]
    assert getattr(element, attribute)[0].samefile(ELEMENT)


def test_the_frame_asks_the_page_beside_it_for_what_its_document_is_asked() -> None:
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
    assert found.script == f"https://{HOST}/tools/{served_framed.SCRIPT}"
    assert found.height == "auto"


def test_a_link_and_a_height_are_what_they_are_for_the_element() -> None:
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
def test_no_script_is_ever_loaded_from_another_host(address: str) -> None:
    """An address that somebody is lured to says whatever it likes."""
    found = framed({"bokeh-absolute-url": address}, HOST)
    assert found.script == served_framed.SCRIPT
    assert found.value == "main"
