"""Components on a page that Panel serves."""

from .carry import carry
from .framed_page import FramedPage

__all__ = ["FramedPage", "carry"]
