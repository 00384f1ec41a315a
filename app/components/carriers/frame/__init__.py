"""A page in a frame within another page, whoever carries what the frame says to Python."""

from .frames import Frames

__all__ = ["Frames"]
