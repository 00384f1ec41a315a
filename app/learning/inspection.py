"""What of a run is inspected: an example, at the present step or at an earlier one."""

from __future__ import annotations

from .example import Example, held_out_sources
from .example_pass import ExamplePass, run_example
from .training_run import TrainingRun


class Inspection:
    """One example through the model of a run.

    What computes a pass is called off the page's loop, and never while a step is taken.

    Attributes:
        run: the run.
        typed: the date as it was typed, whether or not it is one.
        pair_number: the number of the held-out pair, where pairs are one's own.
        problem: what is wrong with the date; then the example before it stays.
        example: what is shown to the model.
        latest: its pass through the model as it is now.
        initial: its pass through the model as the run began.
        earlier: its pass through the model of an earlier step, if one was chosen.
    """

    def __init__(self, run: TrainingRun) -> None:
        self.run = run
        self.pair_number, self.problem = 0, ""
        self.example = Example.default(run.pairs)
        self.typed = self.example.text
        self.earlier: ExamplePass | None = None
        self.latest = self.initial = run_example(run, self.example)

    @property
    def shown(self) -> ExamplePass:
        """The pass that is shown."""
        return self.earlier or self.latest

    @property
    def options(self) -> list[str]:
        """The sources to choose from; none where a date is typed."""
        pairs = self.run.pairs
        return [] if pairs.name == "dates" else held_out_sources(pairs)

    def choose_example(self, text: str) -> bool:
        """Take another example, if the text is one; ``recompute`` then runs it."""
        self.typed = text
        try:
            self.example = self._example(text)
        except ValueError as error:
            self.problem = str(error)
            return False
        self.problem = ""
        return True

    def update(self) -> None:
        """Run the example through the model as it is now."""
        self.latest = run_example(self.run, self.example)

    def recompute(self) -> None:
        """Compute every pass anew, after another example or another run was chosen."""
        self.update()
        steps = self.run.snapshots.steps
        self.initial = run_example(self.run, self.example, steps[0])
        if self.earlier is not None:
            self.choose_step(self.earlier.step)

    def choose_step(self, step: int | None) -> None:
        """Show an earlier step, if there still is a snapshot of it; None for the present."""
        kept = step is not None and step in self.run.snapshots.steps
        self.earlier = run_example(self.run, self.example, step) if kept else None

    def switch_run(self, run: TrainingRun) -> None:
        """Inspect another run; the example stays if it can."""
        keeps_example = run.pairs.name == self.run.pairs.name == "dates"
        self.run, self.earlier = run, None
        if not keeps_example:
            self.pair_number, self.problem = 0, ""
            self.example = Example.default(run.pairs)
            self.typed = self.example.text
        self.recompute()

    def _example(self, text: str) -> Example:
        pairs = self.run.pairs
        if pairs.name == "dates":
            return Example.of_date(text, pairs)
        number = int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else -1
        if not 0 <= number < len(pairs.held_out_source):
            raise ValueError("There is no such pair.")
        self.pair_number = number
        return Example.held_out(number, pairs)
