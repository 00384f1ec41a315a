"""Fixtures for the served page in a real browser, which cannot reach any other host."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
import weakref
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from filelock import FileLock
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect, sync_playwright
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.session.link import encode
from tinkerformer.session.session_json import SavedSession
from tinkerformer.view_model.page_location import PageLocation

from tests.browser.static_site import ALIVE, Missing, StaticSite, built_in
from tests.browser.tabs import Contexts, new_tab, watched
from tests.browser.warm import Forked, Warm
from tests.units import free_ports

# Long, because the machine may be busy; these tests do not measure speed.
expect.set_options(timeout=15_000)

ROOT = Path(__file__).parents[2]
STARTS = 120_000  # ms: Python may have to start in the browser, on a busy machine

# The headless shell is the same browser without windows, and takes two thirds of the time.
NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Every name except this machine's fails to resolve.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
]
HOW_TO = (
    "No Chromium or Chrome was found: install one (Debian: apt-get install chromium), "
    "or run `playwright install chromium`."
)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark all tests of this folder with "browser", so that they can be selected."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("browser")
            if config.getoption("--site") == "static" and _is_of_a_server(item):
                item.add_marker(pytest.mark.skip(reason="is of what only a server has"))


def _is_of_a_server(item: pytest.Item) -> bool:
    fixtures = getattr(item, "fixturenames", ())
    return "own_server" in fixtures or item.get_closest_marker("served") is not None


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    own = playwright.chromium.executable_path
    if not found and not os.path.exists(own):
        if os.environ.get("CI") == "true":
            pytest.fail(HOW_TO)
        pytest.skip(HOW_TO)
    launched = playwright.chromium.launch(executable_path=found, args=FLAGS)
    yield launched
    launched.close()


class Server:
    """The page served as in the README, by another process, always at the same address."""

    def __init__(self, app: Path = ROOT / "app" / "main.py", *options: str, **environment: str):
        """Args: the page; more options of `panel serve`; variables of its environment."""
        self.app, self.options, self.environment = app, options, environment
        [self.port] = free_ports(1)
        self.url = f"http://localhost:{self.port}/{app.stem}"
        self.log = Path(tempfile.mkdtemp()) / "server.log"
        weakref.finalize(self, shutil.rmtree, self.log.parent, ignore_errors=True)

    def command(self) -> list[str]:
        return ["panel", "serve", str(self.app), *self.options]

    process: subprocess.Popen[bytes] | Forked

    def start(self) -> None:
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", *self.command(), "--port", str(self.port)],
                cwd=ROOT,
                env={**os.environ, **self.environment},
                stdout=subprocess.DEVNULL,
                stderr=log,
                start_new_session=True,
            )
        _wait_until_served(self)

    def stop(self) -> None:
        """Terminate the server, which can still save the coverage of the tests."""
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """End the server at once, as a crash does."""
        self.process.kill()
        self.process.wait(10)

    def said(self) -> str:
        """Return the server's log."""
        return self.log.read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def server(request: pytest.FixtureRequest) -> Iterator[str]:
    """Return the address of the page that most tests share; no message of it may be refused."""
    if request.config.getoption("--site") == "static":
        yield request.getfixturevalue("site").url
        return
    shared = Server()
    shared.start()
    yield shared.url
    shared.stop()
    assert "Refused what a browser said" not in shared.said()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StaticSite]:
    """Serve the static page, built once for all processes, by a file server of this process."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = tmp_path_factory.getbasetemp().parent / "static"
    else:
        folder = tmp_path_factory.mktemp("static")
    try:
        with FileLock(folder.with_suffix(".lock")):
            static = StaticSite(built_in(folder))
    except Missing as missing:
        pytest.skip(f"The static site is not tested: {missing}.")
    static.start()
    yield static
    static.stop()


@pytest.fixture(scope="session")
def warm() -> Iterator[Warm]:
    process = Warm()
    yield process
    process.close()


class QuickServer(Server):
    """The page's server, forked from a process that has imported the page."""

    def __init__(self, warm: Warm) -> None:
        super().__init__()
        self.warm = warm

    def start(self) -> None:
        command = [*self.command(), "--port", str(self.port)]
        self.process = self.warm.start(command, self.log)
        _wait_until_served(self)


