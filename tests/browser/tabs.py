"""Browser contexts that tests use one after another, and checks of their requests."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, Request

USUAL = {"viewport": {"width": 1400, "height": 1000}, "bypass_csp": True}
BLANK = "/nothing"  # an address at which a server has no page
STORAGES = "localStorage.clear(); sessionStorage.clear();"
# Returns the elements for a selector, also in shadow trees, in document order.
ALL_OF = """window.allOf = (selector = "*", root = document) =>
  [...root.querySelectorAll("*")].flatMap((el) => [
    ...(el.matches(selector) ? [el] : []), ...(el.shadowRoot ? allOf(selector, el.shadowRoot) : []),
  ]);"""


class Contexts:
    """Contexts of one browser by their options; a context that is returned is used again.

    A browser takes twice as long for a page in a new process as in a tab that has shown the page.
    """

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self._idle: dict[str, list[BrowserContext]] = {}

    def take(self, options: dict[str, Any]) -> BrowserContext:
        """Return a context with at most one tab, which is blank."""
        idle = self._idle.get(str(options))
        return idle.pop() if idle else self.new(options)

    def new(self, options: dict[str, Any]) -> BrowserContext:
        """Return a new context, whose pages have ``allOf``."""
        # Playwright waits by evaluating text, which the page's policy forbids; see test_policy.py.
        context = self.browser.new_context(**{**USUAL, **options})
        context.add_init_script(ALL_OF)
        return context

    def give_back(self, context: BrowserContext, options: dict[str, Any], origin: str) -> None:
        """Keep a context for later use, with one blank tab and empty storages."""
        tab, *others = context.pages or [context.new_page()]
        for other in others:
            other.close()
        tab.set_default_timeout(30_000)  # Playwright's default
        tab.mouse.move(0, 0)
        tab.goto(f"{origin}{BLANK}")  # a page of the same origin, to clear its storages
        tab.evaluate(STORAGES)
        given = {**USUAL, **options}
        tab.emulate_media(color_scheme=given.get("color_scheme", "light"))
        if size := given["viewport"]:
            tab.set_viewport_size(size)
        self._idle.setdefault(str(options), []).append(context)


def new_tab(context: BrowserContext) -> Page:
    """Return the context's blank tab, or a new tab if there is none."""
    for page in context.pages:
        if page.url == "about:blank" or page.url.endswith(BLANK):
            return page
    return context.new_page()


@contextmanager
def watched(context: BrowserContext, origins: tuple[str, ...]) -> Iterator[None]:
    """Check that a context contacts only these origins, and that no script in it fails.

    Raises:
        AssertionError: at the end, with the other requests or the scripts' errors.
    """
    others: list[str] = []
    problems: list[str] = []

    def ask(request: Request) -> None:
        if not request.url.startswith((*origins, "data:", "blob:", "about:")):
            others.append(request.url)

    def fail(error: Any) -> None:
        problems.append(str(error.error))

    context.on("request", ask)
    context.on("weberror", fail)
    yield
    context.remove_listener("request", ask)
    context.remove_listener("weberror", fail)
    assert not others, f"The page asked another host: {others}"
    assert not problems, f"The page's script failed: {problems}"
