"""Keeps the objects of a started server out of garbage collection, and collects less often.

Panel collects garbage on the event loop whenever a session has ended. All pages waited 0.1-0.2 s
for each collection, which visited every module, class and function of the process.
"""

import gc
from typing import Any

# The number of new objects that starts a collection. An edit creates a few thousand objects, which
# caused several collections with the default of 700.
NEW_OBJECTS = 20_000


def freeze_what_is_loaded(server: Any) -> None:
    """When a server's loop starts, exclude all existing objects from later collections.

    By then, a server started with ``--warm`` has imported everything.
    """
    server.io_loop.add_callback(_freeze)


def _freeze() -> None:
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS, *gc.get_threshold()[1:])
