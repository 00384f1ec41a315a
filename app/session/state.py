"""What one user has chosen and is looking at. No derived value is stored."""

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

AFRESH, UNDO = "afresh", "undo"  # what the page may offer beside a sentence

# What is kept of a session, and what else is drawn.
KEPT = (
    *("scenario", "selection", "baseline", "attention_focus", "place", "layer_choice", "decode"),
    *("lesson", "before_lesson", "tried_from"),
)
DRAWN = ("oscillation", "reach", "covered")

GIVEN_BACK = "The sentence and the numbers are again those of before the lesson."

WRITTEN_SECONDS = 0.7  # between two sentences of a model that learns
CALM_SECONDS = 0.1


class Offer(NamedTuple):
    """A sentence, and what can be done about it: ``AFRESH`` or ``UNDO``."""

    text: str
    what: str


class AppState(param.Parameterized):
    """The current scenario, the selected cell and its oscillation."""

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
            scenario: what the page opens with.
            address: what the page was asked for.
            clock: seconds, from any start; the one clock of everything on the page.
        """
        self.clock = clock
        self.address = address or PageAddress()  # what the page was asked for
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
        self.version = 0  # counts the changes of what is drawn
        self.kept_version = 0  # the last of them that changed what is kept of a session
        self.at: float | None = None  # when what is done now was done; None: now
        self.history = UndoHistory(self.now)
        self.refused = ""  # why what was asked for last was not done, until somebody takes it
        self._held = 0  # other models on their way, for which everything else waits
        self._when_settled: list[Callable[[], None]] = []
        self._pending: PendingChanges | None = None
        self.moments: Moments | None = None  # of the training that gave the model its weights
        self._written = 0.0
        self._known_written: Sequence[tuple[Scenario, Scenario]] = ()
        self.is_restoring = False  # whether views hear of what was kept, and are to raise at once
        self._baseline_runner = ForwardPassRunner(beside=self.runner)
        self.param.watch(self._count, [*KEPT, *DRAWN])
        self.param.watch(self._keep_followed, ["scenario", "place"])

    def _count(self, *events: param.parameterized.Event) -> None:
        self.version += 1
        if any(event.name in KEPT for event in events):
            self.kept_version = self.version

    def now(self) -> float:
        """The time of what is done now, in seconds: when it was done, if that is known."""
        return self.clock() if self.at is None else self.at

    def refuse(self, sentence: str) -> None:
        """Say why something is not done."""
        self.refused = self.notice = sentence

    def compute_in_background(self, background: Background) -> None:
        """From now on compute the passes of large models there."""
        self._pending = PendingChanges(
            background, self.runner, self._arrive, self._refuse, self._set_busy
        )

    def _set_busy(self, is_busy: bool) -> None:
        self.is_computing = is_busy
        self._settle()

    def hold(self) -> Callable[[], None]:
        """Another model is on its way: what is done later waits until what this gives is called.

        Once; called again it does nothing.
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
        """Whether another model is on its way, for which all that is done later waits."""
        return self._held > 0

    @property
    def may_set_numbers(self) -> bool:
        """Whether nothing but numbers is on its way, on top of which others can be set."""
        no_others = self._pending is None or self._pending.are_numbers(self.scenario)
        return not self._held and no_others

    @property
    def is_settled(self) -> bool:
        """Whether nothing that was asked for is on its way."""
        return not self._held and not (self._pending and self._pending.changes)

    def when_settled(self, function: Callable[[], None]) -> None:
        """Call a function when nothing is on its way any more, at once if nothing is."""
        self._when_settled.append(function)
        self._settle()

    def _settle(self) -> None:
        while self._when_settled and self.is_settled:
            self._when_settled.pop(0)()

    def _comes_later(self, change: Change) -> bool:
        """Whether a change is not to be shown now: its pass takes long, or it is refused."""
        if self._pending is None:
            return False
        try:
            return self._pending.take(self.scenario, change)
        except ValueError as error:
            self._refuse(str(error))
            return True

    def _arrive(self, arrived: Arrived) -> None:
        """The pass of what was asked for is there."""
        self.runner.adopt(arrived.runner)
        *before, last = arrived.changes
        self._record([*before, last._replace(scenario=arrived.scenario)])
        self.scenario = arrived.scenario

    def _refuse(self, said: str) -> None:
        """What was asked for cannot be; views that were ahead show again what is there."""
        self.refuse(said)
        self.param.trigger("scenario")

    def _record(self, changes: Sequence[Change]) -> Scenario:
        """Note the steps from what is shown, and give the last of them."""
        now: Scenario = self.scenario
        for change in changes:
            now = change.since or now
            what = change.of, change.press, change.at
            if change.is_step and self.history.record(now, change.scenario, *what):
                self.steps += 1
            now = change.scenario
        return now

    def _cancel_pending(self) -> None:
        """Something else is shown now."""
        if self._pending is not None:
            self._pending.cancel()

    def _keep_followed(self, *events: param.parameterized.Event) -> None:
        """The lane that is followed goes with its word, and ends with it."""
        if self.is_restoring or any(event.name == "place" for event in events):
            return  # the place is that of the scenario that came with it
        (event,) = events
        place = _place_after(self.place, event.old, event.new)
        if place is not self.place:  # else even to compare the two would cost more than the edit
            self.place = place

    def watch_calmly(self, function: Callable[..., None], names: str | list[str]) -> None:
        """Watch parameters, but while the model learns hear of them ten times a second at most.

        For all that is read: numbers on the board are there to be seen moving.
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
        """Take a new scenario; the old one can be come back to.

        Changes of one and the same thing (``of``) by one press of a pointer, or in quick succession
        without one, are one step of undo. What the page's address has locked stays, and a sentence
        says so.
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
        if scenario.model != self.asked.model:  # what is on its way is a step of its own
            change = change._replace(since=self._settled())
        if not self._comes_later(change):
            written = with_written_target(scenario, self.runner)
            self.scenario = self._record([change._replace(scenario=written)])

    def replace_weights(self, weights: Weights | None, steps: int) -> None:
        """The model after another step of its training; no step of undo, and no drawing of masks.

        While it learns, what it writes is taken over now and then: matrices with other rows at
        each step could not be read. Where its numbers are too large to say what it would write,
        the target stays.
        """
        self.keep_tried()
        scenario, now = self.scenario.trained(weights, steps), self.clock()
        if not self.learning or now - self._written >= WRITTEN_SECONDS:
            self._written = now
            with suppress(ValueError):
                scenario = with_written_target(scenario, self.runner)
        self.scenario = scenario

    def may_open(self, scenario: Scenario) -> bool:
        """Whether the open lesson may bring this scenario; if not, a sentence says so.

        The lesson that the address names was chosen by whoever locked the page. Any other one
        changes no more than a reader may.
        """
        if self.lesson.name and self.lesson.name == self.address.lesson:
            return True
        refused = refusal(self.address.lock, self.scenario, scenario)
        if refused:
            self.refuse(refused)
        return not refused

    def open_lesson(self, scenario: Scenario) -> None:
        """Take a scenario of the open lesson, where it may bring that."""
        if not self.may_open(scenario):
            return
        self._cancel_pending()
        self.keep_tried()
        if self.history.record(self.scenario, scenario):
            self.steps += 1
        self.oscillation = self.oscillation._replace(on=False)
        self.scenario = scenario

    def leave_lesson(self) -> None:
        """Close the open lesson: the list is open, and else the page is as it was before it.

        What the lesson and the reader made of the numbers in it comes back by an undo.
        """
        before, now = self.before_lesson, self.scenario
        lesson = self.lesson.went("")
        if before is None:  # a link has opened it, which says nothing of any other page
            self.lesson = lesson
            self.go("view", LESSONS)
            return
        # How numbers are drawn is the reader's own.
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
        """Whether an experiment may change numbers here; if not, a sentence says so."""
        if self.address.lock == ALL:
            self.refuse(LOCKED)
        return self.address.lock != ALL

    def try_out(self, scenario: Scenario, begun: Scenario) -> None:
        """Show what an experiment has come to, with the target that it writes.

        It is no step of undo until it is kept.
        """
        self._cancel_pending()
        self.oscillation = self.oscillation._replace(on=False)
        self.tried_from = begun
        self.scenario = scenario

    def keep_tried(self) -> None:
        """What was tried stays: one step of undo."""
        if self.tried_from is None:
            return
        if self.history.record(self.tried_from, self.scenario):
            self.steps += 1
        self.tried_from = None

    def spring_back(self) -> None:
        """All is as it was before the experiment."""
        begun, self.tried_from = self.tried_from, None
        if begun is not None:
            self.scenario = begun

    @property
    def asked(self) -> Scenario:
        """What was asked for last; it is perhaps still being computed."""
        changes = [] if self._pending is None else self._pending.changes
        asked: Scenario = changes[-1].scenario if changes else self.scenario
        return asked

    def undo(self) -> None:
        """Back to the scenario before; a number that swings comes to rest first."""
        if self.oscillation.on:
            self.oscillation = self.oscillation._replace(on=False)
            return
        if self.tried_from is not None:
            self.spring_back()
            return
        now = self._settled()
        self._move(now, self.history.past, self.history.undo)

    def redo(self) -> None:
        """Forward again to what was undone last; what is only tried gives way."""
        self.spring_back()
        now = self._settled()
        self._move(now, self.history.future, self.history.redo)

    def _settled(self) -> Scenario:
        """What was asked for last, a step as if it were there already."""
        asked = [] if self._pending is None else [*self._pending.changes]
        self._cancel_pending()
        return self._record(asked)

    def _move(
        self, now: Scenario, steps: list[Step], to: Callable[[Scenario], Scenario | None]
    ) -> None:
        """Go to a step; one that a tab has kept says nothing of what the model writes."""
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
                self.param.trigger("scenario")  # what was on its way is not
            return
        if self._comes_later(Change(wanted, is_step=False)):
            return
        try:
            self.scenario = with_written_target(wanted, self.runner) if is_kept else wanted
        except ValueError as error:
            self._say_unread(error)

    def _say_unread(self, error: ValueError) -> None:
        self.notice = f"The steps that this tab had kept cannot be read. {error}"
        self.steps += 1  # fewer than there seemed to be

    def go(self, name: str, raw: Any) -> None:
        """Take one part of the place from whoever says it, a browser perhaps.

        Raises:
            ValueError: there is no such place; one sentence.
        """
        self.place = self.place.changed(name, raw)

    @property
    def kept(self) -> Scenario:
        """The scenario that is kept: what is only tried is not."""
        begun: Scenario | None = self.tried_from
        return begun or self.scenario

    @property
    def saved(self) -> SavedSession:
        """All that is kept of the session."""
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
        """Take over a session that was kept; the present one can be come back to.

        Raises:
            ValueError: its numbers are too large to say what the model would write.
        """
        saved = saved._replace(scenario=self._with_written(saved.scenario, self.runner))
        if saved.baseline is not None:
            pinned = self._with_written(saved.baseline, self._baseline_runner)
            saved = saved._replace(baseline=pinned)
        place = _place_after(saved.place, saved.scenario, saved.scenario)
        self.tried_from = None  # what was tried is what one can come back to
        self.history.record(self.scenario, saved.scenario)
        self._take(saved._replace(place=place))

    def start_afresh(self) -> None:
        """Everything as the page opens; the scenario before can be come back to.

        With a lesson that the address names, that is how the lesson begins, whatever is locked.
        """
        refused = refusal(self.address.lock, self.scenario, self._first)
        if refused and not self.address.lesson:
            self.refuse(refused)
            return
        kept = self.lesson.went("")
        self.restore(SavedSession(self._first, place=self.address.place(Place()), lesson=kept))
        self.lesson = self.address.lesson_place(kept)  # not as restored: its step begins anew
        self.fresh_starts += 1

    def put_back(self, saved: SavedSession) -> None:
        """Be as before a restore that failed. No watcher hears of it: another one is to follow."""
        with param.parameterized.discard_events(self):
            self._take(saved)

    def _take(self, saved: SavedSession) -> None:
        self._cancel_pending()
        # The scenario first: an oscillation that ends reads matrices, which must be its own.
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
        """While a session is restored of which the passes were computed beside the page.

        Args:
            runner: with the pass of what is to be shown.
            pinned: with the pass of what is to be pinned.
            written: each scenario as it was read, and with the target that its model writes.
        """
        self.runner.adopt(runner)
        self._baseline_runner.adopt(pinned)
        self._known_written = written
        try:
            yield
        finally:
            self._known_written = ()

    def _with_written(self, scenario: Scenario, runner: ForwardPassRunner) -> Scenario:
        """With the target that its model writes, which is perhaps known already."""
        for read, written in self._known_written:
            if read == scenario:
                return written
        return with_written_target(scenario, runner)

    @property
    def pinned(self) -> ScenarioTrace | None:
        """The baseline and its forward pass; None when none is pinned."""
        if self.baseline is None:
            self._baseline_runner.release()
            return None
        runner = self._baseline_runner
        if not runner.has_pass_of(self.baseline) and self.runner.has_pass_of(self.baseline):
            runner.adopt(self.runner)  # what is pinned is what is shown
        return ScenarioTrace(self.baseline, runner.trace(self.baseline))

    @property
    def shown(self) -> ScenarioTrace:
        """The scenario and its forward pass, with gradients where those are shown."""
        trace = self.trace
        if self.scenario.view.plane == "gradient":
            trace = self.runner.with_gradients(self.scenario)
        return ScenarioTrace(self.scenario, trace)

    @property
    def cell(self) -> ResolvedCell | None:
        """The selected cell in the current pass; None if none is selected, or it is not there."""
        selected: CellAddress | None = self.selection
        return None if selected is None else resolve_if_there(self.trace, selected)

    @property
    def trace(self) -> Trace:
        """The forward pass of the current scenario, computed when first asked for."""
        return self.runner.trace(self.scenario)


def _lost(count: int) -> str:
    what = "A part that was silenced is" if count == 1 else f"{count} parts that were silenced are"
    return f"{what} not in this model any more."


def _place_after(place: Place, before: Scenario, now: Scenario) -> Place:
    """The place after a change of the scenario; the same one where nothing of it is another."""
    if place.followed is None:
        return place
    stack, position = place.followed
    at = lane_after(stack, position, before, now)
    if at == position:
        return place
    return place._replace(followed=None if at is None else Followed(stack, at))
