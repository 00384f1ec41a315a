"""``tinkerformer build``: writes the page as a folder of static files."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from ..lessons import catalog
from ..transport.security import parents
from . import lesson


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``tinkerformer build``."""
    parser.add_argument("folder", type=Path, help="the folder to write")
    parser.add_argument(
        "--runtime",
        type=Path,
        metavar="FOLDER",
        help="folder with Python's runtime, for a site that loads nothing from other hosts; if it "
        "is missing, the commands that download it are printed",
    )
    parser.add_argument(
        "--allow-parent",
        metavar="ORIGIN",
        action="append",
        default=[],
        help="origin of course pages that may control the page in a frame, as for serve (none)",
    )
    parser.add_argument(
        "--site-address",
        metavar="URL",
        type=_address,
        help="address that the site will have, so that chats show its picture with a link to it",
    )
    lesson.add_folders_option(parser)
    parser.add_argument(
        "--force", action="store_true", help="write into a folder that is not empty"
    )


def build(options: argparse.Namespace, report: Callable[[str], None] = print) -> None:
    """Build the site, or exit with a one-sentence error."""
    from ..site.build import build as build_site

    try:
        catalog.add_folders(options.lessons)
        _check_lessons(report)
        files = build_site(
            options.folder,
            options.runtime,
            parents=[parents.origin(each) for each in options.allow_parent],
            address=options.site_address or "",
            force=options.force,
            report=report,
        )
        size = sum((options.folder / name).stat().st_size for name in files)
        report(f"{len(files)} files, {size / 1e6:.1f} MB in {options.folder}")
    except (ValueError, OSError, RuntimeError) as error:
        sys.exit(str(error))


def _check_lessons(report: Callable[[str], None]) -> None:
    """Check the user's own lessons as ``tinkerformer lesson check --no-browser`` does.

    Report all problems, and raise ``ValueError`` if there are any.
    """
    _, are_right = lesson.checked_all(catalog.other_files(), report)
    twice = catalog.catalog().problems if are_right else ()
    for problem in twice:
        report(problem)
    if twice or not are_right:
        raise ValueError("Nothing was built, because lessons have the problems above.")


def _address(text: str) -> str:
    """Parse the address of a site, and return it with a slash at its end."""
    found = urlsplit(text)
    if found.scheme not in ("http", "https") or not found.netloc or found.query or found.fragment:
        raise argparse.ArgumentTypeError(
            f"{text!r:.80} is no address of a site, as https://example.org/tinkerformer/"
        )
    return f"{text.rstrip('/')}/"
