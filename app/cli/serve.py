"""``tinkerformer``: the page, served until it is stopped."""

from __future__ import annotations

import argparse
from pathlib import Path

PAGE = Path(__file__).parents[1] / "main.py"


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of ``tinkerformer``."""
    parser.add_argument("--port", type=int, default=5006, help="port to listen on (5006)")
    parser.add_argument(
        "--address", default="localhost", help="address to listen on (localhost: this machine only)"
    )
    parser.add_argument(
        "--no-show", dest="show", action="store_false", help="do not open a browser window"
    )


def serve(options: argparse.Namespace) -> None:
    """Serve the page until it is stopped."""
    from ..runtime.server import serve_page

    serve_page(PAGE, port=options.port, address=options.address, show=options.show)
