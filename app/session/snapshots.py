"""Takes snapshots of the state for saving, and restores saved sessions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import param

from ..model.inference.forward_pass import ForwardPassRunner
from ..model.inference.writing import with_written_target
from ..model.matrices.address import CellAddress
from ..model.scenario.lock import refusal
from ..model.scenario.scenario import Scenario
from ..model.scenario.training_checksum import RepeatedTraining
from ..view_model.focus import Await, held_at, moved
from ..view_model.last_edit import Changed, Loaded
from ..view_model.page_location import PageLocation
from .session_json import SavedSession

if TYPE_CHECKING:
    from .state import AppState


class Snapshots:
    """Converts the choices in a state to a `SavedSession` and back.

    Attributes:
        is_restoring: whether a restore is in progress; views then show the restored choices
            immediately, so that errors in watchers reach the caller.
    """

    def __init__(self, state: AppState) -> None:
        self.is_restoring = False
        self._state = state
        self._first: Scenario = state.scenario
        self._known_written: Sequence[tuple[Scenario, Scenario]] = ()
        # Runners with the passes from before the restore that is in progress.
        self._passes: tuple[ForwardPassRunner, ForwardPassRunner] | None = None

    @property
    def _runners(self) -> tuple[ForwardPassRunner, ForwardPassRunner]:
        return self._state.runner, self._state.baseline_runner

    def take(self) -> SavedSession:
        """Return all parts of the session that are saved."""
        state = self._state
        scenario, selected = state.filmed or (state.experiment.start, state.selection)
        selection = None if selected is None else tuple(selected)
        is_over = scenario.steps_taken >= scenario.recipe.steps
        has_moments = state.moments is not None and state.moments.are_of(scenario) and not is_over
        has_curves = state.curves_of is not None and state.curves_of is scenario.weights
        is_repeated = state.repeated is not None and state.repeated.is_of(scenario)
        return SavedSession(
            scenario,
            selection,
            state.baseline,
            state.attention_focus,
            state.location,
            state.layer_choice,
            state.decode,
            state.ideas,
            state.lesson,
            state.before_lesson,
            state.moments if has_moments else None,
            state.curves if has_curves else None,
            state.repeated.checksum if is_repeated else None,
        )

    def restore(self, saved: SavedSession, replaced: Scenario | None = None) -> None:
        """Replace the state by a saved session; undo restores the current scenario.

        The current scenario is ``replaced`` or, by default, the last requested scenario. Raise
        ``ValueError`` if the session's numbers are too large to generate its target.
        """
        state = self._state
        saved = saved._replace(scenario=self._with_written(saved.scenario, state.runner))
        if saved.baseline is not None:
            pinned = self._with_written(saved.baseline, state.baseline_runner)
            saved = saved._replace(baseline=pinned)
        place = saved.place.followed
        if RepeatedTraining.of(saved.scenario, saved.checksum) is None:
            followed, place = moved(place, saved.scenario, saved.scenario), None
        else:  # before training, the sentence may be too short for the position
            followed = held_at(place, saved.scenario)
        location = saved.place._replace(followed=followed)
        state.before_experiment = None  # undo returns to the result of the experiment
        before = state.settle() if replaced is None else replaced
        state.record_step(Changed(before, saved.scenario, state.now(), Loaded(is_session=True)))
        self._show(saved._replace(place=location))
        if place is not None:
            state.update(Await(place))

    def start_afresh(self) -> None:
        """Reset the page to its opening state; undo restores the current scenario.

        If the URL names a lesson, reset to the beginning of that lesson, even if the page is
        locked.
        """
        state, address = self._state, self._state.address
        refused = refusal(address.lock, state.scenario, self._first)
        if refused and not address.lesson:
            state.refuse(refused)
            return
        kept = state.lesson.went("")
        self.restore(SavedSession(self._first, place=address.location(PageLocation()), lesson=kept))
        state.lesson = address.lesson_progress(kept)  # set after the restore, so the step restarts
        state.fresh_starts += 1

    def revert(self, saved: SavedSession) -> None:
        """Revert a failed restore, without notifying watchers: another attempt follows."""
        with param.parameterized.discard_events(self._state):
            self._show(saved)
        self._state.count()

    def _show(self, saved: SavedSession) -> None:
        state = self._state
        state.pending.cancel()
        self.is_restoring = True
        state.moments = saved.moments
        state.curves, state.curves_of = saved.curves, saved.scenario.weights
        try:
            state.update(
                scenario=saved.scenario,
                baseline=saved.baseline,
                attention_focus=saved.attention,
                location=saved.place,
                layer_choice=saved.layers,
                decode=saved.decode,
                ideas=saved.ideas,
                lesson=saved.lesson,
                before_lesson=saved.before,
                selection=None if saved.selection is None else CellAddress(*saved.selection),
                oscillation=state.oscillation._replace(on=False),
                repeated=RepeatedTraining.of(saved.scenario, saved.checksum),
            )
        finally:
            self.is_restoring = False

    @contextmanager
    def with_passes(
        self,
        runner: ForwardPassRunner,
        pinned: ForwardPassRunner,
        written: Sequence[tuple[Scenario, Scenario]],
    ) -> Iterator[None]:
        """Use passes that `restore.prepare` computed while a session is restored."""
        with self.keeping_passes():
            self._state.runner.adopt(runner)
            self._state.baseline_runner.adopt(pinned)
            self._known_written = written
            try:
                yield
            finally:
                self._known_written = ()

    @contextmanager
    def keeping_passes(self) -> Iterator[None]:
        """Keep the shown passes for ``give_back`` while another session is tried."""
        if self._passes is not None:
            yield
            return
        kept = ForwardPassRunner(), ForwardPassRunner()
        for runner, own in zip(kept, self._runners, strict=True):
            runner.adopt(own)
        self._passes = kept
        try:
            yield
        finally:
            self._passes = None

    def give_back(self) -> None:
        """Restore the passes that the runners held before ``keeping_passes``.

        Otherwise a large shown model would be recomputed on the event loop.
        """
        for runner, own in zip(self._passes or (), self._runners, strict=False):
            own.release()
            own.adopt(runner)

    def _with_written(self, scenario: Scenario, runner: ForwardPassRunner) -> Scenario:
        """Return the scenario with the target that its model generates, from the cache if known."""
        for read, written in self._known_written:
            if read == scenario:
                return written
        return with_written_target(scenario, runner)