@pytest.fixture
def own_server(warm: Warm) -> Iterator[Server]:
    """Start a server that the test may kill and start again."""
    own = QuickServer(warm)
    own.start()
    yield own
    own.stop()


def served(app: Path) -> Iterator[str]:
    """Serve an app and yield its address."""
    server = Server(app)
    server.start()
    yield server.url
    server.stop()


def _wait_until_served(server: Server) -> None:
    for _ in range(300):
        try:
            with urllib.request.urlopen(server.url, timeout=30) as answer:
                answer.read()
                return
        except OSError:
            if server.process.poll() is not None:
                pytest.fail(server.said())
            time.sleep(0.1)
    pytest.fail("The server did not answer within 30 seconds.")


@pytest.fixture(scope="session")
def contexts(browser: Browser) -> Contexts:
    return Contexts(browser)


@pytest.fixture
def new_context(
    contexts: Contexts, server: str, request: pytest.FixtureRequest
) -> Iterator[Callable[..., BrowserContext]]:
    """Return a function that makes browser contexts; fail if one contacts another host."""
    is_static = request.config.getoption("--site") == "static"  # a service worker would remain
    with ExitStack() as ends:

        def make(
            url: str = server, *others: str, fresh: bool = False, **options: object
        ) -> BrowserContext:
            """Args: the page; other origins that it may contact; whether only this test may use the
            context; the options of the context.
            """
            origin = url.rpartition("/")[0]
            is_fresh = fresh or others or url != server or is_static
            context = contexts.new(options) if is_fresh else contexts.take(options)
            if is_fresh:
                ends.callback(context.close)
            else:
                ends.callback(contexts.give_back, context, options, origin)
            ends.enter_context(watched(context, (origin, *others)))
            return context

        yield make


@pytest.fixture
def page(new_context, server: str) -> Page:
    """Open the sandbox, a small model with random weights, in the formulas."""
    return open_page(new_context(), server)


@pytest.fixture
def phrases(new_context, server: str) -> Page:
    """Open the page's first model, the phrase translator, in the formulas."""
    return open_first_page(new_context(), f"{server}?view=formulas")


@pytest.fixture
def whole(new_context, server: str) -> Page:
    """Open the page as a visitor first sees it: the phrase translator in one picture."""
    return open_first_page(new_context(), server)


@pytest.fixture
def still(new_context, server: str) -> Page:
    """Open the page with reduced motion: the camera moves without animation."""
    return open_first_page(new_context(reduced_motion="reduce"), server)


def open_page(context: BrowserContext, url: str, view: str = "formulas") -> Page:
    """Open a link's page; for an address without a session open the sandbox in a view.

    The formulas take the browser the longest, so tests of another view open that view.
    """
    if "#s=" in url or "?s=" in url:
        return open_first_page(context, url)
    page = open_first_page(context, f"{url}#s={stages_link(Scenario(), view=view)}")
    page.wait_for_function("!('model' in window.tinkerformer.scenario())")
    return page


def stages_link(scenario: Scenario, view: str = "formulas") -> str:
    """Return the code of a link that opens a scenario in the formulas or another view."""
    return encode(SavedSession(scenario, place=PageLocation().at(view)))


def open_first_page(context: BrowserContext, url: str) -> Page:
    """Open an address and wait until the page is ready."""
    page = new_tab(context)
    page.set_default_timeout(15_000)
    page.goto(url)
    page.wait_for_function(ALIVE, timeout=STARTS)
    if page.query_selector("script[type=module][src]"):
        page.set_default_timeout(STARTS)  # after a reload Python starts again
    return page
