"""What nginx is told."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import jinja2

HERE = Path(__file__).parent
CONNECTIONS = 8192  # sockets at once: two for each page, one to the visitor and one to its process
FULL = (
    "<!doctype html><meta http-equiv='refresh' content='15; url=/'><title>Tinkerformer</title>"
    "<p>All places are taken just now. This page tries again in 15 seconds."
)


def configuration(ports: Sequence[int], listen: str, folder: Path) -> str:
    """The text of nginx.conf.

    Args:
        ports: of the processes on this machine, one for each room; at least one.
        listen: address and port that visitors come to.
        folder: where nginx may write.

    Raises:
        ValueError: there is no process.
    """
    if not ports:
        raise ValueError("There is no process for visitors to be sent to.")
    template = jinja2.Template((HERE / "nginx.conf").read_text(encoding="utf-8"), autoescape=False)
    text: str = template.render(
        ports=list(ports),
        listen=listen,
        folder=str(folder),
        connections=CONNECTIONS,
        full=FULL,
    )
    return text
