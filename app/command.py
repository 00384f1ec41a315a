"""The console command: ``tinkerformer`` serves the page and opens it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve the page until it is stopped."""
    options = _parser().parse_args(arguments)
    import panel as pn

    pn.serve(
        {"/": str(Path(__file__).with_name("main.py"))},
        port=options.port,
        address=options.address,
        show=options.show,
        title="Tinkerformer",
        websocket_origin="*" if options.address not in ("127.0.0.1", "localhost") else None,
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tinkerformer",
        description="Every number of the original Transformer on one page, each one editable.",
    )
    parser.add_argument("--port", type=int, default=5006, help="port to listen on (5006)")
    parser.add_argument(
        "--address", default="localhost", help="address to listen on (localhost: this machine only)"
    )
    parser.add_argument(
        "--no-show", dest="show", action="store_false", help="do not open a browser window"
    )
    return parser
