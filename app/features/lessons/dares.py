"""Scores the open dare, and updates the score with the page."""

from collections.abc import Callable
from typing import Any

from ...dares import words
from ...dares.attempt import Attempt, essence
from ...dares.score import Score, score
from ...dares.score import is_slow as is_slow_dare
from ...lessons.format import Dare, as_json
from ...model.inference import cost
from ...model.inference.forward_pass import ForwardPassRunner
from ...model.scenario.scenario import Scenario
from ...session import link as permalink
from ...session.lesson_progress import LessonProgress
from ...session.session_json import SavedSession
from ...session.state import AppState
from ...transport.runtime.derived import Derived
from ...transport.runtime.page_session import PageSession

FEW = 200  # with more edits, measuring them takes longer than a pass
# The most characters of a link: enough for an attempt by a pull, which changes every number.
MAX_ATTEMPT = 60_000


class OpenDare:
    """Scores the page, and the attempt that a link opened, for the dare of the open step.

    A score is computed from the scenario only, so that a link cannot forge one. Slow scores are
    computed in a thread, for the newest scenario.
    """

    def __init__(self, state: AppState, page: PageSession, tell: Callable[[], None]) -> None:
        """``tell`` is called when there is a new score to show."""
        self._state = state
        self._scores: Derived[Score] = Derived(page, tell)
        self._runner = ForwardPassRunner(beside=state.runner)
        self._dare: Dare | None = None
        self._name = ""
        self._given: Scenario = state.scenario
        self._of: Scenario | None = None  # the scenario of the score, or of its computation
        self._shared: Scenario | None = None  # the attempt opened by a link
        self._shared_score: Score | None = None

    def begin(self, name: str, dare: Dare | None, given: Scenario) -> None:
        """Begin the dare of an entered step; ``dare`` is None if the step has no dare."""
        if (name, dare) != (self._name, self._dare):
            self._shared = self._shared_score = None
        self._scores.drop()
        self._name, self._dare, self._given = name, dare, given
        self._of = None

    def take_shared(self, scenario: Scenario) -> None:
        """Store the scenario opened by a link as an attempt to beat."""
        if self._dare is not None and not self._is_same(scenario, self._given):
            self._shared = scenario
            self._shared_score = self._score if self._is_same(self._of, scenario) else None

    def refresh(self) -> None:
        """Score the page's scenario unless its score is known, but not during training."""
        dare, scenario, runner = self._dare, self._state.scenario, self._runner
        if dare is None or self._state.learning:
            return
        self._of, attempt = scenario, Attempt(self._given, scenario)
        is_slow = is_slow_dare(dare) or cost.is_large(scenario) or len(scenario.edits) > FEW
        is_large = dare.may == "training" or cost.is_large(scenario)
        if is_slow:
            runner = self._state.runner.aside()  # a runner for the thread
        elif self._state.runner.has_pass_of(scenario):
            runner.adopt(self._state.runner)
        self._scores.want(
            essence(dare, scenario),
            lambda check: score(dare, attempt, runner, check),
            "cheap" if not is_slow else "large" if is_large else "slow",
            finishes=True,
        )
        if self._score is not None and self._is_same(scenario, self._shared):
            self._shared_score = self._score

    @property
    def _score(self) -> Score | None:
        """Return the score of the page's scenario; None while it is being computed."""
        found = self._scores.result
        if found.status == "failed":
            return Score(refused=found.note)
        return found.value if found.status == "ready" else None

    def _is_same(self, one: Scenario | None, other: Scenario | None) -> bool:
        """Return whether two scenarios count as the same attempt."""
        if one is None or other is None or self._dare is None:
            return False
        return one is other or essence(self._dare, one) == essence(self._dare, other)

    def shown(self) -> dict[str, Any]:
        """Return the status of the dare, for the panel."""
        dare, found = self._dare, self._score
        if dare is None:
            return {}
        always = {
            "name": self._name,
            "best": words.measure(dare, dare.best),
            "by": dare.by,
            "more": dare.is_better(1, 0),
            "shared": self._said_of_shared(),
            "told": self.told(),
            "busy": found is None,
        }
        if found is None:
            return always
        return {
            **always,
            "reached": found.is_reached,
            "refused": found.refused,
            "what": found.what,
            "shows": as_json(found.shows),
            "value": found.value,
            "said": None if found.value is None else words.measure(dare, found.value),
            "is_best": self._counts(found) and not dare.is_better(dare.best, found.value or 0.0),
            "is_shared": self._is_same(self._of, self._shared),
            "is_given": self._is_same(self._state.scenario, self._given),
        }

    def told(self) -> dict[str, Any] | None:
        """Return the score as reported to programs and course pages; None if there is none."""
        dare, found = self._dare, self._score
        if dare is None or found is None:
            return None
        return {
            "dare": self._name,
            "score": found.value,
            "reached": self._counts(found),
            "best": dare.best,
            "measure": dare.measure,
            "said": words.sentence(dare, found),
        }

    def code(self) -> str | None:
        """Return the link code of the page, with only the dare; None if it would be too long."""
        state = self._state
        lesson = LessonProgress(state.lesson.name, state.lesson.step)
        saved = SavedSession(state.scenario, place=state.location, lesson=lesson)
        code = permalink.encode(saved)
        return code if len(code) <= MAX_ATTEMPT else None

    def _counts(self, found: Score) -> bool:
        return found.is_reached and not found.refused and found.value is not None

    def _said_of_shared(self) -> str:
        """Return a sentence on the attempt opened by a link; empty if there is none."""
        dare, found = self._dare, self._shared_score
        if dare is None or self._shared is None:
            return ""
        best = f"best known {words.measure(dare, dare.best)}"
        if found is None:
            return f"An attempt that was shared with you: its score is being computed; {best}."
        if found.value is None:
            return f"An attempt that was shared with you. {found.refused}"
        reached = "" if found.is_reached else ", which does not reach the goal"
        score_said = words.measure(dare, found.value)
        return f"An attempt that was shared with you: {score_said}{reached}; {best}."
