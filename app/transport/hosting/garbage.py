"""Keeps the objects of a started server out of garbage collection, and collects less often.

Panel collects garbage whenever a session has ended, on the event loop: all pages waited 0.1-0.2 s
for it, because each collection visited every module, class and function of the process.
"""

import gc
from typing import Any

# How many are made between two collections. By default after 700: the few thousand of an edit were
# collected several times before it was answered.
NEW_OBJECTS = 20_000


def freeze_what_is_loaded(server: Any) -> None:
    """Exclude all objects that exist when a server's loop starts from later collections.

    By then, a server started with ``--warm`` has imported everything.
    """
    server.io_loop.add_callback(_freeze)


def _freeze() -> None:
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS, *gc.get_threshold()[1:])
