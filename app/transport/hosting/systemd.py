"""Notifies systemd that this process is ready, and then that its event loop still runs.

A message is one datagram to the socket named in the environment (`man sd_notify`). systemd restarts
a process that sends no message within the watchdog interval of its unit.
"""

import os
import socket
from contextlib import suppress

SOCKET = "NOTIFY_SOCKET"
ALLOWED = "WATCHDOG_USEC"  # the watchdog interval in microseconds
TIMES = 4  # messages per interval


def notify_systemd() -> None:
    """Notify systemd, if it runs, once the event loop has started, and then periodically."""
    address = os.environ.get(SOCKET, "")
    if not address:
        return

    from tornado.ioloop import IOLoop, PeriodicCallback

    place = "\0" + address[1:] if address.startswith("@") else address

    def say(text: bytes) -> None:
        # If a message is lost, the next message replaces it.
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as door:
            door.setblocking(False)
            door.sendto(text, place)

    IOLoop.current().add_callback(say, b"READY=1")
    allowed = os.environ.get(ALLOWED, "")
    if allowed.isdecimal():
        every = int(allowed) / 1000 / TIMES  # ms
        PeriodicCallback(lambda: say(b"WATCHDOG=1"), every).start()
