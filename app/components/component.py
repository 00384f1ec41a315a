"""What the controls have in common."""

from pathlib import Path
from typing import Any, ClassVar

from panel.custom import JSComponent

SHARED = Path(__file__).parent / "shared"


class Control(JSComponent):
    """A component whose properties only travel down; what the user does is a message.

    So a message handler is the one door to check at, and Panel need not
    listen to every property of every component of every session.
    """

    __abstract = True

    _linked_properties: ClassVar[tuple[str, ...]] = ()

    # There are no compiled bundles; Panel would look for them at every page that is opened.
    _bundle_path: ClassVar[None] = None

    def __init__(self, **params: Any) -> None:
        params.setdefault("sizing_mode", "stretch_width")
        super().__init__(**params)


def styles(*files: Path) -> list[str]:
    """The shared style sheet and a component's own, as one."""
    sheets = (SHARED / "base.css", *files)
    return ["\n".join(file.read_text(encoding="utf-8") for file in sheets)]
