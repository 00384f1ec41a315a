"""Every number of the original Transformer on one page, each one editable.

    import tinkerformer as tf

Importing this package is fast: the page's modules are imported when it is first shown.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .from_python.show import panel as panel
    from .from_python.show import show as show

_MADE_LATE = ("panel", "show")


def __getattr__(name: str) -> Any:
    if name not in _MADE_LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .from_python import show as made

    return getattr(made, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_MADE_LATE})
