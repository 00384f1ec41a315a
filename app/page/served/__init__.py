"""The page on Panel's server."""

from .serve import serve

__all__ = ["serve"]
