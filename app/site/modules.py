"""The JavaScript of the site: each component as a module, and what starts them all."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..components.carriers.port.catalog import component_classes
from ..components.esm import esm

HERE = Path(__file__).parent
CARRIERS = HERE.parent / "components" / "carriers"


def component_modules() -> dict[str, str]:
    """The module of every class of components, with its styles; by the class's name."""
    return {
        name: f"{cls._esm}\nexport const styles = {json.dumps(cls._stylesheets)};\n"
        for name, cls in component_classes().items()
    }


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
