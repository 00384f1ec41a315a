"""The open lesson next to the views."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import PurePath
from typing import Any

from ...components.lesson.lesson import LessonPanel
from ...inference.forward_pass import ForwardPassRunner
from ...lessons.catalog import catalog
from ...lessons.changes import begun, changed, moves_numbers
from ...lessons.covering import covered, to_read
from ...lessons.format import Changes, Compare, Dare, Do, Film, Lesson, Play, Predict, Step
from ...lessons.judging import has_strayed, is_done, judged, right_answer
from ...lessons.live_text import written
from ...lessons.numbers import LiveNumbers
from ...runtime.page_session import PageSession
from ...session import open_lesson
from ...session.address import LESSONS
from ...session.lesson_progress import DARE_STEP, LessonProgress
from ...session.results import Results
from ...session.state import AppState
from . import step_items
from .about import about
from .comparisons import Comparisons
from .dares import OpenDare
from .lesson_list import LessonListView
from .moving import look_at, select

ELSEWHERE = "This step is about another text or model: start it again, below."
STRAYED = "You changed something that the task does not ask for. Undo it, or start this step again."
WATCHED = ["scenario", "selection", "oscillation", "location", "learning"]


class LessonsView:
    """Opens lessons and their steps, shows the state of each task, and checks answers.

    Each step has its own initial scenario, so that it can be entered from anywhere; the reader's
    changes of it are checked against the numbers on the page.
    """

    def __init__(
        self,
        state: AppState,
        results: Results | None = None,
        train: Callable[[int], None] | None = None,
        play: Callable[[Film], None] | None = None,
        page: PageSession | None = None,
    ) -> None:
        """
        Args:
            state: the state of the page.
            results: the results that views of the page share.
            train: trains the model of the page from scratch for a number of steps.
            play: plays a film.
            page: the session of the page.
        """
        self.state = state
        self._train = train
        self._play_film = play
        self._results = results or Results()
        self.panel = LessonPanel()
        self.list_view = LessonListView(state, self._forget_step, page)
        self._aside = ForwardPassRunner(beside=state.runner)
        self._starts = ForwardPassRunner(beside=state.runner)
        self._start = state.scenario  # the initial scenario of the step
        self._at: tuple[str, int] | None = None
        self._said: dict[int, dict[str, Any]] = {}  # by item: the result of its answer
        self._comparisons = Comparisons(state, self._start, self._aside)
        self._dare = OpenDare(state, page or PageSession(), self._fill)
        self._flight = 0
        self.panel.on_do(self._on_do)
        state.watch(self._on_lesson, "lesson", only_changed=False)
        state.watch_calmly(self._fill, WATCHED)
        state.watch(self._on_shared, "shared")
        self._results.param.watch(self._fill, "checked")
        self._on_lesson()

    def _forget_step(self) -> None:
        self._at = None

    # -- a step --------------------------------------------------------------------------------

    @property
    def _lesson(self) -> Lesson | None:
        return catalog().lessons.get(self.state.lesson.name)

    @property
    def _step(self) -> Step:
        assert self._lesson is not None
        step: Step = self._lesson.steps[self.state.lesson.step]
        return step

    def _on_lesson(self, *_: Any) -> None:
        progress = self.state.lesson
        if not progress.name:
            self._at = None
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
        """Go to the step with the dare of a lesson, or say that it has none."""
        step = lesson.dare_step
        if step is None:
            self.state.notice = f"The lesson “{lesson.title}” has no dare; this is its first step."
        self.state.lesson = self.state.lesson.went(lesson.name, step or 0)

    def _on_shared(self, event: Any) -> None:
        """Take the attempt of a link that was opened, to be beaten."""
        if event.new is not None:
            self._dare.take_shared(event.new)
            self._fill()

    def _leave_unknown(self, lesson: Lesson | None) -> None:
        """Handle a missing lesson or step: show the list or the first step, and one sentence."""
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
        """Enter a step; a restored step leaves the page as it is."""
        state, step = self.state, lesson.steps[k]
        kept = self._at, self._start, self._said, self._comparisons
        is_first = self._at is None or self._at[0] != lesson.name
        self._at = (lesson.name, k)
        self._said = {}
        try:
            self._start = begun(lesson, k, self._starts)
        except ValueError as error:
            state.notice = str(error)
            self._start = lesson.scenario
        # The drawing of numbers is the reader's own choice.
        view = state.scenario.view.changed("plane", self._start.view.plane)
        self._start = self._start.with_view_settings(view)
        self._comparisons = Comparisons(state, self._start, self._aside)
        self._dare.begin(lesson.name, step.dare, self._start)
        look: dict[str, Any] = {"cells": [[*each] for each in step.look.cells]}
        if not state.snapshots.is_restoring:
            before = state.before_lesson or state.snapshots.take()._replace(lesson=LessonProgress())
            if not self._begin(lesson, step, is_first):
                self._at, self._start, self._said, self._comparisons = kept
                self._dare.begin(state.lesson.name, self._dare_of(self._at), self._start)
                state.lesson = state.lesson.went(*(self._at or ("",)))
                return
            state.before_lesson = before
            if step.look.part:
                look |= {"part": step.look.part, "unfolded": list(step.look.unfold)}
                self._flight += 1
        self.panel.param.update(
            value=self._value(lesson, k),
            look={**look, "flight": self._flight},
        )
        if not step.tasks and not state.snapshots.is_restoring:
            state.lesson = state.lesson.did(f"{k}")

    def _begin(self, lesson: Lesson, step: Step, is_first: bool) -> bool:
        """Load the step's initial state; returns whether the page permits it."""
        state, look = self.state, step.look
        keeps = look.keep and not is_first and state.scenario.model == lesson.scenario.model
        is_other = not keeps and state.scenario != self._start
        if is_other and not open_lesson.may_load(state, self._start):
            return False
        if state.baseline is not None:
            state.baseline = None
        if is_other:
            open_lesson.begin(state, self._start)
        state.go("view", look.changes.view or lesson.view)
        state.go("unfolded", list(look.unfold))
        look_at(state, look.changes)
        if look.changes.follow is None and state.location.followed is not None:
            state.go("followed", None)
        if look.changes.select is None and state.selection is not None:
            state.selection = None
        # The next word is that of what the step has in focus, whatever was looked at before.
        state.go("asked", None)
        return True

    def _value(self, lesson: Lesson, k: int) -> dict[str, Any]:
        step = lesson.steps[k]
        rights = {}
        for at, item in enumerate(step.items):
            if isinstance(item, Predict):
                with suppress(ValueError, KeyError):
                    rights[at] = right_answer(item, self._at_start(), self._aside)
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

    def _dare_of(self, at: tuple[str, int] | None) -> Dare | None:
        lesson = None if at is None else catalog().lessons.get(at[0])
        return None if lesson is None or at is None else lesson.steps[at[1]].dare

    # -- the numbers -----------------------------------------------------------------------------

    def _at_start(self) -> LiveNumbers:
        return LiveNumbers(self._start, self._starts)

    def _numbers(self) -> LiveNumbers:
        state = self.state
        followed = state.location.followed
        return LiveNumbers(
            state.scenario,
            state.runner,
            self._at_start(),
            state.selection,
            state.oscillation.on,
            None if followed is None else (followed.stack, followed.position),
            state.location.open_drawer or state.location.view,
            state.learning,
            self._results.checked,
        )

    def _fill(self, *_: Any) -> None:
        """Update the state of each task, and the live numbers in the texts."""
        progress = self.state.lesson
        if not progress.name or self._at != (progress.name, progress.step):
            return
        step, numbers = self._step, self._numbers()
        for k, item in enumerate(step.items):
            if isinstance(item, Do) and not self._has_done(k) and is_done(item, numbers):
                self._finish(k, "Done")
        self._cover(step, numbers)
        self._dare.refresh()
        self._results.score = self._dare.told()
        self.panel.param.update(
            states=[self._state(k) for k in range(len(step.items))],
            live=[_asked(check, numbers) for check in step.live],
        )
        if self.list_view.column.visible:
            self.list_view.fill()

    def _cover(self, step: Step, numbers: LiveNumbers) -> None:
        """Hide the answers of open questions."""
        questions = [
            item
            for k, item in enumerate(step.items)
            if isinstance(item, Predict) and not self._has_done(k)
        ]
        found = {
            "covered": tuple(cell for item in questions for cell in covered(item, numbers)),
            "to_read": tuple(cell for item in questions for cell in to_read(item, numbers)),
        }
        if any(getattr(self.state, name) != cells for name, cells in found.items()):
            self.state.update(**found)

    def _state(self, k: int) -> dict[str, Any]:
        item = self._step.items[k]
        if isinstance(item, Compare):
            return {"after": self._comparisons.is_after(k, item)}
        if isinstance(item, Dare):
            return {"dare": self._dare.shown()}
        if not isinstance(item, Do | Predict):
            return {}
        said = self._said.get(k, {})
        if self._has_done(k):
            because = step_items.as_json(item.because)
            return {"done": True, "mark": said.get("mark", "Done"), "because": because}
        found = {"done": False, "mark": "", **said}
        found["can_show"] = isinstance(item, Do) or "hint" in said
        if isinstance(item, Do) and has_strayed(item, self._numbers()):
            found["hint"] = [STRAYED]
        elif isinstance(item, Do) and item.hints:
            found["hint"] = step_items.as_json(item.hints[-1].say)
        if isinstance(item, Predict) and item.matrix:
            selection = self.state.selection
            found["ready"] = selection is not None and selection.path == item.matrix
        return found

    def _has_done(self, k: int) -> bool:
        return bool(self.state.lesson.has_done(f"{self.state.lesson.step}.{k}"))

    def _finish(self, k: int, mark: str) -> None:
        """Mark an item of the open step as done, and the step if all its tasks are."""
        self._said[k] = {"mark": mark}
        at, progress = (
            self.state.lesson.step,
            self.state.lesson.did(f"{self.state.lesson.step}.{k}"),
        )
        if all(progress.has_done(f"{at}.{task}") for task in self._step.tasks):
            progress = progress.did(f"{at}")
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
        else:
            item = self._step.items[fields["item"]]
            try:
                self._on_item(kind, item, fields)
            except (KeyError, ValueError) as error:
                said = str(error.args[0]) if error.args else ""
                self._said[fields["item"]] = {"hint": [f"{ELSEWHERE} ({said.rstrip('.')}.)"]}
            self._fill()

    def _open_view(self, name: str) -> None:
        with suppress(ValueError):  # the browser may send an unknown view
            self.state.go("view", name)

    def _again(self) -> None:
        lesson = self._lesson
        if lesson is not None:
            self._enter(lesson, self.state.lesson.step)
            self._fill()

    def _on_item(self, kind: str, item: object, fields: dict[str, Any]) -> None:
        k = fields["item"]
        if kind == "answer" and isinstance(item, Predict) and not self._has_done(k):
            self._answer(k, item, fields["given"])
        elif kind == "show" and isinstance(item, Predict) and not self._has_done(k):
            self._reveal(k, item, "Shown")
        elif kind == "show" and isinstance(item, Do):
            self._change(item.show)
        elif kind == "play" and isinstance(item, Play):
            self._play(item)
        elif kind == "play" and isinstance(item, Film) and self._play_film is not None:
            self._play_film(item)
        elif kind == "compare" and isinstance(item, Compare):
            self._comparisons.show(k, item, after=fields["after"])

    def _answer(self, k: int, item: Predict, given: float | None) -> None:
        answer: Any = given
        if item.kind == "cell":
            selection = self.state.selection
            if selection is None or selection.path != item.matrix:
                return
            answer = (selection.row, selection.column)
        if answer is None:
            return
        verdict = judged(item, answer, self._numbers(), self._aside)
        if verdict.is_right:
            self._reveal(k, item, "Right")
        else:
            hint = step_items.as_json(verdict.hint)
            self._said[k] = {"mark": "Not yet", "hint": hint}

    def _reveal(self, k: int, item: Predict, mark: str) -> None:
        right = right_answer(item, self._numbers(), self._aside)
        said = step_items.answer_said(item, right.value, right.row, right.choices)
        self._finish(k, f"{mark}: {said}")
        if item.then != Changes():
            self._change(item.then)

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
                state.oscillation = state.oscillation._replace(amplitude=item.amplitude, on=True)
        if item.parts:
            self._flight += 1
            way = {"way": list(item.parts), "flight": self._flight}
            self.panel.look = {**self.panel.look, "part": "", **way}


def _is_of(problem: str, name: str) -> bool:
    """Whether a problem, which begins with its file, is of the lesson of that name."""
    stem = PurePath(problem.partition(", line ")[0]).stem
    return name in (stem, stem.partition("-")[2])


def _asked(check: Callable[..., Any], numbers: LiveNumbers) -> str:
    try:
        return written(check(numbers))
    except ValueError:
        return "–"
