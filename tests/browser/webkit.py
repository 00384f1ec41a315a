"""WebKit as Debian ships it: the MiniBrowser of WebKitGTK, driven by WebDriver over HTTP."""

import base64
import contextlib
import json
import os
import shutil
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from tests.browser.engine import SIZE, Engine, NotInstalled, ScriptError
from tests.units import free_ports

DRIVER, SCREEN = "WebKitWebDriver", "Xvfb"
BROWSERS = (
    "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser",
    "/usr/lib/aarch64-linux-gnu/webkit2gtk-4.1/MiniBrowser",
)
FRAME = 200  # px that the window's frame may take


class WebKit(Engine):
    """A window on a virtual screen.

    Raises:
        NotInstalled: the driver, the browser or the virtual screen is missing.
    """

    def __init__(self) -> None:
        self._browser = next((path for path in BROWSERS if os.path.exists(path)), None)
        if not (self._browser and shutil.which(DRIVER) and shutil.which(SCREEN)):
            raise NotInstalled(
                "There is no WebKit (Debian: apt-get install webkit2gtk-driver xvfb)."
            )
        self._session = ""
        read, write = os.pipe()
        wide, high = (side + FRAME for side in SIZE)
        screen = f"{wide}x{high}x24"
        options = ("-displayfd", str(write), "-screen", "0", screen, "-nolisten", "tcp")
        self._screen = subprocess.Popen(
            [SCREEN, *options], pass_fds=(write,), stderr=subprocess.DEVNULL
        )
        os.close(write)
        with os.fdopen(read) as told:
            display = f":{told.readline().strip()}"
        [port] = free_ports(1)
        self._url = f"http://127.0.0.1:{port}/session"
        self._driver = subprocess.Popen(
            [DRIVER, f"--port={port}"],
            env={**os.environ, "DISPLAY": display, "GDK_BACKEND": "x11"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            self._begin()
        except BaseException:
            self.close()
            raise

    def _begin(self) -> None:
        options = {"binary": self._browser, "args": ["--automation"]}
        wanted = {"alwaysMatch": {"webkitgtk:browserOptions": options, "pageLoadStrategy": "none"}}
        for tries in range(100):
            try:
                self._session = self._call("POST", "", capabilities=wanted)["sessionId"]
                break
            except OSError:  # the driver does not listen yet
                assert tries < 99, f"{DRIVER} did not start."
                time.sleep(0.1)
        width, height = SIZE
        for _ in range(50):  # the size of a window includes its frame
            self._call("POST", "/window/rect", x=0, y=0, width=width, height=height)
            inside = self.evaluate("[innerWidth, innerHeight]")
            if tuple(inside) == SIZE:
                return
            width += SIZE[0] - inside[0]
            height += SIZE[1] - inside[1]
            time.sleep(0.2)
        raise AssertionError(f"The window stayed {inside}.")

    def close(self) -> None:
        with contextlib.suppress(ScriptError, OSError):  # the browser has ended, or hangs
            if self._session:
                self._call("DELETE", "")
        for process in (self._driver, self._screen):
            process.terminate()
            process.wait(30)

    def open(self, url: str) -> None:
        self._call("POST", "/url", url=url)

    def reload(self) -> None:
        self._call("POST", "/refresh")

    def evaluate(self, script: str) -> Any:
        return self._call("POST", "/execute/sync", script=f"return {script}", args=[])

    def perform(self, sources: list[dict[str, Any]]) -> None:
        self._call("POST", "/actions", actions=sources)

    def picture(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self._call("GET", "/screenshot")))

    def _call(self, method: str, command: str, **body: Any) -> Any:
        """Send a command of WebDriver and return its value.

        Raises:
            ScriptError: the command fails, for example because a script throws.
            OSError: the driver does not answer.
        """
        address = f"{self._url}/{self._session}{command}" if self._session else self._url
        data = json.dumps(body).encode() if method == "POST" else None
        kind = {"Content-Type": "application/json"}
        request = urllib.request.Request(address, data, kind, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.loads(answer.read())["value"]
        except urllib.error.HTTPError as error:
            raise ScriptError(error.read().decode(errors="replace")) from None
