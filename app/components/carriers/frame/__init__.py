"""A page inside an iframe of another page, independent of how messages travel to Python."""

from .frames import Frames

__all__ = ["Frames"]
