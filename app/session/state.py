"""The choices of one user, and the present state of the page.

Derived values are not stored here: passes are computed on demand, and slow results are in
`Results`.
"""

import time
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np
import param

from transformer_math import Trace

from ..decoding.settings import DecodingSettings
from ..explain.effect import effect
from ..files import catalog
from ..ideas.settings import IdeaSettings
from ..learning import TrainingSession
from ..model.inference import cost
from ..model.inference.forward_pass import ForwardPassRunner
from ..model.inference.other_text import is_other_text
from ..model.inference.writing import likeliest, with_written_target
from ..model.matrices.address import PROBABILITIES, CellAddress
from ..model.matrices.extent import LayerChoice
from ..model.matrices.oscillation import Oscillation
from ..model.matrices.resolved_cell import ResolvedCell, resolve_if_there
from ..model.matrices.values import ScenarioTrace
from ..model.scenario.edits import Edit
from ..model.scenario.lock import refusal
from ..model.scenario.model_names import PHRASES
from ..model.scenario.moments import Moments
from ..model.scenario.run_curves import RunCurves
from ..model.scenario.scenario import Scenario
from ..model.scenario.weights import Weights
from ..view_model.focus import Follow, LeftFocus, Select
from ..view_model.last_edit import HELD, TRAINING, Changed, LetGo, comparable
from ..view_model.lesson import Judge
from ..view_model.moment import Moment
from ..view_model.page_location import PageLocation
from ..view_model.row import turned_row
from ..view_model.sentence_end import SentenceEnd
from ..view_model.state import SETTABLE, Event, Set, State
from ..view_model.view_model import ViewModel
from .address import PageAddress
from .after_changes import AfterChanges
from .calm import calm
from .change import Change, is_only_edited
from .experiment import Experiment
from .lesson_progress import LessonProgress
from .opening_location import location_of_other_model, location_of_other_text
from .pending_changes import Arrived, PendingChanges
from .snapshots import Snapshots
from .state_parameters import DRAWN, KEPT, SHOWN, StateParameters
from .undo import AnyStep, Step, UndoHistory
from .watchers import Watchers

WRITTEN_SECONDS = 0.7  # seconds between updates of the generated text while a model trains


