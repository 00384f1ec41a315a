"""Computes the patch map, the places that carry the baseline's answer, while it is visible."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ..experiments.patch_map import Asked, Shown, most_apart, multiply_adds, site_map, words_apart
from ..inference import cost
from ..matrices.values import ScenarioTrace
from ..runtime.background import LatestJob
from ..runtime.page_session import PageSession
from ..session.results import Results
from ..session.state import AppState

NO_BASELINE = (
    "Pin a text first: press Compare from here, and then change the sentence or a number. The map "
    "says where in the model the difference is carried."
)
NO_PARTNER = "No token of the output is matched to one of the baseline."


class PatchMapView:
    """Updates ``results.patch_map`` while Measure or the patch plane is shown.

    The map is computed in a thread, one at a time; only the latest of several changes counts.
    """

    def __init__(self, state: AppState, results: Results, page: PageSession | None = None) -> None:
        self.state = state
        self.results = results
        self._latest = LatestJob(page or PageSession())
        self._of: object = None  # the key of the map shown or under way
        self._usual: tuple[object, int | None] = None, None  # a text's key, its default row
        state.param.watch(self._follow, "location")
        state.watch_calmly(self._follow, ["scenario", "baseline"])
        self._follow()

    @property
    def is_wanted(self) -> bool:
        """Whether the map is visible."""
        is_open: bool = self.state.location.open_drawer == "measure"
        return is_open or self.state.scenario.view.plane == "patch"

    def ask(self) -> None:
        """Compute the map, however long it takes."""
        self._of = None
        self._follow(is_asked=True)

    def _follow(self, *_: Any, is_asked: bool = False) -> None:
        if not self.is_wanted:
            return
        state, results = self.state, self.results
        of = (state.scenario, state.baseline, state.location.asked, state.location.word)
        if self._of is not None and of == self._of:
            return
        self._of = of
        self._latest.cancel()
        pinned = state.pinned
        if pinned is None:
            results.patch_map = Shown(problem=NO_BASELINE)
            return
        now = ScenarioTrace(state.scenario, state.trace)
        try:
            asked, words = self._asked(now, pinned)
        except ValueError as error:
            results.patch_map = Shown(problem=str(error))
            return
        shown, is_large = Shown(asked=asked, words=words), not cost.fits_unasked(multiply_adds(now))
        if is_large and not is_asked:
            results.patch_map = shown._replace(is_costly=True)
            return

        def fail(said: str) -> None:
            self._show(shown._replace(problem=said, is_costly=is_large))

        make = partial(_made, now, pinned, shown)
        if self._latest.run(make, self._show, fail, is_large=is_large):
            results.patch_map = results.patch_map._replace(is_busy=True)

    def _asked(self, now: ScenarioTrace, pinned: ScenarioTrace) -> tuple[Asked, tuple[str, ...]]:
        """The answer that the map is about, and the other words to choose from.

        Raises:
            ValueError: there is no such answer; one sentence.
        """
        location = self.state.location
        row = self._usual_row(now, pinned) if location.asked is None else location.asked
        if row is None:
            raise ValueError(NO_PARTNER)
        words = words_apart(now, pinned, row)
        known = set(pinned.scenario.output_vocabulary) & set(now.scenario.output_vocabulary)
        chosen = location.word if location.word in known else ""
        words = list(dict.fromkeys([*words, *filter(None, [chosen])]))
        if not words:
            raise ValueError("The two passes have no word in common that could come next.")
        return Asked(row, chosen or words[0]), tuple(words)

    def _usual_row(self, now: ScenarioTrace, pinned: ScenarioTrace) -> int | None:
        """The position where the two differ most; kept while numbers are edited or patched."""
        scenario = now.scenario
        typed = () if scenario.writes_itself else scenario.target
        of = (scenario.model, scenario.settings, scenario.source, typed, id(pinned.scenario))
        known, row = self._usual
        tokens = scenario.target if scenario.settings.decoder_layers else scenario.source
        if of != known or row is None or row >= len(tokens):
            self._usual = of, most_apart(now, pinned)
        return self._usual[1]

    def _show(self, shown: Shown) -> None:
        self.results.patch_map = shown


def _made(
    now: ScenarioTrace, pinned: ScenarioTrace, shown: Shown, go_on: Callable[[], None]
) -> Shown:
    assert shown.asked is not None
    try:
        return shown._replace(found=site_map(now, pinned, shown.asked, go_on))
    except ValueError as error:
        return shown._replace(problem=str(error))
