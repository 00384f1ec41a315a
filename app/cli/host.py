"""``tinkerformer host``: several processes behind nginx, for many visitors."""

from __future__ import annotations

import argparse
import sys

from ..hosting.host import host
from ..runtime import concurrency, framing, limits


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of ``tinkerformer host``."""
    parser.add_argument(
        "--processes",
        type=int,
        default=concurrency.cpu_count(),
        help="how many processes serve the page (as many as there are processors)",
    )
    parser.add_argument(
        "--listen",
        default="127.0.0.1:8080",
        metavar="ADDRESS:PORT",
        help="where visitors come to; 0.0.0.0:80 for all who reach this machine (127.0.0.1:8080)",
    )
    parser.add_argument("--frame-ancestors", default="", metavar="SITES", help=framing.ABOUT)
    parser.add_argument(
        "options",
        nargs="*",
        metavar="OPTION",
        help="after --: options of `tinkerformer serve` for each process, such as "
        "-- --lessons FOLDER --allow-parent ORIGIN",
    )
    parser.epilog = "Limits of each process are set in the environment: " + "; ".join(
        f"{limit.variable}, {limit.about}" for limit in limits.LIMITS
    )


def run(options: argparse.Namespace) -> None:
    """Host the page until it is stopped.

    Raises:
        SystemExit: nginx is missing, or something cannot be asked for.
    """
    try:
        limits.check()
        framing.allow(options.frame_ancestors)  # which its processes take from the environment
        framing.allowed()
        if options.processes < 1:
            raise ValueError(f"{options.processes} processes serve nobody.")
        say = lambda text: print(text, file=sys.stderr, flush=True)  # noqa: E731
        host(options.processes, options.listen, options.options, say)
    except (ValueError, OSError) as error:
        sys.exit(str(error))
