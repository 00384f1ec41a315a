"""Computes the lens, the tokens predicted at each depth, while it is visible."""

from __future__ import annotations

from typing import Any

from ..experiments.depths import read_stack
from ..experiments.lens_words import LensShown, lens_words, multiply_adds
from ..inference import cost
from ..runtime.background import LatestJob
from ..runtime.page_session import PageSession
from ..session.results import Results
from ..session.state import AppState


class LensView:
    """Updates ``results.lens`` while Measure is open, or the picture with the lens on."""

    def __init__(self, state: AppState, results: Results, page: PageSession | None = None) -> None:
        self.state = state
        self.results = results
        self._latest = LatestJob(page or PageSession())
        self._of: object = None
        state.param.watch(self._follow, "location")
        state.watch_calmly(self._follow, "scenario")
        self._follow()

    def ask(self) -> None:
        """Compute the lens, however long it takes."""
        self._of = None
        self._follow(is_asked=True)

    def _follow(self, *_: Any, is_asked: bool = False) -> None:
        location, scenario = self.state.location, self.state.scenario
        is_measured = location.open_drawer == "measure"
        is_wanted = is_measured or (location.lens and location.view == "picture")
        if not is_wanted or scenario is self._of:
            return
        self._of = scenario
        self._latest.cancel()
        trace = self.state.trace
        is_large = not cost.fits_unasked(multiply_adds(scenario, trace))
        if is_large and not is_asked:
            self.results.lens = LensShown(read_stack(scenario), is_costly=True)
            return
        model = self.state.runner.model(scenario)

        def fail(said: str) -> None:
            self.state.notice = said
            self._show(LensShown(read_stack(scenario), is_costly=is_large))

        self._latest.run(
            lambda _go_on: lens_words(scenario, trace, model), self._show, fail, is_large=is_large
        )

    def _show(self, shown: LensShown) -> None:
        self.results.lens = shown
