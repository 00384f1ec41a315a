"""Shows components, or a whole page, through Panel."""

from .carry import carry
from .framed_page import FramedPage

__all__ = ["FramedPage", "carry"]
