"""The page on Panel's server."""

from .framed import serve_framed
from .serve import serve

__all__ = ["serve", "serve_framed"]
