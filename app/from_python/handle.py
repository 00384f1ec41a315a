"""The Python object of a page that a notebook displays below a cell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from .opened_page import open_page
from .page_object import PageObject
from .program_page import ProgramPage
from .unknown_names import is_of_panel_alone

if TYPE_CHECKING:
    from ..transport.notebook.widget import NotebookWidget
    from .panel_page import PanelPage

WANTED = "To be interactive in a notebook, the page needs anywidget: pip install anywidget."


class Handle(PageObject):
    """A page in a notebook; ``pn.Row(handle)`` also places it in a layout of Panel."""

    def __init__(self, page: ProgramPage, height: int) -> None:
        self._height = height
        self._widget: NotebookWidget | None = None
        super().__init__(page)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(_of_panel(name) or f"A page that show returns has no {name}.")

    def __setattr__(self, name: str, value: Any) -> None:
        if why := _of_panel(name):
            raise AttributeError(why)
        super().__setattr__(name, value)

    @property
    def widget(self) -> NotebookWidget:
        """The page as a notebook widget; the same object at each access.

        Raises:
            ImportError: anywidget is not installed.
        """
        if self._widget is None:
            try:
                from ..transport.notebook.widget import NotebookWidget
            except ModuleNotFoundError as error:
                if error.name != "anywidget":
                    raise
                raise ImportError(WANTED) from None
            shown = {"title": self._title, "picture": self._picture}
            self._widget = NotebookWidget(self._new_iframes, height=self._height, **shown)
        return self._widget

    def clone(self, **params: Any) -> Self:
        height = params.pop("height", self._height)
        selection = params.pop("selection", self.selection)
        given = {name: getattr(self, name) for name in ("view", "parts", "lock")}
        page, references = open_page({"model": self.scenario, **given, **params})
        made = type(self)(page, height)
        made.param.update(**references)
        if selection is not None:
            made.selection = selection
        return made

    def close(self) -> None:
        super().close()
        if self._widget is not None:
            self._widget.close()

    def __panel__(self) -> PanelPage:
        from .panel_page import PanelPage

        made: PanelPage = PanelPage.of(self._page, height=self._height)
        return made

    def _display_(self) -> NotebookWidget:
        """Display the page in marimo."""
        return self.widget

    def _ipython_display_(self) -> None:
        """Display the page in Jupyter and other IPython frontends."""
        from ..transport.notebook.display import display

        try:
            display(self._picture, self.widget)
        except ImportError as error:
            display(self._picture, str(error))


def _of_panel(name: str) -> str:
    """Return an error message if only objects of `tinkerformer.panel` have this name; else ""."""
    if name.startswith("_") or hasattr(Handle, name) or not is_of_panel_alone(name):
        return ""
    return f"{name} belongs to Panel objects: tinkerformer.panel(…) returns one that has it."
