"""A proxy between the browser and the server that can delay, hold or cut connections."""

import socket
import threading
import time
from collections import deque
from contextlib import suppress

CHUNK = 1 << 16


class Proxy:
    """Passes every byte between its own port and another one, like a network.

    Attributes:
        url: the page's address through the proxy.
        delay: seconds by which data are delayed, in both directions.
    """

    def __init__(self, port: int, page: str) -> None:
        """Args: the port of the server; the last part of the page's address."""
        self._to = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.url = f"http://localhost:{self.port}/{page}"
        self.delay = 0.0
        self._is_open = threading.Event()
        self._is_open.set()
        self._pairs: list[_Pair] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def hold(self) -> None:
        """Hold all data, without closing connections, until `go_on`."""
        self._is_open.clear()

    def go_on(self) -> None:
        """Let data through again, held data first."""
        self._is_open.set()

    def strand(self) -> None:
        """Keep the present connections open, but pass no more data on them; new ones are normal."""
        for pair in self._pairs:
            pair.is_stranded = True

    def cut(self) -> None:
        """Close all connections."""
        for pair in self._pairs:
            pair.close()
        self._pairs.clear()

    def close(self) -> None:
        self._listener.close()
        self.go_on()
        self.cut()

    def wait(self) -> None:
        """Wait until data may pass."""
        self._is_open.wait()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                try:
                    far = socket.create_connection(("127.0.0.1", self._to))
                except OSError:
                    near.close()  # no server uses the port
                    continue
                self._pairs.append(_Pair(self, near, far))


class _Pair:
    """One connection, with the data in transit in each direction."""

    def __init__(self, proxy: Proxy, near: socket.socket, far: socket.socket) -> None:
        self._proxy = proxy
        self._ends = near, far
        self.is_stranded = False
        for one, other in ((near, far), (far, near)):
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            way: deque[tuple[float, bytes]] = deque()
            waiting = threading.Semaphore(0)
            for target, end in ((self._read, one), (self._write, other)):
                threading.Thread(target=target, args=(end, way, waiting), daemon=True).start()

    def close(self) -> None:
        for end in self._ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def _read(
        self, end: socket.socket, way: deque[tuple[float, bytes]], waiting: threading.Semaphore
    ) -> None:
        data = b"."
        while data:
            try:
                data = end.recv(CHUNK)
            except OSError:
                data = b""
            way.append((time.monotonic() + self._proxy.delay, data))
            waiting.release()

    def _write(
        self, end: socket.socket, way: deque[tuple[float, bytes]], waiting: threading.Semaphore
    ) -> None:
        while True:
            waiting.acquire()
            due, data = way.popleft()
            time.sleep(max(0.0, due - time.monotonic()))
            self._proxy.wait()
            if self.is_stranded:
                return
            if not data:
                self.close()
                return
            try:
                end.sendall(data)
            except OSError:
                self.close()
                return
