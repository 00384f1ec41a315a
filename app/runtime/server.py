"""The page as a web server of its own."""

from __future__ import annotations

from pathlib import Path

LOCAL_ADDRESSES = ("127.0.0.1", "localhost")


def serve_page(file: Path, *, port: int, address: str, show: bool) -> None:
    """Serve a page until the process is stopped.

    Args:
        file: what ``panel serve`` takes.
        port: to listen on.
        address: to listen on; from others than this machine's own any origin is let in.
        show: whether to open a browser window.
    """
    import panel as pn

    pn.serve(
        {"/": str(file)},
        port=port,
        address=address,
        show=show,
        title="Tinkerformer",
        websocket_origin=None if address in LOCAL_ADDRESSES else "*",
    )
