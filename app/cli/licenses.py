"""``tinkerformer licenses``: what is installed for the page, and under which licenses."""

from __future__ import annotations

import argparse
from collections.abc import Callable


def run(_options: argparse.Namespace, report: Callable[[str], None] = print) -> None:
    """A line for each package: its name, its version and its license."""
    from ..site.licenses import license_of, needed

    for found in needed():
        report(f"{found.metadata['Name']} {found.version}: {license_of(found)}")
