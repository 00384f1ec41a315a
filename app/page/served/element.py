"""Where Panel's server has the script of course pages, relative to the page."""

from __future__ import annotations

from ...hosting import server

FILE = "tinkerformer.js"
# `panel serve` knows of no folder of ours, but finds what a class of a module lists.
BY_CLASS = f"components/tinkerformer.assets.embed/Element/_js/{FILE}"


def address() -> str:
    """Its address, as short as this server has it."""
    return f"{server.EMBED}/{FILE}" if server.EMBED in server.folders else BY_CLASS
