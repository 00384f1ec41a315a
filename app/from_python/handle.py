"""The Python handle of a displayed page, which reads what the user chooses and changes it.

It is a ``param`` object: ``handle.param.watch(f, "selection")`` calls f whenever the selection
changes, and ``pn.bind(f, handle.param.scenario)`` and ``@param.depends`` work.
"""

from __future__ import annotations

import math
import numbers
from functools import partial
from operator import index as whole_number
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import param

from transformer_math import Trace

from ..components.carriers.frame import IFrames
from ..components.carriers.frame.iframes import Tell
from ..matrices.address import CellAddress
from ..matrices.resolved_cell import resolve
from ..page.in_frame import bokeh_js, document
from ..scenario.lock import refusal
from ..scenario.scenario import Scenario
from .program_page import ProgramPage

if TYPE_CHECKING:
    from ..components.carriers.notebook.widget import NotebookWidget
    from ..components.carriers.panel import FramedPage

UNHEARD = "The page has not said yet that it shows this."
WANTED = "To be alive in a notebook it needs anywidget: pip install 'tinkerformer[notebook]'."


class _OfPage(param.Parameter):
    """A parameter whose value is the page's; setting it asks the page, which may decide
    otherwise.
    """

    def __set__(self, obj: Any, value: Any) -> None:
        if isinstance(obj, Handle) and not obj._is_told:
            obj._ask(self.name, value)
        else:
            super().__set__(obj, value)


