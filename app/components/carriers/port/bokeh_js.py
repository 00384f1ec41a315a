"""What draws charts in a browser."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path


def bokeh_js() -> Path:
    """BokehJS without its widgets, tables and WebGL; Bokeh itself is not imported for it.

    Raises:
        RuntimeError: Bokeh is not installed.
    """
    bokeh = find_spec("bokeh")
    if bokeh is None or bokeh.origin is None:
        raise RuntimeError("Bokeh, which draws charts, is not installed.")
    return Path(bokeh.origin).parent / "server" / "static" / "js" / "bokeh.min.js"
