"""The documentation as a site: built without a warning, whole, and asking no other host."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

from tests.documentation import Documentation


def outside(address: str) -> bool:
    return bool(re.match(r"(?:[a-z]+:)?//", address)) or address.startswith("http")


def target(page: Path, address: str) -> tuple[Path, str]:
    """The file and the anchor that an address of a page leads to."""
    parts = urlsplit(address)
    path = (page.parent / unquote(parts.path)).resolve() if parts.path else page.resolve()
    return (path / "index.html" if path.is_dir() else path), unquote(parts.fragment)


def test_it_is_built_without_a_warning(documentation: Documentation) -> None:
    assert (documentation.status, documentation.said) == (0, "")
    assert len(documentation.pages) > 5


def test_every_link_leads_to_a_page_and_a_place_in_it(documentation: Documentation) -> None:
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


def test_the_page_stands_in_it_alive(documentation: Documentation) -> None:
    """Each frame asks for what the site beside it has."""
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
