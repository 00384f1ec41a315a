"""What one user has chosen and is looking at; values derived from it are not stored."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any, NamedTuple

import param

from transformer_math import Trace

from ..decoding.settings import DecodingSettings
from ..experiments.lens_words import LensShown
from ..experiments.patch_map import Shown
from ..files import catalog
from ..inference.followed_lane import lane_after
from ..inference.forward_pass import ForwardPassRunner
from ..inference.writing import with_written_target
from ..matrices.address import CellAddress
from ..matrices.attention import AttentionFocus
from ..matrices.extent import LayerChoice
from ..matrices.oscillation import Oscillation
from ..matrices.resolved_cell import ResolvedCell, resolve_if_there
from ..matrices.values import ScenarioTrace
from ..scenario.lock import ALL, LOCKED, refusal
from ..scenario.model_names import PHRASES
from ..scenario.moments import Moments
from ..scenario.scenario import Scenario
from ..scenario.weights import Weights
from .address import LESSONS, PageAddress
from .lesson_progress import LessonPlace
from .page_location import Followed, Place
from .pending_changes import Arrived, Background, Change, PendingChanges
from .session_json import SavedSession
from .undo import Step, UndoHistory

AFRESH, UNDO = "afresh", "undo"  # actions that a message can offer

# Parameters that are saved with a session, and others that are drawn.
KEPT = (
    *("scenario", "selection", "baseline", "attention_focus", "place", "layer_choice", "decode"),
    *("lesson", "before_lesson", "tried_from"),
)
DRAWN = ("oscillation", "reach", "covered")

GIVEN_BACK = "The sentence and the numbers are again those of before the lesson."

WRITTEN_SECONDS = 0.7  # between updates of the generated text while a model trains
CALM_SECONDS = 0.1


class Offer(NamedTuple):
    """A message with an action that the user can take: ``AFRESH`` or ``UNDO``."""

    text: str
    what: str


class AppState(param.Parameterized):
    """The choices of one user: scenario, selection, location, history and lesson progress."""

    scenario = param.ClassSelector(class_=Scenario, doc="All that was chosen.")
    selection = param.ClassSelector(class_=CellAddress, allow_None=True, doc="The selected cell.")
    position = param.Integer(default=-1, doc="Whose next word is shown; −1: the last one's.")
    answer = param.Tuple(
        length=2, allow_None=True, doc="Position and word that the selected number is held against."
    )
    reach = param.Boolean(default=False, doc="Whether to mark what the selected cell reaches.")
    notice = param.String(default="", doc="A sentence for the user, shown once.")
    offer = param.ClassSelector(class_=Offer, allow_None=True, doc="A sentence with a button.")
    is_computing = param.Boolean(default=False, doc="Whether a change is being computed.")
    steps = param.Integer(default=0, doc="How often a step was begun, undone or done again.")
    fresh_starts = param.Integer(default=0, doc="How often everything was begun afresh.")
    oscillation = param.ClassSelector(class_=Oscillation, doc="How the selected cell swings.")
    attention_focus = param.ClassSelector(
        class_=AttentionFocus, allow_None=True, doc="What is shown large."
    )
    layer_choice = param.ClassSelector(
        class_=LayerChoice, doc="Layer and head that a large model is drawn of."
    )
    decode = param.ClassSelector(class_=DecodingSettings, doc="How the model is to write.")
    place = param.ClassSelector(class_=Place, doc="Where the reader is: view, camera and word.")
    lesson = param.ClassSelector(class_=LessonPlace, doc="Where the reader is in which lesson.")
    before_lesson = param.ClassSelector(
        class_=SavedSession, allow_None=True, doc="What the page was before the open lesson."
    )
    windows = param.Dict(default={}, doc="Where the windows on large matrices stand, by path.")

    tried_from = param.ClassSelector(
        class_=Scenario, allow_None=True, doc="What an experiment began with, until it is kept."
    )

    covered = param.ClassSelector(class_=tuple, default=(), doc="Cells that a question asks for.")

    learning = param.Boolean(default=False, doc="Whether a training changes its numbers now.")

    checked = param.NumericTuple(
        default=None, length=2, allow_None=True, doc="Held-out pairs that came out right, and all."
    )

    baseline = param.ClassSelector(class_=Scenario, allow_None=True, doc="Pinned to compare with.")

    lens = param.ClassSelector(class_=LensShown, doc="What would be written at each depth.")

    site_map = param.ClassSelector(class_=Shown, doc="Where the baseline's answer is carried.")

    def __init__(
        self,
        scenario: Scenario | None = None,
        address: PageAddress | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """
        Args:
            scenario: the scenario that the page opens with.
            address: the parsed URL of the page.
            clock: time in seconds from any origin; the only clock of the page.
        """
        self.clock = clock
        self.address = address or PageAddress()  # the parsed URL of the page
        self._first = scenario or catalog.first(PHRASES)
        super().__init__(
            scenario=self._first,
            oscillation=Oscillation(),
            layer_choice=LayerChoice(),
            decode=DecodingSettings(),
            site_map=Shown(),
            lens=LensShown(),
            place=self.address.place(Place()),
            lesson=self.address.lesson_place(LessonPlace()),
        )
        self.runner = ForwardPassRunner()
        self.version = 0  # incremented by each change that is drawn
        self.kept_version = 0  # the last version that changed something saved
        self.at: float | None = None  # when the current event happened; None for now
        self.history = UndoHistory(self.now)
        self.refused = ""  # why the last request was refused, until it is shown
        self._held = 0  # other models being loaded; all other changes wait for them
        self._when_settled: list[Callable[[], None]] = []
        self._pending: PendingChanges | None = None
        self.moments: Moments | None = None  # of the training that produced the weights
        self._written = 0.0
        self._known_written: Sequence[tuple[Scenario, Scenario]] = ()
        self.is_restoring = False  # while True, errors in watchers are raised
        self._baseline_runner = ForwardPassRunner(beside=self.runner)
        self.param.watch(self._count, [*KEPT, *DRAWN])
        self.param.watch(self._keep_followed, ["scenario", "place"])

    def _count(self, *events: param.parameterized.Event) -> None:
        self.version += 1
        if any(event.name in KEPT for event in events):
            self.kept_version = self.version

    def now(self) -> float:
        """The time of the current event in seconds: when it happened, if known, else now."""
        return self.clock() if self.at is None else self.at

    def refuse(self, sentence: str) -> None:
        """Set the message that says why a request was refused."""
        self.refused = self.notice = sentence

    def compute_in_background(self, background: Background) -> None:
        """From now on compute the passes of large models in the background."""
        self._pending = PendingChanges(
            background, self.runner, self._arrive, self._refuse, self._set_busy
        )

    def _set_busy(self, is_busy: bool) -> None:
        self.is_computing = is_busy
        self._settle()

    def hold(self) -> Callable[[], None]:
        """Defer all later changes until the returned function is called: another model is loading.

        Calling it more than once has no further effect.
        """
        self._held += 1
        is_held = True

        def release() -> None:
            nonlocal is_held
            if is_held:
                is_held = False
                self._held -= 1
                self._settle()

        return release

    @property
    def is_held(self) -> bool:
        """Whether another model is being loaded, so that later changes are deferred."""
        return self._held > 0

    @property
    def may_set_numbers(self) -> bool:
        """Whether only cell edits are pending, so that further edits can be added."""
        no_others = self._pending is None or self._pending.are_numbers(self.scenario)
        return not self._held and no_others

    @property
    def is_settled(self) -> bool:
        """Whether no change is pending."""
        return not self._held and not (self._pending and self._pending.changes)

    def when_settled(self, function: Callable[[], None]) -> None:
        """Call a function once no change is pending, immediately if none is."""
        self._when_settled.append(function)
        self._settle()

    def _settle(self) -> None:
        while self._when_settled and self.is_settled:
            self._when_settled.pop(0)()

    def _comes_later(self, change: Change) -> bool:
        """Whether a change is not shown now: it is computed in the background, or was refused."""
        if self._pending is None:
            return False
        try:
            return self._pending.take(self.scenario, change)
        except ValueError as error:
            self._refuse(str(error))
            return True

    def _arrive(self, arrived: Arrived) -> None:
        """Show a pass that was computed in the background."""
        self.runner.adopt(arrived.runner)
        *before, last = arrived.changes
        self._record([*before, last._replace(scenario=arrived.scenario)])
        self.scenario = arrived.scenario

    def _refuse(self, said: str) -> None:
        """Report that a change failed, and have views redraw the state that is still in effect."""
        self.refuse(said)
        self.param.trigger("scenario")

    def _record(self, changes: Sequence[Change]) -> Scenario:
        """Record the pending undo steps and return the last change."""
        now: Scenario = self.scenario
        for change in changes:
            now = change.since or now
            what = change.of, change.press, change.at
            if change.is_step and self.history.record(now, change.scenario, *what):
                self.steps += 1
            now = change.scenario
        return now

    def _cancel_pending(self) -> None:
        """Cancel pending changes, because something else is shown now."""
        if self._pending is not None:
            self._pending.cancel()

    def _keep_followed(self, *events: param.parameterized.Event) -> None:
        """Move the followed token with its word, and stop following it when the word is gone."""
        if self.is_restoring or any(event.name == "place" for event in events):
            return  # the location came with the scenario
        (event,) = events
        place = _place_after(self.place, event.old, event.new)
        if place is not self.place:  # comparing equal locations would cost more than the edit
            self.place = place

    def watch_calmly(self, function: Callable[..., None], names: str | list[str]) -> None:
        """Watch parameters, but at most ten times a second while the model trains.

        For views that are read; numbers on the board should be seen moving at every step.
        """
        last = 0.0

        def hear(*events: Any) -> None:
            nonlocal last
            now = self.clock()
            if not self.learning or now - last >= CALM_SECONDS:
                last = now
                function(*events)

        self.param.watch(hear, names)
        self.param.watch(hear, "learning")

    def change(self, scenario: Scenario, of: Hashable = None, press: int = 0) -> None:
        """Replace the scenario, which can be undone.

        Changes of the same thing (``of``) by one press of a pointer, or in quick succession without
        one, are one undo step. A change of something that the page's URL locks is refused with a
        message.
        """
        refused = refusal(self.address.lock, self.scenario, scenario)
        if refused:
            self.refuse(refused)
            return
        self.keep_tried()
        gone = [each for each in self.scenario.silences if not scenario.has_part(each)]
        if gone and scenario.model == self.scenario.model:
            self.notice = _lost(len(gone))
        change = Change(scenario, of, press, at=self.now())
        if scenario.model != self.asked.model:  # the pending model change is its own step
            change = change._replace(since=self._settled())
        if not self._comes_later(change):
            written = with_written_target(scenario, self.runner)
            self.scenario = self._record([change._replace(scenario=written)])

    def replace_weights(self, weights: Weights | None, steps: int) -> None:
        """Replace the weights after a training step; not an undo step, and dropout masks stay.

        During training the generated target is updated only now and then: matrices whose rows
        change at each step could not be read. It stays if the numbers are too large to generate
        one.
        """
        self.keep_tried()
        scenario, now = self.scenario.trained(weights, steps), self.clock()
        if not self.learning or now - self._written >= WRITTEN_SECONDS:
            self._written = now
            with suppress(ValueError):
                scenario = with_written_target(scenario, self.runner)
        self.scenario = scenario

    def may_open(self, scenario: Scenario) -> bool:
        """Whether the open lesson may load this scenario; if not, a message says so.

        The lesson named in the URL was chosen by whoever locked the page, so it may load anything.
        Any other lesson may change only what the user may.
        """
        if self.lesson.name and self.lesson.name == self.address.lesson:
            return True
        refused = refusal(self.address.lock, self.scenario, scenario)
        if refused:
            self.refuse(refused)
        return not refused

    def open_lesson(self, scenario: Scenario) -> None:
        """Load a scenario of the open lesson, if it is allowed to."""
        if not self.may_open(scenario):
            return
        self._cancel_pending()
        self.keep_tried()
        if self.history.record(self.scenario, scenario):
            self.steps += 1
        self.oscillation = self.oscillation._replace(on=False)
        self.scenario = scenario

    def leave_lesson(self) -> None:
        """Close the open lesson: show the list of lessons and restore the session from before it.

        The scenario that the lesson and the user left behind can be brought back by undo.
        """
        before, now = self.before_lesson, self.scenario
        lesson = self.lesson.went("")
        if before is None:  # the lesson was opened by a link, so there is no earlier session
            self.lesson = lesson
            self.go("view", LESSONS)
            return
        # Keep how the user draws numbers.
        view = now.view.changed("plane", before.scenario.view.plane)
        given = before._replace(
            scenario=before.scenario.with_view_settings(view),
            place=before.place._replace(view=LESSONS),
            decode=self.decode,
            lesson=lesson,
        )
        self.restore(given)
        if replace(self.scenario, view=now.view) != now:
            self.offer = Offer(GIVEN_BACK, UNDO)

    # -- experiments ---------------------------------------------------------------------------

    def may_try(self) -> bool:
        """Whether an experiment may change numbers here; if not, a message says so."""
        if self.address.lock == ALL:
            self.refuse(LOCKED)
        return self.address.lock != ALL

    def try_out(self, scenario: Scenario, begun: Scenario) -> None:
        """Show the current result of an experiment, with the target that the model generates.

        It becomes an undo step only when it is kept.
        """
        self._cancel_pending()
        self.oscillation = self.oscillation._replace(on=False)
        self.tried_from = begun
        self.scenario = scenario

    def keep_tried(self) -> None:
        """Keep the result of the experiment as one undo step."""
        if self.tried_from is None:
            return
        if self.history.record(self.tried_from, self.scenario):
            self.steps += 1
        self.tried_from = None

    def spring_back(self) -> None:
        """Revert to the scenario before the experiment."""
        begun, self.tried_from = self.tried_from, None
        if begun is not None:
            self.scenario = begun

    @property
    def asked(self) -> Scenario:
        """The scenario that was requested last; its pass may still be pending."""
        changes = [] if self._pending is None else self._pending.changes
        asked: Scenario = changes[-1].scenario if changes else self.scenario
        return asked

    def undo(self) -> None:
        """Return to the previous scenario; an oscillation stops first."""
        if self.oscillation.on:
            self.oscillation = self.oscillation._replace(on=False)
            return
        if self.tried_from is not None:
            self.spring_back()
            return
        now = self._settled()
        self._move(now, self.history.past, self.history.undo)

    def redo(self) -> None:
        """Return to the scenario that was undone last; the result of an experiment is discarded."""
        self.spring_back()
        now = self._settled()
        self._move(now, self.history.future, self.history.redo)

    def _settled(self) -> Scenario:
        """The last requested scenario and runner, as if its pass were computed already."""
        asked = [] if self._pending is None else [*self._pending.changes]
        self._cancel_pending()
        return self._record(asked)

    def _move(
        self, now: Scenario, steps: list[Step], to: Callable[[Scenario], Scenario | None]
    ) -> None:
        """Move to a step; steps stored by a tab do not include the generated target."""
        is_kept = bool(steps) and not isinstance(steps[-1], Scenario)
        try:
            found = to(now)
        except ValueError as error:
            self._say_unread(error)
            found = None
        self.steps += found is not None
        wanted = found or now
        if wanted is self.scenario:
            if found is not None:
                self.param.trigger("scenario")  # discard pending changes
            return
        if self._comes_later(Change(wanted, is_step=False)):
            return
        try:
            self.scenario = with_written_target(wanted, self.runner) if is_kept else wanted
        except ValueError as error:
            self._say_unread(error)

    def _say_unread(self, error: ValueError) -> None:
        self.notice = f"The steps that this tab had kept cannot be read. {error}"
        self.steps += 1  # stored steps were dropped, so there are fewer than counted

    def go(self, name: str, raw: Any) -> None:
        """Set one field of the location from plain data, for instance sent by a browser.

        Raises:
            ValueError: the value is invalid; the message is one sentence.
        """
        self.place = self.place.changed(name, raw)

    @property
    def kept(self) -> Scenario:
        """The scenario to save: the one before an experiment that is not kept."""
        begun: Scenario | None = self.tried_from
        return begun or self.scenario

    @property
    def saved(self) -> SavedSession:
        """Everything that is saved of the session."""
        selection = None if self.selection is None else tuple(self.selection)
        scenario = self.kept
        is_over = scenario.steps_taken >= scenario.recipe.steps
        has_moments = self.moments is not None and self.moments.are_of(scenario) and not is_over
        return SavedSession(
            scenario,
            selection,
            self.baseline,
            self.attention_focus,
            self.place,
            self.layer_choice,
            self.decode,
            self.lesson,
            self.before_lesson,
            self.moments if has_moments else None,
        )

    def restore(self, saved: SavedSession) -> None:
        """Replace the state by a saved session; the current scenario can be brought back by undo.

        Raises:
            ValueError: its numbers are too large to compute what the model would generate.
        """
        saved = saved._replace(scenario=self._with_written(saved.scenario, self.runner))
        if saved.baseline is not None:
            pinned = self._with_written(saved.baseline, self._baseline_runner)
            saved = saved._replace(baseline=pinned)
        place = _place_after(saved.place, saved.scenario, saved.scenario)
        self.tried_from = None  # undo returns to the result of the experiment
        self.history.record(self.scenario, saved.scenario)
        self._take(saved._replace(place=place))

    def start_afresh(self) -> None:
        """Reset to how the page opens; the scenario before can be brought back by undo.

        If the URL names a lesson, reset to the beginning of that lesson, even if the page is
        locked.
        """
        refused = refusal(self.address.lock, self.scenario, self._first)
        if refused and not self.address.lesson:
            self.refuse(refused)
            return
        kept = self.lesson.went("")
        self.restore(SavedSession(self._first, place=self.address.place(Place()), lesson=kept))
        self.lesson = self.address.lesson_place(kept)  # not as restored: the step starts again
        self.fresh_starts += 1

    def put_back(self, saved: SavedSession) -> None:
        """Revert a failed restore, without notifying watchers: another attempt follows."""
        with param.parameterized.discard_events(self):
            self._take(saved)

    def _take(self, saved: SavedSession) -> None:
        self._cancel_pending()
        # Set the scenario first: ending an oscillation reads matrices of the current scenario.
        self.is_restoring = True
        self.moments = saved.moments
        try:
            self.param.update(
                scenario=saved.scenario,
                baseline=saved.baseline,
                attention_focus=saved.attention,
                place=saved.place,
                layer_choice=saved.layers,
                decode=saved.decode,
                lesson=saved.lesson,
                before_lesson=saved.before,
                selection=None if saved.selection is None else CellAddress(*saved.selection),
                oscillation=self.oscillation._replace(on=False),
            )
        finally:
            self.is_restoring = False

    @contextmanager
    def adopting(
        self,
        runner: ForwardPassRunner,
        pinned: ForwardPassRunner,
        written: Sequence[tuple[Scenario, Scenario]],
    ) -> Iterator[None]:
        """While a session is restored, use passes that were computed in the background.

        Args:
            runner: holds the pass of the scenario.
            pinned: holds the pass of the pinned baseline.
            written: each scenario as parsed, and with the target that its model generates.
        """
        self.runner.adopt(runner)
        self._baseline_runner.adopt(pinned)
        self._known_written = written
        try:
            yield
        finally:
            self._known_written = ()

    def _with_written(self, scenario: Scenario, runner: ForwardPassRunner) -> Scenario:
        """The scenario with the target that its model generates, taken from the cache if known."""
        for read, written in self._known_written:
            if read == scenario:
                return written
        return with_written_target(scenario, runner)

    @property
    def pinned(self) -> ScenarioTrace | None:
        """The baseline and its runner; None if none is pinned."""
        if self.baseline is None:
            self._baseline_runner.release()
            return None
        runner = self._baseline_runner
        if not runner.has_pass_of(self.baseline) and self.runner.has_pass_of(self.baseline):
            runner.adopt(self.runner)  # pinning the shown scenario reuses its pass
        return ScenarioTrace(self.baseline, runner.trace(self.baseline))

    @property
    def shown(self) -> ScenarioTrace:
        """The scenario and its pass, with gradients if they are shown."""
        trace = self.trace
        if self.scenario.view.plane == "gradient":
            trace = self.runner.with_gradients(self.scenario)
        return ScenarioTrace(self.scenario, trace)

    @property
    def cell(self) -> ResolvedCell | None:
        """The selected cell in the current pass; None if none is selected or it does not exist."""
        selected: CellAddress | None = self.selection
        return None if selected is None else resolve_if_there(self.trace, selected)

    @property
    def trace(self) -> Trace:
        """The forward pass of the current scenario, computed on first access."""
        return self.runner.trace(self.scenario)


def _lost(count: int) -> str:
    what = "A part that was silenced is" if count == 1 else f"{count} parts that were silenced are"
    return f"{what} not in this model any more."


def _place_after(place: Place, before: Scenario, now: Scenario) -> Place:
    """The location after a change of the scenario; the same object if nothing in it changes."""
    if place.followed is None:
        return place
    stack, position = place.followed
    at = lane_after(stack, position, before, now)
    if at == position:
        return place
    return place._replace(followed=None if at is None else Followed(stack, at))
