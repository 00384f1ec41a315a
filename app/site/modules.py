"""What starts the site, and what of the page it has its own of."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..components.esm import esm
from ..page import frame

HERE = Path(__file__).parent
CARRIERS = HERE.parent / "components" / "carriers"


def page_texts() -> dict[str, str]:
    """What is the same on every page, with the styles of what is only here, by their addresses."""
    texts = frame.texts()
    own = (HERE / "site.css").read_text(encoding="utf-8")
    return {**texts, "page/page.css": f"{texts['page/page.css']}\n{own}"}


def page_module(site: Mapping[str, Any]) -> str:
    """What starts the page. ``page.js`` says what the site is."""
    return _begun(HERE / "page.js", "start", site)


def worker_module(parts: Mapping[str, Any]) -> str:
    """What starts Python. ``worker.js`` says what the parts are."""
    return _begun(CARRIERS / "worker" / "worker.js", "begin", parts)


def service_worker(site: Mapping[str, Any]) -> str:
    """What keeps the site, with the list of its files."""
    own = (HERE / "service_worker.js").read_text(encoding="utf-8")
    return f"self.SITE = {json.dumps(site)};\n{own}"


def _begun(entry: Path, function: str, argument: Mapping[str, Any]) -> str:
    return f"{esm(entry, function)}{function}({json.dumps(argument)});\n"
