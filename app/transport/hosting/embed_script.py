"""The script of course pages, at one address on every server of the page."""

import importlib.resources
from typing import Any

from tornado.web import StaticFileHandler

ADDRESS = "embed/tinkerformer.js"  # relative to the page


def route() -> tuple[str, type[StaticFileHandler], dict[str, Any]]:
    """The route of the script, as Bokeh's server takes it."""
    folder, _, file = ADDRESS.rpartition("/")
    place = str(importlib.resources.files("tinkerformer.assets") / folder)
    return rf"/{folder}/({file})", StaticFileHandler, {"path": place}
