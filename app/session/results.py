"""Results that one view computes and other views show."""

from typing import NamedTuple

import param

from ..experiments.patch_map import Asked, SiteMap
from ..model.scenario.scenario import Scenario
from ..transport.runtime.derived import Result


class PatchMap(NamedTuple):
    """The state of the patch map."""

    asked: Asked | None = None  # known even if the map is not computed
    words: tuple[str, ...] = ()  # other words that can be watched at the asked position
    problem: str = ""  # why the map cannot be computed; empty if it can
    result: Result[SiteMap] = Result()  # its key: the undrawn scenario, the baseline, the answer

    def found_in(self, scenario: Scenario) -> SiteMap | None:
        """Return the map of a scenario; None if it is not computed."""
        is_of = self.result.status == "ready" and self.result.key[0] == scenario.undrawn
        return self.result.value if is_of else None


class Results(param.Parameterized):
    """Results that are computed in the background and shown in several places of a page.

    The results follow from the state, so the state lacks them; they are neither saved nor undone.
    They are slow to compute, so they are computed once for all views. Views do not import each
    other, so the page passes this object to them.
    """

    lens = param.ClassSelector(
        class_=Result, default=Result(), doc="The prediction at each depth, by scenario."
    )

    patch_map = param.ClassSelector(
        class_=PatchMap, default=PatchMap(), doc="The places that carry the baseline's answer."
    )

    singles = param.Dict(default={}, doc="Path -> a mark for each number that grants a wish alone.")

    checked = param.NumericTuple(
        default=None,
        length=2,
        allow_None=True,
        doc="The number of correct held-out pairs, and of all.",
    )

    score = param.Dict(
        default=None, allow_None=True, doc="The state of the attempt at the open dare."
    )
