"""The page as an object of Panel, for any layout, template or notebook."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, Self

from ..transport.panel import FramedPage
from .opened_page import followed, opened_page
from .page_object import PageObject
from .program_page import ProgramPage, address_of


class PanelPage(PageObject, FramedPage):
    """A page in a Panel app, with the parameters of the page and of Panel's layouts."""

    _rename: ClassVar[Mapping[str, str | None]] = dict.fromkeys(PageObject.UNSENT)

    def __init__(  # noqa: PLR0913 - a keyword for each choice
        self,
        model: Any = None,
        source: Any = None,
        *,
        vocabulary: Any = None,
        data: Any = None,
        view: str = "picture",
        step: int = 1,
        parts: Sequence[str] | str | None = None,
        lock: str | bool = "",
        target: Any = None,
        selection: Any = None,
        **params: Any,
    ) -> None:
        """Open a page; the arguments are those of `show`, and parameters of this class."""
        of_panel = {name: params.pop(name) for name in [*params] if name in FramedPage.param}
        # The page opens with the current values of widgets and bound functions, then follows them.
        given = {"model": model, "source": source, "view": view, "target": target, **params}
        others, of_others = followed(given)
        model, source, view = (others.pop(name) for name in ("model", "source", "view"))
        address = address_of(view, parts, lock, step)
        page = opened_page(address, model, source, vocabulary, {**others, "data": data})
        self._begin(page, of_panel)
        self.param.update(**of_others)
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
