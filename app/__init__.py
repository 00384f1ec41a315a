"""Every number of the original Transformer on one page, each one editable.

    import tinkerformer as tf

Importing this package is fast, because it imports the page's modules only at the first use of one
of its names.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .from_python.handle import Handle as Handle
    from .from_python.panel_page import PanelPage as PanelPage
    from .from_python.show import panel as panel
    from .from_python.show import show as show

__all__ = ["Handle", "PanelPage", "panel", "show"]

# Name -> the module that defines it.
_MADE_LATE = {"Handle": "handle", "PanelPage": "panel_page", "panel": "show", "show": "show"}


def __getattr__(name: str) -> Any:
    if name not in _MADE_LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.from_python.{_MADE_LATE[name]}"), name)


def __dir__() -> list[str]:
    """Return only the public names, because the modules of the package are internal."""
    return [*__all__]
