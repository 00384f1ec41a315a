"""Firefox as Debian ships it, driven by WebDriver BiDi, which Firefox itself supports."""

import asyncio
import base64
import contextlib
import json
import shutil
import subprocess
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from tornado.httpclient import HTTPClientError
from tornado.websocket import WebSocketClientConnection, WebSocketError, websocket_connect

from tests.browser.engine import SIZE, Engine, NotInstalled, ScriptError
from tests.units import free_ports

NAMES = ("firefox-esr", "firefox")
# Parts of Firefox's errors about a navigation that another event has ended.
INTERRUPTED = ("NS_BINDING_ABORTED", "interrupted an unfinished navigation")
ANSWERS = 30  # s within which an answer must arrive, even from a page that trains


class Firefox(Engine):
    """A window with one page, and a profile that is deleted with it.

    Raises:
        NotInstalled: there is no Firefox.
    """

    def __init__(self) -> None:
        executable = next((path for name in NAMES if (path := shutil.which(name))), None)
        if executable is None:
            raise NotInstalled("There is no Firefox (Debian: apt-get install firefox-esr).")
        # In another thread, because Playwright's loop runs in the thread of the tests.
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._profile = tempfile.mkdtemp()
        [port] = free_ports(1)
        options = ("--headless", "--remote-debugging-port", str(port), "--profile", self._profile)
        self._process = subprocess.Popen(
            [executable, *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self._count = 0
        self._socket: WebSocketClientConnection | None = None
        try:
            self._open(port)
        except BaseException:
            self.close()
            raise

    def _open(self, port: int) -> None:
        self._socket = self._run(self._connected(f"ws://127.0.0.1:{port}/session"))
        self._call("session.new", capabilities={})
        self._page = self._call("browsingContext.getTree")["contexts"][0]["context"]
        size = dict(zip(("width", "height"), SIZE, strict=True))
        self._call("browsingContext.setViewport", context=self._page, viewport=size)

    def close(self) -> None:
        with contextlib.suppress(WebSocketError, TimeoutError):  # Firefox has ended, or hangs
            if self._socket:
                self._run(self._left(self._socket), ANSWERS)
        self._process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(30)
        self._process.kill()
        self._process.wait()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        shutil.rmtree(self._profile, ignore_errors=True)

    def open(self, url: str) -> None:
        """Open an address; try again if the page before it interrupts the navigation."""
        for last in (False, False, True):
            with contextlib.suppress(ScriptError):
                self.evaluate("void (window.isLeft = true)")
            try:
                self._call(
                    "browsingContext.navigate", ANSWERS, context=self._page, url=url, wait="none"
                )
            except (AssertionError, TimeoutError) as error:
                is_lost = isinstance(error, TimeoutError) or any(
                    each in str(error) for each in INTERRUPTED
                )
                if last or not is_lost:
                    raise
            if self._has_left():
                return
        raise AssertionError(f"Firefox did not open {url}.")

    def _has_left(self) -> bool:
        """Return whether the marked page is replaced by another within some seconds."""
        end = time.monotonic() + ANSWERS
        while time.monotonic() < end:
            with contextlib.suppress(ScriptError, AssertionError):
                if self.evaluate("window.isLeft !== true"):
                    return True
            time.sleep(0.1)
        return False

    def reload(self) -> None:
        self._call("browsingContext.reload", context=self._page, wait="none")

    def evaluate(self, script: str) -> Any:
        target = {"context": self._page}
        asked = {"expression": script, "target": target, "awaitPromise": True}
        try:
            found = self._call("script.evaluate", ANSWERS, **asked)
        except TimeoutError as error:  # a page that closes may not answer
            raise ScriptError("Firefox gave no answer.") from error
        if found["type"] == "exception":
            raise ScriptError(found["exceptionDetails"]["text"])
        return _plain(found["result"])

    def perform(self, sources: list[dict[str, Any]]) -> None:
        self._call("input.performActions", context=self._page, actions=sources)

    def picture(self, path: Path) -> None:
        data = self._call("browsingContext.captureScreenshot", context=self._page)["data"]
        path.write_bytes(base64.b64decode(data))

    def _call(self, method: str, seconds: float = 120, /, **params: Any) -> Any:
        self._count += 1
        message = json.dumps({"id": self._count, "method": method, "params": params})
        answer = self._run(self._answer(message, self._count), seconds)
        assert answer["type"] == "success", answer
        return answer["result"]

    async def _left(self, connection: WebSocketClientConnection) -> None:
        connection.close()
        while await connection.read_message() is not None:
            pass

    async def _answer(self, message: str, number: int) -> Any:
        assert self._socket
        await self._socket.write_message(message)
        while True:
            said = await self._socket.read_message()
            assert said is not None, "Firefox has closed."
            answer = json.loads(said)
            if answer.get("id") == number:
                return answer

    async def _connected(self, url: str) -> WebSocketClientConnection:
        for _ in range(300):
            try:
                return await websocket_connect(url, max_message_size=1 << 26)
            except (OSError, HTTPClientError, WebSocketError):  # not yet
                await asyncio.sleep(0.2)
        raise AssertionError("Firefox did not start.")

    def _run(self, work: Any, seconds: float = 120) -> Any:
        done = asyncio.run_coroutine_threadsafe(asyncio.wait_for(work, seconds), self._loop)
        return done.result()


def _plain(remote: dict[str, Any]) -> Any:
    """Return the Python value of WebDriver BiDi's description of a value."""
    value = remote.get("value")
    return [_plain(each) for each in value] if remote["type"] == "array" else value
