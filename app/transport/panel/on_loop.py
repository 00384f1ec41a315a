"""Runs a function on the server's event loop.

From version 3.10 on, Bokeh handles the events of a document in worker threads; earlier versions do
so on the event loop, on which the tasks of a page run.
"""

import asyncio
from collections.abc import Callable

import panel as pn
from panel.io.state import set_curdoc


def on_loop(function: Callable[[], None]) -> None:
    """Call a function now if an event loop runs in this thread, else in the document's next turn.

    Without a server there is no loop, and the function is called now.
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
    """Return whether an event loop runs in this thread."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
