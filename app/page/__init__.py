"""Placement of every view on the page, and the HTML around it."""

from .page import create_page

__all__ = ["create_page"]
