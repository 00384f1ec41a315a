"""The documentation as a site, built once for all tests by the command of CONTRIBUTING."""

import json
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass, field
from functools import cached_property
from html.parser import HTMLParser
from pathlib import Path

from tests.browser.static_site import Missing, runtime_in

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "assets" / "docs"
# Attributes whose addresses a browser fetches, by tag.
LOADED = {
    "script": "src",
    "img": "src",
    "iframe": "src",
    "source": "src",
    "video": "src",
    "link": "href",
    "tinker-former": "src",
}
NOT_LOADED = {"next", "prev", "index", "search", "canonical"}  # relations of a link


@dataclass
class HtmlPage(HTMLParser):
    """The addresses in a page."""

    file: Path
    links: list[str] = field(default_factory=list)
    loaded: list[str] = field(default_factory=list)
    anchors: set[str] = field(default_factory=set)
    live: list[dict[str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if "id" in given:
            self.anchors.add(given["id"])
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        wanted = given.get(LOADED.get(tag, ""), "")
        if wanted and given.get("rel", "") not in NOT_LOADED:
            self.loaded.append(wanted)
        if tag == "tinker-former":
            self.live.append(given)


@dataclass
class Documentation:
    """A built site. ``said`` has the warnings of its builder."""

    folder: Path
    status: int
    said: str
    has_runtime: bool

    @cached_property
    def pages(self) -> dict[Path, HtmlPage]:
        """Return the pages of the documentation, without those of the embedded page."""
        live = self.folder / "live"
        files = sorted(f for f in self.folder.rglob("*.html") if live not in f.parents)
        return {file: HtmlPage(file) for file in files}


def built_documentation(folder: Path) -> Documentation:
    """Build the site, with Python's runtime for the browser if this machine has it; or return the
    site that another process has built in the folder.
    """
    record = folder / "built.json"
    if record.exists():
        status, said, has_runtime = json.loads(record.read_text(encoding="utf-8"))
        return Documentation(folder / "site", status, said, has_runtime)
    folder.mkdir(exist_ok=True)
    told = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"^python (-m sphinx .*)$", told, re.MULTILINE)
    *command, _ = shlex.split(line, comments=True)
    try:
        command += ["-D", f"live_runtime={runtime_in(folder / 'runtime')}"]
        has_runtime = True
    except Missing:
        has_runtime = False
    done = subprocess.run(
        [sys.executable, *command, "-q", str(folder / "site")],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    found = (done.returncode, done.stderr, has_runtime)
    record.write_text(json.dumps(found), encoding="utf-8")
    return Documentation(folder / "site", *found)
