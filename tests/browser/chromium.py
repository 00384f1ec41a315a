"""Chromium as an engine of the test in all browsers; other tests use Playwright directly."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Error

from tests.browser.engine import SIZE, Engine, ScriptError


class Chromium(Engine):
    """One page, in a context of its own."""

    def __init__(self, browser: Browser) -> None:
        self._context = browser.new_context(
            viewport={"width": SIZE[0], "height": SIZE[1]}, bypass_csp=True
        )
        self._page = self._context.new_page()

    def close(self) -> None:
        self._context.close()

    def open(self, url: str) -> None:
        self._page.goto(url, wait_until="commit")

    def reload(self) -> None:
        self._page.reload(wait_until="commit")

    def evaluate(self, script: str) -> Any:
        try:
            return self._page.evaluate(script)
        except Error as error:
            raise ScriptError(str(error)) from None

    def perform(self, sources: list[dict[str, Any]]) -> None:
        mouse = self._page.mouse
        for action in (action for source in sources for action in source["actions"]):
            match action["type"]:
                case "pointerMove":
                    mouse.move(action["x"], action["y"])
                case "pointerDown":
                    mouse.down()
                case "pointerUp":
                    mouse.up()
                case "keyDown":
                    key = action["value"]
                    self._page.keyboard.press("Enter" if key == "\ue007" else key)

    def picture(self, path: Path) -> None:
        self._page.screenshot(path=path)
