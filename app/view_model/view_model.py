"""All statements of the page at one moment, part by part."""

from __future__ import annotations

from functools import cached_property

from ..explain.changes import LastChange
from .bars import Bars, bars
from .change import change
from .guide import Guide, guide
from .learning import Learning
from .lesson import Judgment
from .marks import Mark, marks
from .moment import Moment
from .sentence import Sentence, sentence

# The parts that stay when an edit ends; only after its end, ``change`` states its effect.
KEPT = "sentence", "bars", "marks", "guide"


class ViewModel:
    """The parts, each a pure function of the moment, computed when it is first read."""

    def __init__(self, moment: Moment, before: ViewModel | None = None) -> None:
        """Reuse parts of the view model ``before`` that the moment does not change."""
        self.moment = moment
        if before is not None and moment.is_end_of(before.moment):
            known = vars(before)
            vars(self).update({name: known[name] for name in KEPT if name in known})

    @cached_property
    def sentence(self) -> Sentence:
        """The sentence that the model writes, and the statements on it."""
        return sentence(self.moment)

    @cached_property
    def bars(self) -> Bars:
        """The next words of the shown row."""
        return bars(self.moment)

    @cached_property
    def marks(self) -> dict[str, Mark]:
        """The highlighted words in the source and in the target."""
        return marks(self.moment)

    @cached_property
    def change(self) -> LastChange | None:
        """The sentence written on release, or the last edit's effect; None without either."""
        return change(self.moment, self.sentence.would)

    @cached_property
    def guide(self) -> Guide:
        """The description of the model, and how to read its picture."""
        return guide(self.moment)

    @cached_property
    def learning(self) -> Learning:
        """The training of the model, for a page that has one."""
        assert self.moment.session is not None
        return Learning(self.moment.scenario, self.moment.session.training)

    @cached_property
    def lesson(self) -> Judgment | None:
        """The state of each item of the open step of a lesson; None without one."""
        step = self.moment.step
        return None if step is None else step.judged_at(self.moment)
