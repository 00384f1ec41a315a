"""Everything that the page states at one moment, part by part."""

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

# The parts that stay when an edit ends; what is stated of the change begins then.
KEPT = "sentence", "bars", "marks", "guide"


class ViewModel:
    """The parts; each is a pure function of the moment, and computed when it is first read."""

    def __init__(self, moment: Moment, before: ViewModel | None = None) -> None:
        """
        Args:
            moment: the moment.
            before: the view model of the moment before, if it is known.
        """
        self.moment = moment
        if before is not None and moment.is_end_of(before.moment):
            known = vars(before)
            vars(self).update({name: known[name] for name in KEPT if name in known})

    @cached_property
    def sentence(self) -> Sentence:
        """What the model writes, and what is stated about it."""
        return sentence(self.moment)

    @cached_property
    def bars(self) -> Bars:
        """The next words of the shown row."""
        return bars(self.moment)

    @cached_property
    def marks(self) -> dict[str, Mark]:
        """The words that stand out in the source and in the target."""
        return marks(self.moment)

    @cached_property
    def change(self) -> LastChange | None:
        """What letting go writes, or what the last edit has done; None if nothing is stated."""
        return change(self.moment, self.sentence.would)

    @cached_property
    def guide(self) -> Guide:
        """What the model is, and how its picture is read."""
        return guide(self.moment)

    @cached_property
    def learning(self) -> Learning:
        """The training of the model, for a page that has one."""
        assert self.moment.session is not None
        return Learning(self.moment.scenario, self.moment.session.training)

    @cached_property
    def lesson(self) -> Judgment | None:
        """How the items of the open step of a lesson stand; None without one."""
        step = self.moment.step
        return None if step is None else step.judged_at(self.moment)
