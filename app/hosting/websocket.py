"""Send small websocket messages at once.

Bokeh leaves Nagle's algorithm on: the kernel holds back the second small packet of a message until
the browser has acknowledged the first, which costs up to 40 ms a message. With it off, acknowledged
animation went from 17-20 to 56-60 frames a second. There is no setting for it, hence the wrapper
round the moment a socket opens.
"""

from __future__ import annotations

import sys
from typing import Any

from ..runtime.wrapping import Method, wrap_once


def send_small_messages_at_once() -> None:
    """Turn Nagle's algorithm off for every websocket opened from now on; twice is harmless.

    For a server. The import stands inside because in Pyodide there is neither Tornado nor a socket,
    yet this module is imported.
    """
    if sys.platform == "emscripten":
        return

    from bokeh.server.views.ws import WSHandler

    def at_once(opened: Method) -> Method:
        def open(self: Any, *args: Any, **kwargs: Any) -> Any:
            # None once the peer has gone: Tornado then has no stream to set.
            if self.ws_connection is not None:
                self.set_nodelay(True)
            return opened(self, *args, **kwargs)

        return open

    wrap_once(WSHandler, "open", at_once)
