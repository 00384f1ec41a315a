"""A separate server for the measurements of the page, and a browser that visits it."""

import contextlib
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Playwright, ViewportSize

from tests.browser.conftest import FLAGS, NAMES
from tests.load.server import answered
from tests.units import free_ports

ROOT = Path(__file__).parents[2]
MEASURES = Path(__file__).parent / "measures.js"
PATIENCE = 300_000  # ms: a page of many figures takes half a minute even on an idle machine
BINARY = 2  # the opcode of a WebSocket frame with bytes
SIZE: ViewportSize = {"width": 1400, "height": 1000}


def launched(playwright: Playwright) -> Browser:
    """Return the browser found on this machine."""
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    return playwright.chromium.launch(executable_path=found, args=FLAGS)


def blank(browser: Browser, size: ViewportSize = SIZE, density: float = 1) -> Page:
    """Open an empty page in a new context, with the measuring script.

    The context ignores the page's policy, which forbids the scripts by which Playwright waits.
    """
    context = browser.new_context(bypass_csp=True, viewport=size, device_scale_factor=density)
    context.add_init_script(path=MEASURES)
    context.set_default_timeout(PATIENCE)
    return context.new_page()


def received(page: Page) -> list[int]:
    """Collect the sizes in bytes of everything that a page receives from now on."""
    came: list[int] = []
    network = page.context.new_cdp_session(page)
    network.on("Network.loadingFinished", lambda told: came.append(told["encodedDataLength"]))
    network.on("Network.webSocketFrameReceived", lambda told: came.append(_length(told)))
    network.send("Network.enable")
    return came


def _length(told: dict[str, Any]) -> int:
    """Return the size of a WebSocket frame in bytes; the browser reports bytes in base64."""
    data = told["response"]["payloadData"]
    return len(data) * 3 // 4 if told["response"]["opcode"] == BINARY else len(data.encode())


def opened(browser: Browser, url: str, view: str = "stages") -> Page:
    """Open the page in a view, and wait until it shows numbers and is at rest."""
    page = blank(browser)
    page.goto(f"{url}?view={view}")
    page.wait_for_function("window.tinkerformer?.frames > 0")
    page.wait_for_timeout(1000)
    return page


@contextlib.contextmanager
def served(app: str = "app/main.py") -> Iterator[tuple[str, int]]:
    """Start a server of the page or of another app; yield its address and process.

    Raises:
        OSError: the server does not answer.
    """
    (port,) = free_ports(1)
    command = [sys.executable, "-m", "panel", "serve", app, "--port", str(port)]
    process = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    url = f"http://localhost:{port}/{Path(app).stem}"
    try:
        answered(url)
        yield url, process.pid
    finally:
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(10)
        process.kill()  # a busy server may not react
        process.wait()
