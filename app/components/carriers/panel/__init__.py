"""Components on a page that Panel serves."""

from .carry import carry

__all__ = ["carry"]
