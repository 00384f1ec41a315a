"""The address of the script for course pages on Panel's server, relative to the page."""

from __future__ import annotations

from ...hosting import server

FILE = "tinkerformer.js"
# `panel serve` does not know the app's folders, but serves files listed by a class of a module.
BY_CLASS = f"components/tinkerformer.assets.embed/Element/_js/{FILE}"


def address() -> str:
    """The shortest address that this server has for the script."""
    return f"{server.EMBED}/{FILE}" if server.EMBED in server.folders else BY_CLASS
