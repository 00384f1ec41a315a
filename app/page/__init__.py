"""Placement of every view on the page, and the HTML around it."""

from .page import Page, create_page

__all__ = ["Page", "create_page"]
