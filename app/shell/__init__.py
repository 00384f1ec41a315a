"""The page: its areas, panels, keys and fonts."""

from .page import Page, create_page

__all__ = ["Page", "create_page"]
