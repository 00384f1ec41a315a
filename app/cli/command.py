"""The console command: ``tinkerformer`` serves the page; ``tinkerformer train`` trains a model."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from .train import add_options


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve the page until it is stopped, or train a model and write it to a file."""
    options = _parser().parse_args(arguments)
    if options.command == "train":
        from .train import train

        train(options)
    else:
        _serve(options)


def _serve(options: argparse.Namespace) -> None:
    import panel as pn

    pn.serve(
        {"/": str(Path(__file__).parents[1] / "main.py")},
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
    commands = parser.add_subparsers(dest="command", title="other than serving")
    training = commands.add_parser(
        "train",
        help="train a translator of dates, or of your own pairs",
    )
    add_options(training)
    return parser
