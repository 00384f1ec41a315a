"""``tinkerformer licenses``: lists the installed dependencies and their licenses."""

import argparse
from collections.abc import Callable


def run(_options: argparse.Namespace, report: Callable[[str], None] = print) -> None:
    """Print a line for each package: its name, version and license."""
    from ..site.licenses import license_of, needed

    for found in needed():
        report(f"{found.metadata['Name']} {found.version}: {license_of(found)}")
