"""The page as a single text, for an iframe in another page."""

from .document import bokeh_js, document

__all__ = ["bokeh_js", "document"]
