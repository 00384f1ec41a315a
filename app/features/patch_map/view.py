"""Computes the patch map, the sites that carry the baseline's answer, while it is visible."""

from typing import Any

from ...experiments.patch_map import (
    Asked,
    SiteMap,
    most_apart,
    multiply_adds,
    site_map,
    words_apart,
)
from ...model.inference import cost
from ...model.matrices.values import ScenarioTrace
from ...session.results import PatchMap, Results
from ...session.state import AppState
from ...transport.runtime.derived import Derived
from ...transport.runtime.page_session import PageSession

NO_BASELINE = (
    "Pin a text first: press Compare from here, then change the sentence or a number. The map "
    "then shows where in the model the difference travels."
)
NO_PARTNER = "No token of the output matches one of the baseline."


class PatchMapView:
    """Updates ``results.patch_map`` while Measure or the patch plane is shown."""

    def __init__(self, state: AppState, results: Results, page: PageSession | None = None) -> None:
        self.state = state
        self.results = results
        self._map: Derived[SiteMap] = Derived(page or PageSession(), self._follow)
        self.ask = self._map.ask
        self._usual: tuple[object, int | None] = None, None  # a text's key, its default row
        state.watch_calmly(self._follow, ["scenario", "baseline", "location"])
        self._follow()

    @property
    def is_wanted(self) -> bool:
        """Whether the map is visible."""
        is_open: bool = self.state.location.open_drawer == "measure"
        return is_open or self.state.scenario.view.plane == "patch"

    def _follow(self, *_: Any) -> None:
        if not self.is_wanted:
            return
        try:
            self.results.patch_map = self._found()
        except ValueError as error:
            self._map.drop()
            self.results.patch_map = PatchMap(problem=str(error))

    def _found(self) -> PatchMap:
        """Return the map, perhaps still in computation; a ValueError explains a missing map."""
        state, pinned = self.state, self.state.pinned
        if pinned is None:
            raise ValueError(NO_BASELINE)
        now = ScenarioTrace(state.scenario, state.trace)
        asked, words = self._asked(now, pinned)
        work = multiply_adds(now)
        found = self._map.want(
            (now.scenario.undrawn, pinned.scenario, asked),
            lambda check: site_map(now, pinned, asked, check),
            cost.level(work, passes=True),
            subject=(now.scenario.model_key, pinned.scenario.model_key),
            on_request=not cost.fits_unasked(work),
        )
        return PatchMap(asked, words, result=found)

    def _asked(self, now: ScenarioTrace, pinned: ScenarioTrace) -> tuple[Asked, tuple[str, ...]]:
        """Return the map's answer and the words to choose from; may raise a ValueError."""
        location = self.state.location
        row = self._usual_row(now, pinned) if location.asked is None else location.asked
        if row is None:
            raise ValueError(NO_PARTNER)
        words = words_apart(now, pinned, row)
        known = set(pinned.scenario.output_vocabulary) & set(now.scenario.output_vocabulary)
        chosen = location.word if location.word in known else ""
        words = list(dict.fromkeys([*words, *filter(None, [chosen])]))
        if not words:
            raise ValueError("The two models have no word in common that they could write.")
        return Asked(row, chosen or words[0]), tuple(words)

    def _usual_row(self, now: ScenarioTrace, pinned: ScenarioTrace) -> int | None:
        """Return the position where the outputs differ most; it stays the same during edits."""
        scenario = now.scenario
        typed = () if scenario.writes_itself else scenario.target
        of = (scenario.model, scenario.settings, scenario.source, typed, id(pinned.scenario))
        known, row = self._usual
        if of != known or row is None or row >= len(scenario.output_tokens):
            self._usual = of, most_apart(now, pinned)
        return self._usual[1]
