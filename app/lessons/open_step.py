"""Judges the items of a lesson's open step, with the reader's answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from ..model.inference.forward_pass import ForwardPassRunner
from ..model.scenario.scenario import Scenario
from ..view_model.lesson import Judgment
from ..view_model.moment import Moment
from . import judging
from .changes import changed
from .covering import covered, to_read
from .format import Compare, Do, Item, Lesson, Predict, Step, as_json
from .live_text import written
from .numbers import LiveNumbers

STRAYED = "You changed something that the task does not ask for. Undo it, or start this step again."


@dataclass(frozen=True, eq=False)
class OpenStep:
    """A step that a reader has open."""

    lesson: Lesson
    at: int  # the number of the step, counted from 0
    start: Scenario  # the initial scenario of the step
    starts: ForwardPassRunner  # computes the pass of ``start``
    aside: ForwardPassRunner  # computes the passes after the changes of comparisons
    # The index of an item -> the reply to the reader's last answer.
    replies: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    _afters: dict[int, Scenario] = field(default_factory=dict)

    @property
    def step(self) -> Step:
        """The texts and items of the step."""
        return self.lesson.steps[self.at]

    @property
    def at_start(self) -> LiveNumbers:
        """The initial numbers of the step."""
        return LiveNumbers(self.start, self.starts)

    def replying(self, k: int, **reply: Any) -> OpenStep:
        """Return the step with a new reply to the answer to an item."""
        return replace(self, replies={**self.replies, k: reply})

    def after(self, k: int, item: Compare) -> Scenario:
        """Return the scenario after a comparison's change; computes it once."""
        if k not in self._afters:
            self._afters[k] = changed(self.start, item.change, self.aside)
        return self._afters[k]

    def numbers(self, moment: Moment) -> LiveNumbers:
        """Return the numbers of a moment, with the reader's selection and view."""
        state, followed = moment.state, moment.state.location.followed
        return LiveNumbers(
            state.scenario,
            moment.runner,
            self.at_start,
            state.selection,
            state.oscillation.on,
            None if followed is None else (followed.stack, followed.position),
            state.location.open_drawer or state.location.view,
            state.learning,
            None if moment.session is None else moment.session.right,
        )

    def judged_at(self, moment: Moment) -> Judgment:
        """Return the judgment of the step's items at a moment; see `Judge`."""
        numbers, items = self.numbers(moment), [*enumerate(self.step.items)]
        open_ = [(k, item) for k, item in items if f"{self.at}.{k}" not in moment.done]
        finished = tuple(k for k, i in open_ if isinstance(i, Do) and judging.is_done(i, numbers))
        asked = [item for _, item in open_ if isinstance(item, Predict)]
        done = {k for k, _ in items} - {k for k, _ in open_} | {*finished}
        return Judgment(
            finished,
            tuple(cell for item in asked for cell in covered(item, numbers)),
            tuple(cell for item in asked for cell in to_read(item, numbers)),
            [self._state(k, item, numbers, k in done) for k, item in items],
            [_shown(check, numbers) for check in self.step.live],
        )

    def _state(self, k: int, item: Item, numbers: LiveNumbers, is_done: bool) -> dict[str, Any]:
        if isinstance(item, Compare):
            return {"after": self._is_after(k, item, numbers.scenario)}
        if not isinstance(item, Do | Predict):
            return {}
        reply = self.replies.get(k, {})
        if is_done:
            mark = reply.get("mark", "Done")
            return {"done": True, "mark": mark, "because": as_json(item.because)}
        found = {"done": False, "mark": "", **reply}
        found["can_show"] = isinstance(item, Do) or "hint" in reply
        if isinstance(item, Do) and judging.has_strayed(item, numbers):
            found["hint"] = [STRAYED]
        elif isinstance(item, Do) and item.hints:
            found["hint"] = as_json(item.hints[-1].say)
        if isinstance(item, Predict) and item.matrix:
            cell = numbers.selection
            found["ready"] = cell is not None and cell.path == item.matrix
        return found

    def _is_after(self, k: int, item: Compare, now: Scenario) -> bool | None:
        """Return whether the page shows the state after the change or before; None for neither.

        The reader can also switch between the states by undo, a reload or own edits. The plane
        (``view.plane``) is compared only if the comparison changes it.
        """
        with suppress(KeyError, ValueError):
            for scenario, is_after in ((self.start, False), (self.after(k, item), True)):
                is_drawn = not item.change.plane or now.view.plane == scenario.view.plane
                if is_drawn and now.has_numbers_of(scenario):
                    return is_after
        return None


def _shown(check: Callable[..., Any], numbers: LiveNumbers) -> str:
    try:
        return written(check(numbers))
    except ValueError:
        return "–"
