"""Builds the JavaScript entry modules of the static site, and its variant of the page's files."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..components.esm import esm
from ..shell import frame

HERE = Path(__file__).parent
WORKER = HERE.parent / "transport" / "worker"


def page_texts() -> dict[str, str]:
    """Return the files that all pages share, by address; the style sheet includes the site's."""
    texts = frame.texts()
    own = (HERE / "site.css").read_text(encoding="utf-8")
    return {**texts, "shell/page.css": f"{texts['shell/page.css']}\n{own}"}


def page_module(site: Mapping[str, Any]) -> str:
    """Return the module that starts the page; see ``page.js``."""
    return _begun(HERE / "page.js", "start", site)


def worker_module(parts: Mapping[str, Any]) -> str:
    """Return the module that starts Python in a worker; see ``worker.js``."""
    return _begun(WORKER / "worker.js", "begin", parts)


def service_worker(site: Mapping[str, Any]) -> str:
    """Return the service worker, which caches the site, with the list of its files."""
    own = (HERE / "service_worker.js").read_text(encoding="utf-8")
    return f"self.SITE = {json.dumps(site)};\n{own}"


def _begun(entry: Path, function: str, argument: Mapping[str, Any]) -> str:
    return f"{esm(entry, function)}{function}({json.dumps(argument)});\n"
