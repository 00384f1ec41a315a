"""What systemd is told of this process: that it serves, and then that its event loop still runs.

A message is one datagram to the socket that systemd names in the environment (`man sd_notify`).
systemd ends and starts again a process that has told nothing for as long as its unit allows.
"""

from __future__ import annotations

import os
import socket
from contextlib import suppress

SOCKET = "NOTIFY_SOCKET"
ALLOWED = "WATCHDOG_USEC"  # microseconds between two messages
TIMES = 4  # messages within that time


def notify_systemd() -> None:
    """Tell it as soon as the event loop runs, and as often as asked; elsewhere nothing is done."""
    address = os.environ.get(SOCKET, "")
    if not address:
        return

    from tornado.ioloop import IOLoop, PeriodicCallback

    place = "\0" + address[1:] if address.startswith("@") else address

    def say(text: bytes) -> None:
        # Where nobody hears it just now the next one will be heard.
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as door:
            door.setblocking(False)
            door.sendto(text, place)

    IOLoop.current().add_callback(say, b"READY=1")
    allowed = os.environ.get(ALLOWED, "")
    if allowed.isdecimal():
        every = int(allowed) / 1000 / TIMES  # ms
        PeriodicCallback(lambda: say(b"WATCHDOG=1"), every).start()
