"""What of a run is looked at: an example, at the present step or at an earlier one. Pure."""

from __future__ import annotations

from .moment import HELD_OUT_SHOWN, Example, Moment, held_out_pair, moment
from .run import Run


class Looking:
    """One example through the model of a run.

    What computes a pass is called off the page's loop, and never while a step is taken.

    Attributes:
        run: the run.
        asked: the date as it was typed, whether or not it is one.
        chosen: the number of the held-out pair, where pairs are one's own.
        problem: what is wrong with the date; then the example before it stays.
        example: what is shown to the model.
        live: the present moment.
        start: the first one of the run.
        back: the earlier moment that is looked at instead; None for the present one.
    """

    def __init__(self, run: Run) -> None:
        self.run = run
        self.chosen, self.problem = 0, ""
        self.example = Example.first(run.pairs)
        self.asked = self.example.text
        self.back: Moment | None = None
        self.live = self.start = moment(run, self.example)

    @property
    def seen(self) -> Moment:
        """The moment that is shown."""
        return self.back or self.live

    @property
    def options(self) -> list[str]:
        """The sources to choose from; none where a date is typed."""
        pairs = self.run.pairs
        if pairs.name == "dates":
            return []
        count = min(len(pairs.held_out_source), HELD_OUT_SHOWN)
        return [held_out_pair(k, pairs)[0] for k in range(count)]

    def ask(self, text: str) -> bool:
        """Take another example, if the text is one; ``again`` then looks at it."""
        self.asked = text
        try:
            self.example = self._example(text)
        except ValueError as error:
            self.problem = str(error)
            return False
        self.problem = ""
        return True

    def look(self) -> None:
        """See the run as it is now."""
        self.live = moment(self.run, self.example)

    def again(self) -> None:
        """See every moment of another example, or of another run with the same pairs."""
        self.look()
        steps = self.run.timeline.steps
        self.start = moment(self.run, self.example, steps[0])
        if self.back is not None:
            step = self.back.step
            self.back = moment(self.run, self.example, step) if step in steps else None

    def go_back(self, step: int | None) -> None:
        """See an earlier step, if it is still in the timeline; None for the present."""
        kept = step is not None and step in self.run.timeline.steps
        self.back = moment(self.run, self.example, step) if kept else None

    def take(self, run: Run) -> None:
        """See another run; the example stays if it can."""
        same = run.pairs.name == self.run.pairs.name == "dates"
        self.run, self.back = run, None
        if not same:
            self.chosen, self.problem = 0, ""
            self.example = Example.first(run.pairs)
            self.asked = self.example.text
        self.again()

    def _example(self, text: str) -> Example:
        pairs = self.run.pairs
        if pairs.name == "dates":
            return Example.of_date(text, pairs)
        number = int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else -1
        if not 0 <= number < len(pairs.held_out_source):
            raise ValueError("There is no such pair.")
        self.chosen = number
        return Example.held_out(number, pairs)
