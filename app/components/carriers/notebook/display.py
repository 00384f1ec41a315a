"""The widget below a cell of a notebook's, and a picture for where it cannot live."""

from __future__ import annotations

from typing import Any

from IPython.display import display as publish


def display(picture: str, widget: Any) -> None:
    """Show a widget, or a sentence in its place.

    The picture is an output of its own: without a kernel JupyterLab shows of a widget's output
    nothing but that there is none. Where the widget lives it hides the picture.

    Args:
        picture: SVG.
        widget: what is alive; or text.
    """
    publish({"image/svg+xml": picture, "text/plain": "A picture of the page."}, raw=True)
    if isinstance(widget, str):
        publish({"text/plain": widget}, raw=True)
        return
    found = widget._repr_mimebundle_()
    data, metadata = found if isinstance(found, tuple) else (found, {})
    publish({**(data or {}), "text/plain": ""}, raw=True, metadata=metadata)
