"""Locates BokehJS, which draws the charts in the browser."""

from importlib.util import find_spec
from pathlib import Path


def bokeh_js() -> Path:
    """Return the path of BokehJS without widgets, tables and WebGL; does not import Bokeh."""
    bokeh = find_spec("bokeh")
    if bokeh is None or bokeh.origin is None:
        raise RuntimeError("Bokeh, which draws charts, is not installed.")
    return Path(bokeh.origin).parent / "server" / "static" / "js" / "bokeh.min.js"
