"""What course pages are given: a small script, and a frame for those that take no address."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import panel as pn
import pytest
from tinkerformer.cli.command import main
from tinkerformer.hosting import server
from tinkerformer.page.served import element
from tinkerformer.page.served.framed import framed

ROOT = Path(__file__).parents[2]
ELEMENT = ROOT / "assets" / "embed" / "tinkerformer.js"
HOST = "server.example.org:5006"


def test_the_script_of_course_pages_is_small_and_needs_nothing() -> None:
    text = ELEMENT.read_text(encoding="utf-8")
    assert ELEMENT.stat().st_size < 2_250
    assert not re.search(r"\bimport\b|\brequire\b|https?:", text)
    assert text.startswith("// <tinker-former")


def test_the_manual_has_every_attribute_of_the_element() -> None:
    """The values of each are made of their declarations: see `test_documentation`."""
    page = (ROOT / "assets" / "docs" / "teachers" / "embedding.md").read_text(encoding="utf-8")
    section = page.partition("## What can be said of it")[2].partition("\n## ")[0]
    passed = re.search(r"\^\(([\w|]+)\)\$", ELEMENT.read_text(encoding="utf-8"))
    assert passed
    told = {*re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)}
    # A lesson is a view; the height and the title are not asked of the page.
    assert told == {*passed[1].split("|"), "height", "title"} - {"lesson"}


def test_the_served_page_names_a_script_that_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the command serves it at a short address; `panel serve` finds it by its class."""
    monkeypatch.setattr(pn, "serve", lambda *_, **__: None)
    monkeypatch.setattr(server, "folders", {})
    assert element.address() == element.BY_CLASS
    main(["--no-show"])
    assert element.address() == "embed/tinkerformer.js"
    assert (Path(server.folders["embed"]) / "tinkerformer.js").samefile(ELEMENT)


def test_the_script_is_found_by_its_class() -> None:
    _, module, name, attribute, file = element.BY_CLASS.split("/")
    (listed,) = getattr(getattr(importlib.import_module(module), name), attribute)
    assert listed.name == file
    assert listed.samefile(ELEMENT)


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
    assert found.script == f"https://{HOST}/tools/{element.address()}"
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
    assert found.script == element.address()
    assert found.value == "main"
