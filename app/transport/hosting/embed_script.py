"""The script of course pages, at one address on every server of the page."""

import importlib.resources
from typing import Any

from tornado.web import StaticFileHandler

ADDRESS = "embed/tinkerformer.js"  # relative to the page


def route() -> tuple[str, type[StaticFileHandler], dict[str, Any]]:
    """Return the route of the script, for Bokeh's server."""
    folder, _, file = ADDRESS.rpartition("/")
    place = str(importlib.resources.files("tinkerformer.assets") / folder)
    return rf"/{folder}/({file})", StaticFileHandler, {"path": place}
