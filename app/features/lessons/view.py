"""Shows the open lesson next to the views."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import PurePath
from typing import Any

from ...lessons.catalog import catalog
from ...lessons.changes import begun, changed, moves_numbers
from ...lessons.format import Changes, Compare, Dare, Do, Film, Lesson, Play, Predict, Step, as_json
from ...lessons.judging import judged, right_answer
from ...lessons.numbers import LiveNumbers
from ...lessons.open_step import OpenStep
from ...model.inference.forward_pass import ForwardPassRunner
from ...model.scenario.scenario import Scenario
from ...session import open_lesson
from ...session.address import LESSONS
from ...session.lesson_progress import DARE_STEP, LessonProgress
from ...session.results import Results
from ...session.state import AppState
from ...transport.runtime.page_session import PageSession
from . import step_items
from .about import about
from .dares import OpenDare
from .lesson import LessonPanel
from .list_view import LessonListView
from .moving import look_at, select

ELSEWHERE = "This step is about another text or model: start it again, below."
WATCHED = ["scenario", "selection", "oscillation", "location", "learning"]


class LessonsView:
    """Opens lessons and their steps, shows the state of each task, and checks answers.

    Each step has its own initial scenario, so that the user can enter the steps in any order. Tasks
    are checked against the numbers on the page. Each message of the lesson and each kind of item
    has a method.
    """

    def __init__(
        self,
        state: AppState,
        results: Results | None = None,
        train: Callable[[int], None] | None = None,
        play: Callable[[Film], None] | None = None,
        page: PageSession | None = None,
    ) -> None:
        """``train`` trains the model of the page from scratch for a number of steps."""
        self.state = state
        self._train = train
        self._play_film = play
        self._results = results or Results()
        self.panel = LessonPanel()
        self.list_view = LessonListView(state, self._forget_step, page)
        self._aside = ForwardPassRunner(beside=state.runner)
        self._starts = ForwardPassRunner(beside=state.runner)
        self._open: OpenStep | None = None
        self._dare = OpenDare(state, page or PageSession(), self._fill)
        self._flight = 0
        self.panel.on_do(self._on_do)
        state.watch(self._on_lesson, "lesson", only_changed=False)
        state.watch_calmly(self._fill, WATCHED)
        state.watch(self._on_shared, "shared")
        self._results.param.watch(self._fill, "checked")
        self._on_lesson()

    def _forget_step(self) -> None:
        self._set_open(None)

    def _set_open(self, step: OpenStep | None) -> None:
        self._open = self.state.open_step = step

    @property
    def _at(self) -> tuple[str, int] | None:
        return None if self._open is None else (self._open.lesson.name, self._open.at)

    # -- a step --------------------------------------------------------------------------------

    @property
    def _lesson(self) -> Lesson | None:
        return catalog().lessons.get(self.state.lesson.name)

    def _on_lesson(self, *_: Any) -> None:
        progress = self.state.lesson
        if not progress.name:
            self._set_open(None)
            self.state.before_lesson = None
            self.state.update(covered=(), to_read=())
            self._dare.begin("", None, self.state.scenario)
            self._results.score = None
            self.panel.param.update(value={}, states=[], live=[], look={})
            return
        lesson = self._lesson
        if progress.step == DARE_STEP and lesson is not None:
            self._go_to_dare(lesson)
            return
        if lesson is None or progress.step >= len(lesson.steps):
            self._leave_unknown(lesson)
            return
        if self._at != (progress.name, progress.step):
            self._enter(lesson, progress.step)
        self._fill()

    def _go_to_dare(self, lesson: Lesson) -> None:
        """Go to the step with the dare of a lesson, or notify the user that there is none."""
        step = lesson.dare_step
        if step is None:
            self.state.notice = f"The lesson “{lesson.title}” has no dare; this is its first step."
        self.state.lesson = self.state.lesson.went(lesson.name, step or 0)

    def _on_shared(self, event: Any) -> None:
        """Pass the attempt of an opened link to the dare."""
        if event.new is not None:
            self._dare.take_shared(event.new)
            self._fill()

    def _leave_unknown(self, lesson: Lesson | None) -> None:
        """Handle a missing lesson or step: show the list or the first step, and a notice."""
        progress = self.state.lesson
        if lesson is None:
            name = progress.name[:60]
            because = next((each for each in catalog().problems if _is_of(each, name)), "")
            self.state.notice = (
                f"The lesson “{name}” could not be read: {because}"
                if because
                else f"There is no lesson called “{name}”; these are all of them."
            )
            self.state.lesson = progress.went("")
            self.state.go("view", LESSONS)
        else:
            self.state.notice = (
                f"The lesson has {len(lesson.steps)} steps, and this is the first one."
            )
            self.state.lesson = progress.went(progress.name)

    def _enter(self, lesson: Lesson, k: int) -> None:
        """Enter a step; a restored step leaves the page unchanged."""
        state, step = self.state, lesson.steps[k]
        kept = self._open
        is_first = kept is None or kept.lesson.name != lesson.name
        try:
            start = begun(lesson, k, self._starts)
        except ValueError as error:
            state.notice = str(error)
            start = lesson.scenario
        # The display of numbers is the user's choice.
        start = start.with_view_settings(state.scenario.view.changed("plane", start.view.plane))
        entered = OpenStep(lesson, k, start, self._starts, self._aside)
        self._set_open(entered)
        self._dare.begin(lesson.name, step.dare, start)
        look: dict[str, Any] = {"cells": [[*each] for each in step.look.cells]}
        if not state.snapshots.is_restoring:
            before = state.before_lesson or state.snapshots.take()._replace(lesson=LessonProgress())
            if not self._begin(lesson, step, start, is_first=is_first):
                self._set_open(kept)
                dare = None if kept is None else kept.step.dare
                self._dare.begin(state.lesson.name, dare, start if kept is None else kept.start)
                state.lesson = state.lesson.went(*(self._at or ("",)))
                return
            state.before_lesson = before
            if step.look.part:
                look |= {"part": step.look.part, "unfolded": list(step.look.unfold)}
                self._flight += 1
        self.panel.param.update(
            value=self._value(entered),
            look={**look, "flight": self._flight},
        )
        if not step.tasks and not state.snapshots.is_restoring:
            state.lesson = state.lesson.did(f"{k}")

    def _begin(self, lesson: Lesson, step: Step, start: Scenario, *, is_first: bool) -> bool:
        """Load the step's initial state; return whether the page permits it."""
        state, look = self.state, step.look
        keeps = look.keep and not is_first and state.scenario.model == lesson.scenario.model
        is_other = not keeps and state.scenario != start
        if is_other and not open_lesson.may_load(state, start):
            return False
        if state.baseline is not None:
            state.baseline = None
        if is_other:
            open_lesson.begin(state, start)
        state.go("view", look.changes.view or lesson.view)
        state.go("unfolded", list(look.unfold))
        look_at(state, look.changes)
        if look.changes.follow is None and state.location.followed is not None:
            state.go("followed", None)
        if look.changes.select is None and state.selection is not None:
            state.selection = None
        # Reset the asked position: the next word follows the step's focus.
        state.go("asked", None)
        return True

    def _value(self, entered: OpenStep) -> dict[str, Any]:
        lesson, k, step, rights = entered.lesson, entered.at, entered.step, {}
        for at, item in enumerate(step.items):
            if isinstance(item, Predict):
                with suppress(ValueError, KeyError):
                    rights[at] = right_answer(item, entered.at_start, self._aside)
        return {
            "name": lesson.name,
            "title": lesson.title,
            "step": k,
            "count": len(lesson.steps),
            "heading": step.title,
            "items": step_items.shown(step, rights),
            "show": list(lesson.show),
            **about(lesson),
        }

    # -- the numbers -----------------------------------------------------------------------------

    def _fill(self, *_: Any) -> None:
        """Update the state of each task, and the live numbers in the texts."""
        state, step = self.state, self._open
        if step is None or self._at != (state.lesson.name, state.lesson.step):
            return
        judgment = state.view_model.lesson
        assert judgment is not None
        asked = {"covered": judgment.covered, "to_read": judgment.to_read}
        if any(getattr(state, name) != cells for name, cells in asked.items()):
            state.update(**asked)
        self._finish(*judgment.finished)
        self._dare.refresh()
        self._results.score = self._dare.told()
        dare = {"dare": self._dare.shown()}
        items = zip(step.step.items, judgment.states, strict=True)
        self.panel.param.update(
            states=[dare if isinstance(item, Dare) else stands for item, stands in items],
            live=judgment.live,
        )
        if self.list_view.column.visible:
            self.list_view.fill()

    def _has_done(self, k: int) -> bool:
        return bool(self.state.lesson.has_done(f"{self.state.lesson.step}.{k}"))

    def _finish(self, *items: int) -> None:
        """Mark items of the open step as done, and the step if all its tasks are done."""
        step, progress = self._open, self.state.lesson
        if step is None or not items:
            return
        for k in items:
            progress = progress.did(f"{step.at}.{k}")
        if all(progress.has_done(f"{step.at}.{task}") for task in step.step.tasks):
            progress = progress.did(f"{step.at}")
        self.state.lesson = progress

    # -- from the panel ------------------------------------------------------------------------

    def _on_do(self, kind: str, fields: dict[str, Any]) -> None:
        state = self.state
        if kind == "go":
            state.lesson = state.lesson.went(state.lesson.name, fields["step"])
        elif kind == "close":
            open_lesson.leave(state)
        elif kind == "open":
            self._open_view(fields["view"])
        elif kind == "again":
            self._again()
        elif kind == "link":
            self.panel.send({"type": "link", "code": self._dare.code()})
        elif self._open is not None:
            item = self._open.step.items[fields["item"]]
            try:
                self._on_item(kind, self._open, item, fields)
            except (KeyError, ValueError) as error:
                said = str(error.args[0]) if error.args else ""
                hint = [f"{ELSEWHERE} ({said.rstrip('.')}.)"]
                self._set_open(self._open.replying(fields["item"], hint=hint))
            self._fill()

    def _open_view(self, name: str) -> None:
        with suppress(ValueError):  # the browser may send an unknown view
            self.state.go("view", name)

    def _again(self) -> None:
        lesson = self._lesson
        if lesson is not None:
            self._enter(lesson, self.state.lesson.step)
            self._fill()

    def _on_item(self, kind: str, step: OpenStep, item: object, fields: dict[str, Any]) -> None:
        k = fields["item"]
        if kind == "answer" and isinstance(item, Predict) and not self._has_done(k):
            self._answer(k, step, item, fields["given"])
        elif kind == "show" and isinstance(item, Predict) and not self._has_done(k):
            self._reveal(k, step, item, "Shown")
        elif kind == "show" and isinstance(item, Do):
            self._change(item.show)
        elif kind == "play" and isinstance(item, Play):
            self._play(item)
        elif kind == "play" and isinstance(item, Film) and self._play_film is not None:
            self._play_film(item)
        elif kind == "compare" and isinstance(item, Compare):
            self._compare(step, item, step.after(k, item) if fields["after"] else step.start)

    def _numbers(self, step: OpenStep) -> LiveNumbers:
        return step.numbers(self.state.view_model.moment)

    def _answer(self, k: int, step: OpenStep, item: Predict, given: float | None) -> None:
        answer: Any = given
        if item.kind == "cell":
            selection = self.state.selection
            if selection is None or selection.path != item.matrix:
                return
            answer = (selection.row, selection.column)
        if answer is None:
            return
        verdict = judged(item, answer, self._numbers(step), self._aside)
        if verdict.is_right:
            self._reveal(k, step, item, "Right")
        else:
            self._set_open(step.replying(k, mark="Not yet", hint=as_json(verdict.hint)))

    def _reveal(self, k: int, step: OpenStep, item: Predict, mark: str) -> None:
        right = right_answer(item, self._numbers(step), self._aside)
        said = step_items.answer_said(item, right, self.state.scenario, self.state.trace)
        self._set_open(step.replying(k, mark=f"{mark}: {said}"))
        self._finish(k)
        if item.then != Changes():
            self._change(item.then)

    def _compare(self, step: OpenStep, item: Compare, to: Scenario) -> None:
        """Show the state before a change, or compare the state after it with the state before."""
        state, is_after = self.state, to is not step.start
        if state.scenario != to and not open_lesson.may_load(state, to):
            return
        if not is_after:
            state.baseline = None
        if state.scenario != to:
            open_lesson.load(state, to)
        if is_after:
            state.baseline = step.start
            look_at(state, item.change)

    def _change(self, changes: Changes) -> None:
        state = self.state
        if changes.train and self._train is not None:
            if not open_lesson.may_load(state, state.scenario.trained(None, 0)):
                return
            self._train(changes.train)
        if moves_numbers(changes):
            scenario = changed(state.scenario, changes, state.runner)
            if not open_lesson.may_load(state, scenario):
                return
            open_lesson.load(state, scenario)
        look_at(self.state, changes)

    def _play(self, item: Play) -> None:
        state = self.state
        if item.follow:
            state.go("followed", [*item.follow])
        if item.cell:
            select(state, item.cell)
            if state.selection == item.cell:
                state.swing(state.oscillation._replace(amplitude=item.amplitude, on=True))
        if item.parts:
            self._flight += 1
            way = {"way": list(item.parts), "flight": self._flight}
            self.panel.look = {**self.panel.look, "part": "", **way}


def _is_of(problem: str, name: str) -> bool:
    """Return whether a problem, which begins with a file name, is about the lesson ``name``."""
    stem = PurePath(problem.partition(", line ")[0]).stem
    return name in (stem, stem.partition("-")[2])