class AppState(StateParameters):
    """The choices of one user: scenario, selection, location, history and lesson progress.

    Each change that a view can request is a method, so that no view sets two parameters that belong
    together.
    """

    def __init__(
        self,
        scenario: Scenario | None = None,
        address: PageAddress | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Open with a scenario; ``clock``, in seconds, is the only clock of the page."""
        self._is_ready = False  # whether the parameters have their first values
        self._changes = AfterChanges()
        self.at: float | None = None  # time of the current event; None for now
        self.clock = clock
        self.address = address or PageAddress()  # the parsed URL of the page
        first = scenario or catalog.first(PHRASES)
        self.current = State.first(first, self.address.location(PageLocation()), Oscillation())
        self._shown = self.current  # the state that the parameters show
        super().__init__(
            **{name: getattr(self.current, name) for name in SHOWN},
            layer_choice=LayerChoice(),
            decode=DecodingSettings(),
            ideas=IdeaSettings(),
            lesson=self.address.lesson_progress(LessonProgress()),
            film=self.address.film,
        )
        self.runner = ForwardPassRunner()
        self.baseline_runner = ForwardPassRunner(beside=self.runner)
        self.version = 0  # incremented by each change that is drawn
        self.kept_version = 0  # the last version that changed something saved
        self.history = UndoHistory()
        self.refused = ""  # why the last request was refused, until it is shown
        self.moments: Moments | None = None  # of the training that produced the weights
        self.curves: RunCurves | None = None  # of that training, up to the weights' step
        self.curves_of: Weights | None = None  # the weights that the curves belong to
        self.training: TrainingSession | None = None  # the training session, if the page has one
        self.open_step: Judge | None = None  # the open step of the open lesson
        # The scenario and selection before a film, which are saved instead of the film's.
        self.filmed: tuple[Scenario, CellAddress | None] | None = None
        self.experiment = Experiment(self)
        self.snapshots = Snapshots(self)
        self.pending = PendingChanges(self.runner, self._arrive, self._refuse, self._set_computing)
        self._written = 0.0
        self._watchers = Watchers(self)
        self.watch(self._count, [*KEPT, *DRAWN])
        self._let_go = float("-inf")  # time at which a pointer last released a number
        self._end = SentenceEnd(self.runner)
        self._view_model: ViewModel | None = None
        self._is_ready = True

    def __setattr__(self, name: str, value: object) -> None:
        if name in _PARAMETERS and self._is_ready:
            self.update(**{name: value})
        else:
            super().__setattr__(name, value)

    def update(self, *events: Event, **values: object) -> None:
        """Apply events, then set parameters; watchers see all new values together.

        Setting a parameter notifies its watchers even if the value is unchanged.
        """
        set_ = {name: values.pop(name) for name in SETTABLE & values.keys()}
        # Not ``param.update``, which reads all parameters first.
        with self._at_once():
            for name, value in values.items():
                super().__setattr__(name, value)
            for event in events:
                self.note(event)
            if set_:
                self.note(self._set(set_))
            if events or set_:
                self._show(set_)

    def _show(self, given: Collection[str]) -> None:
        """Copy fields of the state to parameters: those in ``given``, and those that differ."""
        # A parameter is read and set many times more slowly than an attribute of a state.
        before, now = self._shown, self.current
        for name in SHOWN:
            value, shown = getattr(now, name), getattr(before, name)
            if name in given or (value is not shown and value != shown):
                super().__setattr__(name, value)
        self._shown = now

    def note(self, event: Event) -> None:
        """Apply an event; parameters change only at the next ``update`` of the state."""
        self.current = self.current.after(event)

    def _set(self, values: Mapping[str, Any], left: LeftFocus | None = None) -> Set:
        """Return the event that sets parts of the state, with facts from the forward pass."""
        now, at, restored = self.current, self.now(), self.snapshots.is_restoring
        scenario: Scenario = values.get("scenario", now.scenario)
        held, dragging = (values.get(name, getattr(now, name)) for name in ("held", "dragging"))
        is_placed = left is not None or restored or "location" in values
        is_edited = now.dragging or not scenario.has_numbers_of(now.scenario)
        is_over = is_edited and not (dragging or is_placed)
        changed = self._changed_row(scenario) if is_over else None
        if scenario is now.scenario:
            return Set(values, at, None, now.turns, None, left, restored, changed)
        is_noted = now.last_edit is not None and now.last_edit.after is scenario
        was = None if is_noted else self.shown_probabilities()
        opening = None if is_placed else self._opening(scenario)
        turns = turned_row(scenario, self.runner) if held else None
        return Set(values, at, was, turns, opening, left, restored, changed)

    def _changed_row(self, scenario: Scenario) -> int | None:
        """Return the row whose word the last edit changed; None if no word changed."""
        edit = self.current.last_edit
        if edit is None or edit.after is not scenario or not edit.is_step:
            return None
        is_trained = edit.before.weights is not scenario.weights
        if self.learning or is_trained or edit.before.descents != scenario.descents:
            return None  # training and gradient steps keep the shown row
        before = comparable(edit, scenario)
        return None if before is None else effect(before, scenario, self.runner).row

    @contextmanager
    def _at_once(self) -> Iterator[None]:
        """Call watchers only after everything in this block is set."""
        with self._changes.change(), param.parameterized.batch_call_watchers(self):
            yield

    def after_change(self, function: Callable[[], None]) -> None:
        """Call a function once, after all watchers of the current change.

        Use this for work that depends on the reactions of other views, because watchers are called
        in no particular order. If no change is in progress, the function is called immediately.
        """
        self._changes.call(function)

    def _count(self, *events: param.parameterized.Event) -> None:
        self.count(any(event.name in KEPT for event in events))

    def count(self, is_kept: bool = True) -> None:
        """Count a change that is drawn; ``is_kept`` is whether it changes something saved."""
        self.version += 1
        if is_kept:
            self.kept_version = self.version

    def now(self) -> float:
        """Return the time of the current event in seconds, or the present time if there is none."""
        return self.clock() if self.at is None else self.at

    def shown_probabilities(self) -> np.ndarray | None:
        """Return the probabilities of the next words that are shown; None if they are not known."""
        if not self.runner.has_pass_of(self.scenario):
            return None
        found: np.ndarray = self.runner.trace(self.scenario)[PROBABILITIES].value
        return found

    def refuse(self, sentence: str) -> None:
        """Set the message with the reason why a request was refused."""
        self.refused = self.notice = sentence

    @contextmanager
    def refusing(
        self, errors: type[Exception] | tuple[type[Exception], ...] = ValueError
    ) -> Iterator[None]:
        """Refuse a request if the block raises one of ``errors``."""
        try:
            yield
        except errors as error:
            self.refuse(str(error.args[0]))

    def _set_computing(self, is_computing: bool) -> None:
        if is_computing != self.is_computing:
            self.is_computing = is_computing

    def _arrive(self, arrived: Arrived) -> None:
        """Show a pass that was computed in the background."""
        was = self.shown_probabilities()
        self.runner.adopt(arrived.runner)
        *before, last = arrived.changes
        self._record([*before, last._replace(scenario=arrived.scenario)], was)
        if last.press and last.at is not None and last.at <= self._let_go:
            self.note(LetGo(self.now()))  # the pointer was released during the computation
        if last.is_step:
            self.scenario = arrived.scenario
        else:
            self.return_to(arrived.scenario, last.focus)

    def _refuse(self, said: str) -> None:
        """Report that a change failed, and make views redraw the state that is still in effect."""
        self.refuse(said)
        self._redraw()

    def _redraw(self) -> None:
        with self._changes.change():
            self.param.trigger("scenario")

    def _record(self, changes: Sequence[Change], was: np.ndarray | None = None) -> Scenario:
        """Record changes since the shown scenario as undo steps, and return the last scenario.

        ``was`` has the probabilities of the next words before the changes, if they are known.
        """
        now: Scenario = self.scenario
        for change in changes:
            now, at = change.since or now, self.now() if change.at is None else change.at
            if change.is_step:
                what = at, change.of, change.press, True, was
                self.record_step(Changed(now, change.scenario, *what), change.focus)
            now, was = change.scenario, None
        return now

    def record_step(self, changed: Changed, focus: LeftFocus | None = None) -> None:
        """Record a change as an undo step or as part of the last step, and count a new step.

        A change of drawing options is not a step: undo must not switch colors back. The new
        scenario may be shown already; otherwise the caller sets it next. ``focus`` is the focus
        before the change; None means the present one.
        """
        self.note(changed)
        edit, focus = self.current.last_edit, focus or self.current.focus.left()
        is_drawn = changed.before.has_numbers_of(changed.after)
        if edit is not None and not is_drawn and self.history.record(edit, focus):
            self.steps += 1

    # -- the focus -----------------------------------------------------------------------------

    def return_to(self, scenario: Scenario, left: LeftFocus) -> None:
        """Show an earlier scenario again, with the focus that it had when it was left."""
        self.update(self._set({"scenario": scenario}, left))

    def select(self, number: CellAddress | None, press: int = 0) -> None:
        """Select a number, or with None return the focus to the word followed before.

        ``press`` is the pointer press that drags the number; 0 for none.
        """
        self.update(Select(number, press))

    def escape(self) -> None:
        """Stop an oscillation, or else clear the followed word, or else deselect the number."""
        if self.oscillation.on:
            self.oscillation = self.oscillation._replace(on=False)
        else:
            self.update(Follow(None) if self.current.focus.word else Select())

    def swing(self, oscillation: Oscillation) -> None:
        """Start, change or end an oscillation; from its start to its end it is one undo step.

        While the model learns, it is no step: undo would return to a moment of the training.
        """
        with self._at_once():
            if oscillation.on and not self.oscillation.on and not self.learning:
                self.history.record_swing(Step(self.scenario, self.current.focus.left()))
                self.steps += 1
            self.oscillation = oscillation

    def _opening(self, scenario: Scenario) -> PageLocation | None:
        """Return the location for a new model or text; None for the present location."""
        if scenario.model != self.scenario.model:
            return location_of_other_model(self, scenario)
        if self.selection is None and is_other_text(self.scenario, scenario):
            return location_of_other_text(self, scenario)
        return None

    def watch(
        self, function: Callable[..., Any], names: str | list[str], only_changed: bool = True
    ) -> None:
        """Watch parameters; see `Watchers.add`."""
        self._watchers.add(function, names, only_changed)

    def watch_calmly(self, function: Callable[..., None], names: str | list[str]) -> None:
        """Watch parameters; in training, call at most ten times a second, or four at full speed.

        Use this for views with text to read, because frequent calls slow the training, but not for
        the board, whose numbers should move at every step. When the words change, the function is
        called immediately, because the rows of the board change with them.
        """
        heard = [*([names] if isinstance(names, str) else names), "learning"]
        self.watch(calm(self, function), heard)

    def change(
        self, scenario: Scenario, of: Hashable = None, press: int = 0, *, held: bool = False
    ) -> None:
        """Replace the scenario, which can be undone.

        Changes with the same ``of`` by one press of a pointer, or in quick succession without a
        press, are one undo step. A change that the lock of the page's URL forbids is refused with a
        message.

        While a pointer holds a number (``held``), the decoder keeps reading the previous words, so
        that the rows of the picture stay; ``release`` regenerates the sentence. Raise
        ``ValueError`` if the numbers became too large to decode.
        """
        refused = refusal(self.address.lock, self.scenario, scenario)
        if refused:
            self.refuse(refused)
            return
        self.experiment.keep()
        gone = [each for each in self.scenario.silences if not scenario.has_part(each)]
        if gone and scenario.model == self.scenario.model:
            self.notice = _lost(len(gone))
        was = self.shown_probabilities()
        change = Change(scenario, of, press, at=self.now(), focus=self.current.focus.left(press))
        if scenario.model != self.asked.model:  # the pending model change is its own step
            change = change._replace(since=self.settle())
        if not self.pending.take(self.scenario, change):
            is_held = held and scenario.writes_itself and is_only_edited(self.scenario, scenario)
            if is_held:
                likeliest(scenario, self.runner)  # raises if the text could not be generated later
            else:
                scenario = with_written_target(scenario, self.runner)
            with self._at_once():
                recorded = self._record([change._replace(scenario=scenario)], was)
                if self.dragging and not held:
                    self.note(LetGo(self.now()))
                self.update(held=is_held, dragging=held, scenario=recorded)

    def release(self) -> None:
        """Regenerate the sentence after a held number was released."""
        last = self.current.last_edit
        with self._at_once():
            if self.held and last is not None:
                with self.refusing():
                    self.change(self.scenario, last.of, last.press)
            self._let_go = self.now()
            self.update(LetGo(self._let_go), held=False, dragging=False)

    def replace_weights(
        self, weights: Weights | None, steps: int, without: Collection[Edit] = ()
    ) -> None:
        """Replace the weights after a training step, which is no undo step and keeps dropout masks.

        The edits in `without` are removed.

        During training the generated target is updated only occasionally, because matrices whose
        rows change at each step would be unreadable. The target also stays if the numbers are too
        large to generate a new target.
        """
        self.experiment.keep()
        scenario, now = self.scenario.trained(weights, steps, without), self.clock()
        was = self.shown_probabilities()
        if not self.learning or now - self._written >= WRITTEN_SECONDS:
            self._written = now
            with suppress(ValueError):
                scenario = with_written_target(scenario, self.runner)
        press = HELD if self.learning else 0
        changed = Changed(self.scenario, scenario, self.now(), TRAINING, press, False, was)
        self.update(changed, scenario=scenario)

    @property
    def asked(self) -> Scenario:
        """The scenario that was requested last; its pass may still be pending."""
        changes = self.pending.changes
        asked: Scenario = changes[-1].scenario if changes else self.scenario
        return asked

    def undo(self) -> None:
        """Return to the previous scenario, or only end an oscillation that is no undo step."""
        self._let_go_of_held()
        swings = self.oscillation.on
        if swings:
            self.oscillation = self.oscillation._replace(on=False)
        if swings and not self.history.is_swing(self.scenario):
            return
        if self.experiment.is_running:
            self.experiment.revert()
            return
        now = self.settle()
        self._move(now, self.history.past, self.history.undo)

    def redo(self) -> None:
        """Return to the scenario that was undone last; the result of an experiment is discarded."""
        self._let_go_of_held()
        self.experiment.revert()
        now = self.settle()
        self._move(now, self.history.future, self.history.redo)

    def _let_go_of_held(self) -> None:
        """End a drag, so that the step has the words that the model writes after it."""
        if self.held:
            self.release()

    def settle(self) -> Scenario:
        """Record the pending changes without their passes; return the last requested scenario."""
        asked = [*self.pending.changes]
        self.pending.cancel()
        return self._record(asked)

    def _move(self, now: Scenario, steps: list[AnyStep], to: Callable[[Step], Step | None]) -> None:
        """Move to a step; steps stored by a tab do not include the generated target."""
        is_kept = bool(steps) and not isinstance(steps[-1], Step)
        try:
            found = to(Step(now, self.current.focus.left()))
        except ValueError as error:
            self._say_unread(error)
            found = None
        self.steps += found is not None
        wanted, focus = found or Step(now, self.current.focus.left())
        if wanted is self.scenario:
            if found is not None:
                self._redraw()  # discard pending changes
            return
        if self.pending.take(self.scenario, Change(wanted, is_step=False, focus=focus)):
            return
        try:
            shown = with_written_target(wanted, self.runner) if is_kept else wanted
            self.return_to(shown, focus)
        except ValueError as error:
            self._say_unread(error)

    def _say_unread(self, error: ValueError) -> None:
        self.notice = f"The steps that this tab had kept cannot be read. {error}"
        self.steps += 1  # stored steps were dropped, so there are fewer than counted

    def compare(self, baseline: Scenario | None) -> None:
        """Pin a scenario, and show how each number differs from it; None pins nothing."""
        self.baseline = baseline
        self.change(self.scenario.with_view("plane", "change"))

    def go(self, name: str, raw: Any) -> None:
        """Set one field of the location from plain data, for instance sent by a browser.

        Raise ``ValueError`` with one sentence if the value is invalid.
        """
        self.location = self.location.changed(name, raw)

    def follow(self, raw: Any) -> None:
        """Follow the word that the user chose, given as stack and position; None for no word.

        At most one thing is in focus, so following a word deselects the number. An oscillating
        number stays selected, because its effect on the word may be of interest. Raise
        ``ValueError`` with one sentence if the value is invalid.
        """
        word = self.location.changed("followed", raw).followed
        self.update(Follow(word, is_beside=self.oscillation.on))

    @property
    def view_model(self) -> ViewModel:
        """The present statements of the page, such as its sentence; computed once per state."""
        # Do not use the parameters, which are slower to read and are updated later.
        now, edit, lesson = self.current, self.current.last_edit, self.lesson
        moment = Moment(
            now,
            self.runner,
            self._end.of(now.scenario, now.held or now.learning),
            self.covered + self.to_read,
            self.experiment.is_running,
            edit is not None and self.history.takes_back(edit),
            self.training,
            0 if self.training is None else self.training.version,
            self.open_step,
            lesson.done.get(lesson.name, ()),
        )
        known = self._view_model
        if known is None or not known.moment.is_same(moment):
            known = self._view_model = ViewModel(moment, known)
        return known

    @property
    def pinned(self) -> ScenarioTrace | None:
        """The baseline and its forward pass; None without a baseline."""
        if self.baseline is None:
            self.baseline_runner.release()
            return None
        runner = self.baseline_runner
        if not runner.has_pass_of(self.baseline) and self.runner.has_pass_of(self.baseline):
            runner.adopt(self.runner)  # pinning the shown scenario reuses its pass
        return ScenarioTrace(self.baseline, runner.trace(self.baseline))

    @property
    def compared(self) -> ScenarioTrace | None:
        """The baseline with the words that the model writes now; None without a baseline.

        Numbers are compared with this pass, so that the rows of both have the same words, also
        after an undo. Patches restore the answer of the baseline's own words, see `pinned`.
        """
        now, before = self.scenario, self.baseline
        if before is None or now.target == before.target:
            return self.pinned
        if not (now.writes_itself and before.writes_itself):
            return self.pinned
        if now.target_vocabulary != before.target_vocabulary:
            return self.pinned
        aligned = before.with_written(now.target)
        if not cost.fits_inline(cost.forward_pass(aligned)):
            return self.pinned  # the event loop must not wait for the pass
        return ScenarioTrace(aligned, self.baseline_runner.trace(aligned))

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


_PARAMETERS = frozenset(AppState.param)


def _lost(count: int) -> str:
    what = "A part that was silenced is" if count == 1 else f"{count} parts that were silenced are"
    return f"{what} not in this model any more."