class Handle(param.Parameterized):
    """A handle of one page; different handles share no state."""

    scenario: Scenario = _OfPage(doc="All that is chosen: words, settings, edits; never changed.")

    selection: CellAddress | None = _OfPage(doc="The selected cell: path, row, column; or None.")

    def __init__(self, page: ProgramPage, height: int) -> None:
        self._is_told = True
        self._page = page
        self._height = height
        self._picture = page.picture(f"tinkerformer-{uuid4().hex[:12]}")
        self._widget: NotebookWidget | None = None
        state = page.state
        super().__init__(scenario=state.scenario, selection=state.selection)
        self._is_told = False
        state.param.watch(self._follow, "selection")
        state.watch_calmly(self._follow, "scenario")

    @property
    def trace(self) -> Trace:
        """The forward pass of the scenario: ``handle.trace["output.probabilities"].value``."""
        with self._page.session.changing():
            return self._page.state.trace

    def set(self, path: str, index: Any, value: float) -> None:
        """Set one number, of a parameter or of a computed tensor.

        Args:
            path: the tensor's path as in ``trace``, or of one head:
                ``encoder.0.self_attn.head.1.W_q``.
            index: the index of the cell; a single integer for a vector. Negative indices count from
                the end.
            value: the new number.

        Raises:
            KeyError: there is no such tensor.
            ValueError: there is no such cell, or it cannot be set to this.
            TypeError: the index or the value has the wrong type.
        """
        number = _number(value)
        with self._page.changed_by_program():
            state = self._page.state
            at = _index(path, index, state.trace[path].shape)
            self._change(state.scenario.with_value(path, at, number))

    def restore(self, path: str, index: Any) -> None:
        """Restore a number that was changed by ``set``: the original parameter or the computed
        value.
        """
        with self._page.changed_by_program():
            state = self._page.state
            at = _index(path, index, state.trace[path].shape)
            self._change(state.scenario.without_value(path, at))

    def undo(self) -> None:
        """Undo one step, as on the page; an oscillation stops first."""
        with self._page.changed_by_program():
            self._page.state.undo()

    def redo(self) -> None:
        """Redo one step."""
        with self._page.changed_by_program():
            self._page.state.redo()

    def oscillate(self, on: bool = True) -> None:
        """Start or stop the oscillation of the selected number.

        Raises:
            ValueError: no number is selected, or it cannot be set.
        """
        with self._page.changed_by_program():
            state, selected = self._page.state, self._page.state.selection
            if on and (selected is None or not self._page.can_be_set(selected.path)):
                raise ValueError("Select a number that can be set first; then it can oscillate.")
            state.oscillation = state.oscillation._replace(on=bool(on))

    async def shown(self, patience: float = 10.0) -> None:
        """Wait until the browser has drawn all changes so far; return at once if none shows the
        page.

        Args:
            patience: the timeout in seconds.

        Raises:
            TimeoutError: the browser did not confirm in time. Some notebooks deliver widget
                messages only between two cells.
        """
        if not await self._page.session.until(lambda: self._page.is_shown, patience):
            raise TimeoutError(UNHEARD)

    def close(self) -> None:
        """Close the page: its training stops, and no browser can connect again."""
        self._page.close()
        if self._widget is not None:
            self._widget.close()

    # -- the parameters ----------------------------------------------------------------------

    def _follow(self, *_events: param.parameterized.Event) -> None:
        state = self._page.state
        found = {"scenario": state.scenario, "selection": state.selection}
        self._is_told = True
        try:
            # param compares most objects as unequal, even if nothing has changed.
            self.param.update(**{k: x for k, x in found.items() if getattr(self, k) != x})
        finally:
            self._is_told = False

    def _ask(self, name: str, value: Any) -> None:
        """Ask the page to take a value that the program sets."""
        change = self._take_scenario if name == "scenario" else self._take_selection
        with self._page.changed_by_program():
            change(value)

    def _take_scenario(self, value: Any) -> None:
        if not isinstance(value, Scenario):
            raise TypeError(f"The scenario is a Scenario, not a {type(value).__name__}.")
        state = self._page.state
        state.oscillation = state.oscillation._replace(on=False)
        self._change(value)

    def _change(self, scenario: Scenario) -> None:
        """Replace the scenario, unless that changes something locked."""
        state = self._page.state
        refused = refusal(state.address.lock, state.scenario, scenario)
        if refused:
            raise ValueError(refused)
        state.change(scenario)

    def _take_selection(self, value: Any) -> None:
        state = self._page.state
        cell = None if value is None else _cell(value, state.trace)
        if cell != state.selection:
            resting = state.oscillation._replace(on=False)
            state.update(selection=cell, oscillation=resting)

    # -- where it is shown -------------------------------------------------------------------

    def __repr__(self) -> str:
        return f"<the page of {self._page.title}>"

    __str__ = __repr__

    @property
    def widget(self) -> NotebookWidget:
        """The page as a notebook widget; the same object each time.

        Raises:
            ImportError: anywidget is not installed.
        """
        if self._widget is None:
            try:
                from ..components.carriers.notebook.widget import NotebookWidget
            except ModuleNotFoundError as error:
                if error.name != "anywidget":
                    raise
                raise ImportError(WANTED) from None
            shown = {"title": f"Tinkerformer: {self._page.title}", "picture": self._picture}
            self._widget = NotebookWidget(self._iframes, height=self._height, **shown)
        return self._widget

    def framed(self) -> FramedPage:
        """The page as a Panel object, which can be placed in any layout."""
        from ..components.carriers.panel import FramedPage

        return FramedPage(
            self._iframes,
            self,
            page_title=f"Tinkerformer: {self._page.title}",
            picture=self._picture,
            frame_height=self._height,
        )

    def _iframes(self, tell: Tell) -> IFrames:
        return IFrames(self._page, tell, partial(document, self._page.query), bokeh_js)

    def __panel__(self) -> FramedPage:
        return self.framed()

    def _display_(self) -> NotebookWidget:
        """Display the page in marimo."""
        return self.widget

    def _ipython_display_(self) -> None:
        """Display the page in Jupyter and other IPython frontends."""
        from ..components.carriers.notebook.display import display

        try:
            display(self._picture, self.widget)
        except ImportError as error:
            display(self._picture, str(error))


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"A cell is set to a number, not to {value!r:.40}.")
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"A cell is set to a finite number, not to {number}.")
    return number


def _index(path: str, index: Any, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Normalize an index to nonnegative integers for all axes."""
    given = index if isinstance(index, tuple | list) else (index,)
    try:
        found = tuple(whole_number(i) for i in given)
    except TypeError:
        raise TypeError(f"An index is of whole numbers, not {index!r:.40}.") from None
    if len(found) != len(shape):
        raise ValueError(f"{path} has {len(shape)} axes, and {index!r:.40} is of {len(found)}.")
    return tuple(i + n if i < 0 else i for i, n in zip(found, shape, strict=True))


def _cell(value: Any, trace: Trace) -> CellAddress:
    """The cell of a drawn matrix for an index into a tensor of the pass."""
    if not isinstance(value, tuple | list) or len(value) != 3 or not isinstance(value[0], str):
        raise TypeError(f"A selection is a path, a row and a column, not {value!r:.60}.")
    path, *place = value
    row, column = _index(path, place, (1 << 62, 1 << 62))
    return resolve(trace, CellAddress(path, row, column)).address
