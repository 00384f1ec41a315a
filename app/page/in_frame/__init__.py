"""The page as one text, for a frame in another page."""

from .document import bokeh_js, document

__all__ = ["bokeh_js", "document"]
