"""Decides once, for all parts of the page, how the sentence is shown while numbers move."""

from __future__ import annotations

from typing import NamedTuple

from ..inference import cost
from ..inference.forward_pass import ForwardPassRunner
from ..inference.text import joined_text
from ..inference.writing import drafted_target
from ..scenario.scenario import Scenario

DRAFTS = 10  # passes that drafting a sentence takes at most, nearly always


class Motion(NamedTuple):
    """The reasons for which rows may write other words than those that the decoder reads.

    Attributes:
        held: whether a pointer holds a number.
        swings: whether a number oscillates.
        learning: whether a training run changes the numbers.
        tries: whether an experiment does, such as a pull.
    """

    held: bool = False
    swings: bool = False
    learning: bool = False
    tries: bool = False

    def reason(self, scenario: Scenario) -> str:
        """The reason as one word for the browser; empty if rows write what the decoder reads."""
        if self.swings:
            return "swings"
        if scenario.training:
            return "dropout"
        if self.learning:
            return "trains"
        return "tries" if self.tries else "dragged" if self.held else ""


def let_go_writes(scenario: Scenario, runner: ForwardPassRunner) -> str:
    """The sentence that the model writes when the held number is let go of.

    Args:
        scenario: while the number is held; its target is what was written before.
        runner: has the pass of the scenario.

    Returns:
        Empty if that is the same sentence, or if drafting it is too much work.
    """
    if not cost.fits_inline(DRAFTS * cost.forward_pass(scenario)):
        return ""
    written = runner.once(scenario, "drafted", lambda _trace: drafted_target(scenario, runner))
    return "" if written == scenario.target else joined_text(scenario, written[1:])
