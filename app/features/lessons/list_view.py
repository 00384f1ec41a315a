"""Shows the view with the list of lessons."""

from collections.abc import Callable
from typing import Any

from ...components.layout import Column
from ...dares import words
from ...lessons.catalog import catalog
from ...lessons.format import Lesson
from ...lessons.pictures import picture
from ...session.state import AppState
from ...transport.runtime.derived import Check, Derived
from ...transport.runtime.page_session import PageSession
from .about import about
from .lesson_list import LessonList


class LessonListView:
    """Lists the lessons with the user's progress in each, and opens them."""

    def __init__(
        self, state: AppState, leave: Callable[[], None], page: PageSession | None = None
    ) -> None:
        """``leave`` is called before a lesson is opened, so that the lesson's step starts over."""
        self.state = state
        self._pictures: Derived[dict[str, Any]] = Derived(page or PageSession(), self._draw)
        self._leave = leave
        self.list = LessonList()
        self.column = Column(visible=False)
        self.list.on_begin(self._on_open)

    def show(self, is_open: bool) -> None:
        if is_open and not self.column.objects:
            self.column.objects = [self.list]
        self.column.visible = is_open
        if is_open:
            self.fill()
            if not self.list.pictures:
                self._draw()

    def _draw(self) -> None:
        """Compute the pictures in the background, and add them to the list when they are ready."""

        def compute(check: Check) -> dict[str, Any]:
            found = {}
            for name in catalog().lessons:
                check()
                found[name] = picture(name)
            return {name: each for name, each in found.items() if each}

        self.list.pictures = self._pictures.want("pictures", compute).value or {}

    def fill(self) -> None:
        progress, found = self.state.lesson, catalog()
        self.list.param.update(
            value=progress.name,
            lessons=[
                {
                    "name": lesson.name,
                    "title": lesson.title,
                    **about(lesson),
                    "steps": len(lesson.steps),
                    "done": self._done_steps(lesson),
                }
                for lesson in found.lessons.values()
                if not lesson.is_dare
            ],
            dares=[
                _dare(lesson) for lesson in found.lessons.values() if lesson.dare_step is not None
            ],
            problems=[f"This lesson could not be read: {each}" for each in found.problems],
        )

    def _done_steps(self, lesson: Lesson) -> int:
        done = set(self.state.lesson.done.get(lesson.name, ()))
        return sum(
            {f"{k}", *(f"{k}.{task}" for task in step.tasks)} <= done
            for k, step in enumerate(lesson.steps)
        )

    def _on_open(self, name: str, afresh: bool, dare: bool) -> None:
        progress, lesson = self.state.lesson, catalog().lessons[name]
        if dare:
            self._leave()
            self.state.lesson = progress.went(name, lesson.dare_step or 0)
            return
        if afresh:
            progress = progress.forgot(name)
        done = {each for each in progress.done.get(name, ()) if "." not in each}
        unread = (k for k in range(len(lesson.steps)) if f"{k}" not in done)
        step = 0 if afresh or not done else next(unread, 0)
        if progress.name == name and not afresh:
            step = progress.step
        self._leave()
        self.state.lesson = progress.went(name, step)


def _dare(lesson: Lesson) -> dict[str, Any]:
    dare = lesson.steps[lesson.dare_step or 0].dare
    assert dare is not None
    return {
        "name": lesson.name,
        "title": lesson.title,
        "about": lesson.about,
        "best": words.measure(dare, dare.best),
    }
