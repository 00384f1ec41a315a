"""The layout of views on the page, and the HTML around them."""

from .page import Page, create_page

__all__ = ["Page", "create_page"]
