"""A base class for controls that choose one of several names."""

from typing import Any, ClassVar

import param

from .component import Component


class Choice(Component):
    """A choice of one name, ``value``; a browser can choose only the offered names."""

    value = param.String(default="", doc="The name of the chosen option.")

    accepts: ClassVar[tuple[str, ...]] = ("value",)

    __abstract = True

    def names(self) -> list[str]:
        """Return the names to choose from."""
        raise NotImplementedError

    def offers(self, name: str, raw: Any) -> bool:
        """Return whether a value may be set; see `Component.offers`."""
        return name != "value" or raw in self.names()
