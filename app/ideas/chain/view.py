"""Shows the chain rule at one number, and along a chain of numbers."""

from collections.abc import Sequence
from typing import Any

from ... import theme
from ...components.component import Message, Placed, changes
from ...components.form.fields import choice
from ...components.form.form import Form
from ...components.layout import HTML, Column
from ...model.matrices.address import read_address
from ...model.matrices.resolved_cell import resolve
from ...session.background_gradients import BackgroundGradients
from ..kit.picture import CONTROLS, ROOM, IdeaPicture
from ..kit.prose import paragraphs
from ..settings import ChainSettings
from .chain import ChainRule
from .computation import (
    Chain,
    Trial,
    backward,
    begun,
    can_try,
    chain_data,
    chain_of,
    chain_sentence,
    offered,
    onward,
    order_of,
    shown_at,
    trial,
    trial_steps,
    way_sentence,
)

NOT_FINITE = "A number here is infinite or not a number, so there is no gradient to explain."


class ChainPicture(IdeaPicture):
    """The terms of one number's gradient; pressing a term continues the chain with its number."""

    name = "chain"
    watched = ("scenario", "ideas", "selection", "location")

    def parts(self) -> Sequence[Placed]:
        self._backward = BackgroundGradients(self.state, self.page, self._on_change)
        self._found: tuple[object, Chain] | None = None  # the cache key, and the chain
        # The order of the bars is kept while the number is dragged.
        self._order: tuple[object, list[int]] | None = None
        self.form = Form(layout="row", stylesheets=[CONTROLS], margin=ROOM)
        self.form.param.watch(self._on_form, "value")
        self._tried: tuple[object, Trial | None] | None = None  # the cache key, and the trial
        self.bars = ChainRule(on_message=self.hear)
        self._notes = HTML(stylesheets=[theme.PROSE], margin=ROOM)
        self._picture = Column(self.form, self.said, self.bars, self._notes)
        self._none = HTML(stylesheets=[theme.PROSE], visible=False)
        self.state.watch(self._on_selection, ["selection", "ideas"])
        return [self._picture, self._none]

    # -- drawing -------------------------------------------------------------------------------

    def draw(self) -> None:
        state = self.state
        scenario = state.scenario
        gradients = self._backward.want()
        if gradients.status != "ready":
            self._show_none(gradients.note)
            return
        found, trace = self._chain(), state.trace
        if not found.is_finite:
            self._show_none(NOT_FINITE)
            return
        self._picture.visible, self._none.visible = True, False
        key = found.shown.cell.address, len(found.terms)
        if self._order is None or self._order[0] != key or not state.dragging:
            self._order = key, order_of(found)
        tried = None if state.dragging else self._trial(found)
        self.bars.data = chain_data(scenario, trace, found, self._order[1], tried)
        self.say(chain_sentence(scenario, found, tried))
        if not state.dragging:
            self._fill(found)

    def _trial(self, found: Chain) -> Trial | None:
        """Return the trial of the shown number, computed once per trace; None if it is too slow."""
        if not can_try(self.state.scenario):
            return None
        trace, cell = self.state.trace, found.shown.cell
        key = trace, cell.address
        if self._tried is None or self._tried[0] != key:
            self._tried = key, trial(trace, cell, trial_steps(cell))
        return self._tried[1]

    def _fill(self, found: Chain) -> None:
        """Update the form and the notes, which stay the same during a drag."""
        scenario, trace = self.state.scenario, self.state.trace
        first, *options = offered(scenario, trace, found)
        fields = [choice("cell", "begin with", first[0], [first, *options])]
        if fields != self.form.fields:
            self.form.fields = fields
        self._notes.object = paragraphs([way_sentence(scenario, found)])

    def _show_none(self, why: str) -> None:
        self._picture.visible, self._none.visible = False, True
        self._none.object = paragraphs([why])

    def _chain(self) -> Chain:
        """Return the chain of the current forward pass, computed once."""
        state = self.state
        trace = state.runner.with_gradients(state.scenario)
        key = trace, self.settings, state.selection, self.row_in_header
        if self._found is None or self._found[0] != key:
            self._found = key, chain_of(trace, self.settings, state.cell, self.row_in_header)
        return self._found[1]

    # -- from the browser ----------------------------------------------------------------------

    def _on_selection(self, *events: Any) -> None:
        """Restart the chain at a number selected elsewhere, unless a link also sets the chain."""
        if [event.name for event in events] == ["selection"] and self.state.selection is not None:
            self.choose(ChainSettings())

    def _on_form(self, event: Any) -> None:
        address = read_address(changes(event).get("cell", ""))
        # Filling fields also triggers this event.
        if address is not None and address != self._chain().links[0].cell.address:
            self.choose(begun(resolve(self.state.trace, address)))

    def on_message(self, message: Message) -> None:
        state, kind = self.state, message["type"]
        found = self._chain()
        if kind == "link":
            self.choose(shown_at(self.settings, found, message["index"]))
        elif kind == "onward":
            self.choose(onward(self.settings, found, message["index"]))
        elif kind == "back":
            self.choose(backward(self.settings, found, state.trace, message["index"]))
        else:
            # Keep the dragged number shown, even if its gradient changes.
            self.choose(shown_at(self.settings, found, found.at))
            cell = found.shown.cell
            changed = state.scenario.with_value(cell.stored, cell.full, message["value"])
            of = ("chain", *cell.address)
            state.change(changed, of, message["press"], held=message["held"])
