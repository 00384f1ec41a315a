"""The interface through which the test in all browsers drives each of them."""

import time
from pathlib import Path
from typing import Any

SIZE = (1440, 862)
Point = tuple[float, float]


class NotInstalled(Exception):
    """This machine does not have a browser; the message names its package."""


class ScriptError(Exception):
    """An evaluated script threw, perhaps because the page is not ready for it."""


class Engine:
    """A window with one page, in any of the browsers."""

    def open(self, url: str) -> None:
        raise NotImplementedError

    def reload(self) -> None:
        raise NotImplementedError

    def evaluate(self, script: str) -> Any:
        """Return an expression's value: a string, a number, a bool, a list or None.

        Raises:
            ScriptError: the expression threw.
        """
        raise NotImplementedError

    def perform(self, sources: list[dict[str, Any]]) -> None:
        """Move the pointer or press keys, given as actions of WebDriver."""
        raise NotImplementedError

    def picture(self, path: Path) -> None:
        """Write a screenshot to a PNG file."""
        raise NotImplementedError

    def close(self) -> None:
        raise NotImplementedError

    def wait_for(self, script: str, seconds: float = 120) -> None:
        """Wait until a script's value is true, even if another page opens meanwhile."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                if self.evaluate(f"Boolean({script})"):
                    return
            except ScriptError:
                pass
            time.sleep(0.1)
        raise AssertionError(f"After {seconds:g} s, this is still not true: {script}")

    def drag(self, start: Point, end: Point, steps: int = 8) -> None:
        """Press at a point, move to another in ``steps`` steps, and release."""
        (x, y), (to_x, to_y) = start, end
        path = [
            (x + (to_x - x) * k / steps, y + (to_y - y) * k / steps) for k in range(1, steps + 1)
        ]
        self._point([_move(start), _button("Down"), *map(_move, path), _button("Up")])

    def click(self, at: Point) -> None:
        self._point([_move(at), _button("Down"), _button("Up")])

    def type(self, text: str) -> None:
        """Type characters; a newline presses Enter."""
        keys = [{"type": kind, "value": _key(key)} for key in text for kind in ("keyDown", "keyUp")]
        self.perform([{"type": "key", "id": "keys", "actions": keys}])

    def _point(self, actions: list[dict[str, Any]]) -> None:
        kind = {"pointerType": "mouse"}
        self.perform([{"type": "pointer", "id": "mouse", "parameters": kind, "actions": actions}])


def _key(key: str) -> str:
    return "\ue007" if key == "\n" else key


def _move(to: Point) -> dict[str, Any]:
    return {"type": "pointerMove", "x": round(to[0]), "y": round(to[1]), "duration": 20}


def _button(way: str) -> dict[str, Any]:
    return {"type": f"pointer{way}", "button": 0}
