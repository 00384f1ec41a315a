"""What controls have in common in which one of several things is chosen."""

from __future__ import annotations

from typing import Any, ClassVar

import param

from .component import Component


class Choice(Component):
    """One of several names is chosen; ``value`` is it. A browser can choose no other."""

    value = param.String(default="", doc="The name that is chosen.")

    accepts: ClassVar[tuple[str, ...]] = ("value",)

    __abstract = True

    def names(self) -> list[str]:
        """What there is to choose from."""
        raise NotImplementedError

    def offers(self, name: str, raw: Any) -> bool:
        """See `Component.offers`."""
        return name != "value" or raw in self.names()
