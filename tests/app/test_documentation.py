import inspect
import re
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
import tinkerformer
from tinkerformer.decoding.settings import DecodingSettings
from tinkerformer.lessons import catalog
from tinkerformer.lessons.directives import DIRECTIVES
from tinkerformer.lessons.expressions import FUNCTIONS
from tinkerformer.lessons.numbers import LiveNumbers
from tinkerformer.model.scenario.model_settings import DropoutSettings, ModelSettings
from tinkerformer.model.scenario.recipe_settings import RecipeSettings
from tinkerformer.model.scenario.view_settings import ViewSettings
from tinkerformer.plain_data import fields
from tinkerformer.session.address import OTHER_VIEWS, PARTS
from tinkerformer.transport.runtime.limits import LIMITS
from tinkerformer.view_model.page_location import VIEWS

import transformer_math
from tests.documentation import ROOT, Documentation

pytestmark = pytest.mark.thorough


def outside(address: str) -> bool:
    return bool(re.match(r"(?:[a-z]+:)?//", address)) or address.startswith("http")


def target(page: Path, address: str) -> tuple[Path, str]:
    """Return the file and the anchor that a link on a page leads to."""
    parts = urlsplit(address)
    path = (page.parent / unquote(parts.path)).resolve() if parts.path else page.resolve()
    return (path / "index.html" if path.is_dir() else path), unquote(parts.fragment)


def test_the_documentation_builds_without_a_warning(documentation: Documentation) -> None:
    assert (documentation.status, documentation.said) == (0, "")
    assert len(documentation.pages) > 5


def test_every_link_leads_to_an_existing_page_and_anchor(documentation: Documentation) -> None:
    pages = {file.resolve(): page for file, page in documentation.pages.items()}
    wrong = []
    for file, page in pages.items():
        for address in page.links:
            if outside(address) or address.startswith("mailto:"):
                continue
            found, anchor = target(file, address)
            if not found.is_file() or (
                anchor and found in pages and anchor not in pages[found].anchors
            ):
                wrong.append(f"{file.name}: {address}")
    assert wrong == []


def test_no_page_loads_anything_from_another_host(documentation: Documentation) -> None:
    for file, page in documentation.pages.items():
        assert page.loaded
        for address in page.loaded:
            assert not outside(address), (file.name, address)
            found, _ = target(file.resolve(), address)
            assert address.startswith("data:") or found.is_file(), (file.name, address)
    sheets = [*documentation.folder.glob("_static/**/*.css")]
    assert sheets
    for sheet in sheets:
        for address in re.findall(
            r"url\(\s*[\"']?([^\"')]+)|@import\s+[\"']([^\"']+)", sheet.read_text(encoding="utf-8")
        ):
            assert not outside("".join(address)), (sheet.name, address)


def test_the_documentation_contains_the_live_page(documentation: Documentation) -> None:
    """Check that each frame names a view of the site beside it."""
    embeds = [(file, given) for file, page in documentation.pages.items() for given in page.live]
    assert embeds
    for file, given in embeds:
        found, _ = target(file.resolve(), given["src"])
        assert found == (documentation.folder / "live" / "index.html").resolve()
        assert given["title"]
        assert any(src.endswith("live/embed/tinkerformer.js") for src in _scripts(file))
    text = (documentation.folder / "live" / "index.html").read_text(encoding="utf-8")
    for name in re.findall(r'(?:src|href)="(\./[^"]+)"', text):
        assert (documentation.folder / "live" / name).is_file(), name
    if documentation.has_runtime:
        worker = next((documentation.folder / "live").glob("*/worker.js"))
        assert "cdn." not in worker.read_text(encoding="utf-8")


def _scripts(file: Path) -> list[str]:
    return re.findall(r'<script[^>]* src="([^"]+)"', file.read_text(encoding="utf-8"))


# -- tables derived from declarations -------------------------------------------------------------


def words_of(documentation: Documentation, name: str) -> str:
    """Return the text of a page."""
    page = documentation.folder / f"{name}.html"
    return unescape(re.sub(r"<[^>]+>", "", page.read_text(encoding="utf-8")))


def test_the_reference_lists_every_call_that_a_frame_answers(documentation: Documentation) -> None:
    script = (ROOT / "app" / "shell" / "parent_calls.js").read_text(encoding="utf-8")
    listed = re.search(r"const CALLS = \{\n(.*?)\n\};", script, re.DOTALL)
    assert listed
    calls = re.findall(r"^  (\w+): ", listed[1], re.MULTILINE)
    told, _, _ = words_of(documentation, "reference/messages").partition("JavaScript on the page")
    assert re.findall(r"^(\w+)\(", told, re.MULTILINE) == calls


def test_the_reference_lists_every_view_part_option_and_limit(documentation: Documentation) -> None:
    told = words_of(documentation, "reference/address")
    for name in (*VIEWS, *PARTS, *OTHER_VIEWS):
        assert name in told
    told = words_of(documentation, "reference/settings")
    for kind in (ModelSettings, DropoutSettings, RecipeSettings, DecodingSettings, ViewSettings):
        for name in kind.names():
            assert name in told
            assert kind.label(name) in told
    told = words_of(documentation, "reference/environment")
    for limit in LIMITS:
        assert limit.variable in told


def test_the_reference_lists_every_option_of_every_command(documentation: Documentation) -> None:
    told = words_of(documentation, "reference/command_line")
    options = {
        option
        for module in (ROOT / "app" / "cli").glob("*.py")
        for option in re.findall(
            r'add_argument\(\s*"(--[\w-]+)"', module.read_text(encoding="utf-8")
        )
    }
    assert len(options) > 15
    for option in options:
        assert option in told, option


def test_the_reference_lists_every_function_and_directive_of_lessons(
    documentation: Documentation,
) -> None:
    told = words_of(documentation, "reference/lesson_language")
    for name in FUNCTIONS:
        assert f"{name}(" in told, name
        assert inspect.getdoc(getattr(LiveNumbers, f"_{name}")), name
    for name, declared in DIRECTIVES.items():
        assert name in told
        for field in fields(declared):
            assert field in told, (name, field)
    told = words_of(documentation, "tour/lessons")
    for lesson in catalog.catalog().lessons.values():
        assert lesson.title in told


def test_the_api_pages_list_the_exports_of_the_library(documentation: Documentation) -> None:
    """Each function or class has its own entry, with its docstring."""
    pages = [f for f in documentation.pages if f.parent.name == "api"]
    told = "".join(f.read_text(encoding="utf-8") for f in pages)
    for name in transformer_math.__all__:
        if not inspect.ismodule(getattr(transformer_math, name)):
            assert f".{name}" in told, name
    assert "a model with random parameters" in told


def test_the_package_exports_exactly_the_names_of_its_api_page():
    page = (ROOT / "assets" / "docs" / "reference" / "api" / "page.md").read_text("utf-8")
    told = re.findall(r"auto(?:function|class):: tinkerformer\.(\w+)", page)
    assert sorted(tinkerformer.__all__) == sorted(told) == dir(tinkerformer)
    assert all(getattr(tinkerformer, name).__doc__ for name in told)
