"""What is found out of a pass: at once where that is quick, beside the page where it takes long."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import Any, TypeVar

from .runtime.latest import Latest
from .runtime.page_session import PageSession
from .scenario.scenario import Scenario
from .session import pending_changes as coming

T = TypeVar("T")


def is_quick(scenario: Scenario, settings: int) -> bool:
    """Whether a pass at so many settings of a number keeps the other pages waiting for no time."""
    return coming.products(scenario) * settings <= coming.LARGE


class InTime:
    """One thing that is found again and again; what is overtaken is never shown.

    While a model learns it is asked for faster than it can be found, and would never be shown:
    what is asked of the same thing again waits there for what is under way, and only the last.
    """

    def __init__(self, page: PageSession) -> None:
        """Nothing yet.

        Args:
            page: that it is for.
        """
        self._beside = Latest(page)
        self._of: Hashable = None  # what is under way is of
        self._next: Callable[[], object] | None = None

    def find(
        self,
        make: Callable[[Callable[[], None]], T],
        show: Callable[[T], None],
        fail: Callable[[str], None],
        *,
        at_once: bool,
        of: Hashable = None,
    ) -> bool:
        """Find it and show it.

        Args:
            make: calls what it is given between pieces of its work, and ends if that raises.
            show: what was found.
            fail: says why nothing was, a sentence.
            at_once: it is quick.
            of: what it is of, if that is to be waited for.

        Returns:
            Whether it is shown later.
        """
        if at_once:
            self.forget()
            show(make(lambda: None))
            return False
        if of is not None and of == self._of:
            self._next = partial(self._begin, make, show, fail, of)
            return True
        return self._begin(make, show, fail, of)

    def _begin(
        self,
        make: Callable[[Callable[[], None]], T],
        show: Callable[[T], None],
        fail: Callable[[str], None],
        of: Hashable,
    ) -> bool:
        self._of, self._next = of, None

        def ends(tell: Callable[[Any], None], found: Any) -> None:
            following, self._of, self._next = self._next, None, None
            try:
                tell(found)
            finally:
                if following is not None:
                    following()

        return self._beside.make(make, partial(ends, show), partial(ends, fail))

    def forget(self) -> None:
        """Nothing that was begun is to be shown."""
        self._of = self._next = None
        self._beside.forget()
