"""The page as an object of Panel, for any layout, template or notebook."""

from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar, Self

from ..transport.panel import FramedPage
from .opened_page import open_page
from .page_object import PageObject
from .program_page import ProgramPage


class PanelPage(PageObject, FramedPage):
    """A page in a Panel app, with the parameters of the page and of Panel's layouts."""

    _rename: ClassVar[Mapping[str, str | None]] = dict.fromkeys(PageObject.UNSENT)

    def __init__(self, model: Any = None, source: Any = None, **given: Any) -> None:
        """Open a page; the arguments are those of `show`, and parameters of this class."""
        of_panel = {name: given.pop(name) for name in [*given] if name in FramedPage.param}
        selection = given.pop("selection", None)
        page, references = open_page({"model": model, "source": source, **given})
        self._begin(page, of_panel)
        self.param.update(**references)
        if selection is not None:
            self.selection = selection

    def _begin(self, page: ProgramPage, of_panel: Mapping[str, Any]) -> None:
        """Begin to show an existing page."""

        def shown() -> dict[str, str]:
            return {"title": self._title, "picture": self._picture}

        super().__init__(page, iframes=self._new_iframes, shown=shown, **of_panel)

    @classmethod
    def of(cls, page: ProgramPage, **of_panel: Any) -> Self:
        """Return a Panel object of an existing page."""
        made = cls.__new__(cls)
        made._begin(page, of_panel)
        return made

    def clone(self, *objects: Any, **params: Any) -> Self:
        if objects:
            raise TypeError("A page holds no other objects: clone takes names, as source=….")
        own = {name: getattr(self, name) for name in ("view", "parts", "lock", "selection")}
        return type(self)(**{**self.of_panel(), **own, "model": self.scenario, **params})

    def _refused(self, wishes: Mapping[str, Any], why: str) -> None:
        """Show the reason on the page, and reset linked widgets to the page's values."""
        self._page.say(why)
        self._complaints |= dict.fromkeys(wishes, why)
        for opened in {model.document for model, _ in self._models.values()} - {None}:
            opened.add_next_tick_callback(partial(self.param.trigger, *wishes))
