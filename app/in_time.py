"""What is found out of a pass: at once where that is quick, beside the page where it takes long."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from . import coming
from .runtime.latest import Latest
from .runtime.page_session import PageSession
from .scenario.scenario import Scenario

T = TypeVar("T")


def is_quick(scenario: Scenario, settings: int) -> bool:
    """Whether a pass at so many settings of a number keeps the other pages waiting for no time."""
    return coming.products(scenario) * settings <= coming.LARGE


class InTime:
    """One thing that is found again and again; what is overtaken is never shown."""

    def __init__(self, page: PageSession) -> None:
        """Nothing yet.

        Args:
            page: that it is for.
        """
        self._beside = Latest(page)

    def find(
        self,
        make: Callable[[Callable[[], None]], T],
        show: Callable[[T], None],
        fail: Callable[[str], None],
        *,
        at_once: bool,
    ) -> bool:
        """Find it and show it.

        Args:
            make: calls what it is given between pieces of its work, and ends if that raises.
            show: what was found.
            fail: says why nothing was, a sentence.
            at_once: it is quick.

        Returns:
            Whether it is shown later.
        """
        if at_once:
            self._beside.forget()
            show(make(lambda: None))
            return False
        return self._beside.make(make, show, fail)

    def forget(self) -> None:
        """Nothing that was begun is to be shown."""
        self._beside.forget()
