"""The console command: serve the page, train a model."""

from .command import main

__all__ = ["main"]
