"""The introduction next to the view: what the page is, and three things to try on its model."""

from __future__ import annotations

from typing import Any

from ..components.guide.guide import Guide
from ..explain import suggestions
from ..explain.suggestions import Look, Swap
from ..matrices.address import CellAddress
from ..runtime.page_session import PageSession
from ..scenario.scenario import Scenario
from ..session.state import AppState
from ..typed_text import isolated

DOES = {"phrases": " that translates English into French", "dates": " that writes out dates"}


class GuideView:
    """Chooses things to try from the model's numbers, and does one when its button is pressed.

    All of them can be undone. They change with the model or the text, and stay otherwise.
    """

    def __init__(self, state: AppState, page: PageSession | None = None) -> None:
        self.state = state
        self.guide = Guide(value=_line(state.scenario))
        self.guide.on_press(self._on_press)
        self._does: dict[str, Swap | Look | CellAddress] = {}
        self._of: object = None
        self._page = page or PageSession()
        state.watch_calmly(self._fill, "scenario")
        self._fill()

    def _fill(self, *_: Any) -> None:
        scenario = self.state.scenario
        of = (scenario.model, scenario.settings, scenario.source, _written_by_reader(scenario))
        if of == self._of:
            return
        self._of = of
        # Choosing takes several forward passes: show the page first.
        self._page.schedule(self._choose)

    def _choose(self) -> None:
        state, scenario, trace = self.state, self.state.scenario, self.state.trace
        found: dict[str, tuple[Swap | Look | CellAddress, str]] = {}
        swap = suggestions.swap(scenario, trace)
        token = None if swap is None else getattr(scenario, swap.side)[swap.position]
        if swap is not None:
            found["swap"] = swap, f"Change “{_said(token)}” to “{_said(swap.token)}”"
        look = suggestions.look(scenario, trace, state.runner, swap.position if swap else None)
        if look is not None:
            found["look"] = look, _look_label(scenario, look)
        cell = None if token is None else suggestions.swing(scenario, trace, token)
        if cell is not None:
            found["swing"] = cell, f"Make a number of “{_said(token)}” swing"
        self._does = {name: what for name, (what, _) in found.items()}
        things = [(name, label) for name, (_, label) in found.items()]
        self.guide.param.update(value=_line(scenario), things=things)

    def _on_press(self, name: str) -> None:
        state, scenario, what = self.state, self.state.scenario, self._does.get(name)
        if isinstance(what, Swap):
            tokens = list(getattr(scenario, what.side))
            if what.position < len(tokens):
                tokens[what.position] = what.token
                state.change(scenario.with_tokens(what.side, tokens))
        elif isinstance(what, Look):
            self._select(CellAddress(what.path, what.row, what.column))
            state.change(suggestions.looking_only(scenario, what))
        elif what is not None:
            self._select(what, swings=True)

    def _select(self, cell: CellAddress, swings: bool = False) -> None:
        oscillation = self.state.oscillation
        if oscillation.on:
            self.state.oscillation = oscillation._replace(on=False)
        self.state.selection = cell
        if swings:
            self.state.oscillation = oscillation._replace(on=True)


def _line(scenario: Scenario) -> str:
    count = scenario.config.parameter_count()
    does = DOES.get(scenario.data.name, "") if scenario.data else ""
    return f"A whole Transformer{does}. Every one of its {count:,} numbers can be changed here."


def _written_by_reader(scenario: Scenario) -> tuple[str, ...]:
    return () if scenario.writes_itself else scenario.target


def _look_label(scenario: Scenario, look: Look) -> str:
    path = look.path.split(".")
    is_crossing, is_encoder = path[2] == "cross_attn", path[0] == "encoder"
    keys = scenario.source if is_crossing or is_encoder else scenario.target
    head, key = int(path[path.index("head") + 1]) + 1, _said(keys[look.column])
    if is_encoder:
        return f"Let head {head} of “{_said(keys[look.row])}” look only at “{key}”"
    word = _said(scenario.target[look.row + 1])
    return f"Writing “{word}”, let head {head} look only at “{key}”"


def _said(token: str | None) -> str:
    return "∅" if not token else isolated(token.replace(" ", "␣"))
