"""Runs a function on the event loop of the server.

Bokeh handles the events of a document in worker threads from 3.10 on, and on the event loop before.
The tasks of a page run on the loop.
"""

import asyncio
from collections.abc import Callable

import panel as pn
from panel.io.state import set_curdoc


def on_loop(function: Callable[[], None]) -> None:
    """Call a function now, or in the next turn of the current document if no loop runs here.

    A program without a server has no loop; there the function is called now, too.
    """
    document = pn.state.curdoc
    if _is_here() or document is None or document.session_context is None:
        function()
        return

    async def turn() -> None:
        with set_curdoc(document):
            function()

    document.add_next_tick_callback(turn)


def _is_here() -> bool:
    """Whether an event loop runs in this thread."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
