"""A page inside an iframe of another page, independent of how messages travel to Python."""

from .iframes import IFrames

__all__ = ["IFrames"]
