"""A page in a notebook, live through its kernel."""

from .widget import NotebookWidget

__all__ = ["NotebookWidget"]
