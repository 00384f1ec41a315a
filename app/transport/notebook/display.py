"""Displays the page below a notebook cell, with a static picture where widgets cannot run."""

from typing import Any

from IPython.display import display as publish


def display(picture: str, widget: Any) -> None:
    """Display a widget, or a text in its place, together with a static picture (SVG).

    The picture is a separate output, because without a kernel JupyterLab shows an error instead of
    the widget. A widget that runs hides the picture.
    """
    publish({"image/svg+xml": picture, "text/plain": "A picture of the page."}, raw=True)
    if isinstance(widget, str):
        publish({"text/plain": widget}, raw=True)
        return
    found = widget._repr_mimebundle_()
    data, metadata = found if isinstance(found, tuple) else (found, {})
    publish({**(data or {}), "text/plain": ""}, raw=True, metadata=metadata)
