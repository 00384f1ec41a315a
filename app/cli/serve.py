"""``tinkerformer``: serves the page until it is stopped."""

import argparse
import sys
from pathlib import Path

from ..files import catalog
from ..lessons import catalog as lesson_catalog
from ..transport.security import framing, parents
from . import lesson

HERE = Path(__file__).parents[1]
APPS = {"/": HERE / "main.py", "/main": HERE / "main.py", "/embedded": HERE / "embedded.py"}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``tinkerformer``."""
    parser.add_argument("--port", type=int, default=5006, help="port to listen on (5006)")
    parser.add_argument(
        "--address", default="localhost", help="address to listen on (localhost: this machine only)"
    )
    parser.add_argument("--prefix", default="", help="prefix of all paths in the address (none)")
    parser.add_argument(
        "--behind-proxy",
        action="store_true",
        help="take the visitor's address and scheme from the headers of the proxy in front",
    )
    parser.add_argument(
        "--allow-parent",
        metavar="ORIGIN",
        action="append",
        default=[],
        help="origin of course pages, such as https://course.example.org, that may read and "
        "change the page in their frames; can be given several times (none)",
    )
    parser.add_argument("--frame-ancestors", default="", metavar="SITES", help=framing.ABOUT)
    parser.add_argument(
        "--allow-websocket-origin",
        metavar="HOST",
        action="append",
        default=[],
        help="other host whose pages may connect to this server, such as "
        "course.example.org:443, or * for all hosts; can be given several times (none)",
    )
    lesson.add_folders_option(parser)
    parser.add_argument(
        "--model",
        metavar="FOLDER_OR_FILE",
        type=Path,
        help="your own model, with which the page opens: a PyTorch or safetensors file, or a "
        "Hugging Face folder (the phrase translator)",
    )
    parser.add_argument(
        "--heads", type=int, help="number of attention heads, if the model's file does not give it"
    )
    parser.add_argument(
        "--no-show", dest="show", action="store_false", help="do not open a browser window"
    )


def serve(options: argparse.Namespace) -> None:
    """Serve the page until it is stopped, or exit with a one-sentence error."""
    from ..transport.hosting import server
    from ..transport.hosting.guards import guard_process
    from ..transport.hosting.startup import guard_servers
    from ..transport.runtime import limits
    from ..transport.runtime.wrapping import NoSuchMethod

    try:
        limits.check()
        parents.allow(options.allow_parent)
        framing.allow(options.frame_ancestors)
        framing.allowed()
        lesson_catalog.add_folders(options.lessons)
        if options.model is not None:
            model = catalog.serve(options.model, options.heads)
            if model.weights is not None and model.weights.about:
                print(model.weights.about, file=sys.stderr)
        guard_process()
    except (ValueError, NoSuchMethod) as error:
        sys.exit(str(error))
    if options.lessons:
        for problem in lesson_catalog.catalog().problems:
            print(problem, file=sys.stderr)
    guard_servers()
    where = server.Where(options.address, options.port, options.prefix, options.behind_proxy)
    try:
        server.serve_page(APPS, where, show=options.show, origins=options.allow_websocket_origin)
    except OSError as error:
        why = error.strerror or error
        sys.exit(f"Nothing can listen at {where.address}, port {where.port}: {why}.")
