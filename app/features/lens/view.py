"""Computes the lens, the tokens predicted at each depth, while it is visible."""

from typing import Any

from ...experiments.lens_words import Lens, lens_words, multiply_adds
from ...model.inference import cost
from ...session.results import Results
from ...session.state import AppState
from ...transport.runtime.derived import Derived
from ...transport.runtime.page_session import PageSession


class LensView:
    """Updates ``results.lens`` while the page shows Measure, or the picture with the lens on."""

    def __init__(self, state: AppState, results: Results, page: PageSession | None = None) -> None:
        self.state = state
        self.results = results
        self._lens: Derived[Lens] = Derived(page or PageSession(), self._follow)
        self.ask = self._lens.ask
        state.watch_calmly(self._follow, ["scenario", "location"])
        self._follow()

    def _follow(self, *_: Any) -> None:
        location, scenario = self.state.location, self.state.scenario
        is_measured = location.open_drawer == "measure"
        if not (is_measured or (location.lens and location.view == "picture")):
            return
        trace, model = self.state.trace, self.state.runner.model(scenario)
        work = multiply_adds(scenario, trace)
        self.results.lens = self._lens.want(
            scenario.undrawn,
            lambda _check: lens_words(scenario, trace, model),
            cost.level(work, passes=True),
            subject=scenario.model_key,
            on_request=not cost.fits_unasked(work),
        )
