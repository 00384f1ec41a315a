"""Describes the written sentence, at rest and while numbers move, for all parts of the page."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from ..model.inference import cost
from ..model.inference.forward_pass import ForwardPassRunner
from ..model.inference.text import joined_text
from ..model.inference.writing import drafted_target, looks_ahead
from ..model.inference.written_words import changed_words, end_probability, word_probabilities
from ..model.matrices.address import PROBABILITIES
from ..model.scenario.scenario import Scenario
from .last_edit import TRAINING, comparable
from .moment import Moment
from .verdict import Verdict, judged

DRAFTS = 10  # drafting a sentence almost never takes more passes


class Motion(NamedTuple):
    """The reasons why rows may predict words other than those that the decoder reads.

    Without a causal mask each row attends to later words, which did not exist when the words were
    written.
    """

    held: bool = False  # whether a pointer holds a number
    swings: bool = False
    learning: bool = False
    tries: bool = False  # whether an experiment, such as a pull, changes the numbers

    def reason(self, scenario: Scenario) -> str:
        """Return the reason as one word for the browser; empty if rows predict the read words."""
        if self.swings:
            return "swings"
        if scenario.training:
            return "dropout"
        if self.learning:
            return "trains"
        if self.tries or self.held:
            return "tries" if self.tries else "dragged"
        return "ahead" if looks_ahead(scenario) else ""


def let_go_writes(scenario: Scenario, runner: ForwardPassRunner) -> str:
    """Return the sentence that the model writes when the held number is released.

    Empty if the sentence stays the same, or if drafting it is too much work.
    """
    if not cost.fits_inline(DRAFTS * cost.forward_pass(scenario)):
        return ""
    written = runner.once(scenario, "drafted", lambda _trace: drafted_target(scenario, runner))
    return "" if written == scenario.target else joined_text(scenario, written[1:])


class Predicted(NamedTuple):
    """The likeliest word of a row, and its probability; None as in ``Sentence.probabilities``."""

    row: int
    word: str
    p: float | None


class Sentence(NamedTuple):
    """The written sentence."""

    verdict: Verdict
    moves: str = ""  # why rows may predict other words now, see `Motion.reason`
    # The probability with which each word was written; None for the start, and for a probability
    # that is not finite or that a question asks for.
    probabilities: Sequence[float | None] = ()
    # Whether each word is new since the last edit; no word is new after undo, redo or training.
    changed: Sequence[bool] = ()
    end: float | None = None  # the probability of the end after the last word, if the sentence ends
    would: str = ""  # the sentence after a held number is released; empty if it stays the same
    predicted: Predicted | None = None  # by the shown row, if the user writes the text


def sentence(moment: Moment) -> Sentence:
    """Return the sentence that the model writes, or the row's prediction if the user writes."""
    scenario, state, trace = moment.scenario, moment.state, moment.trace
    verdict = judged(scenario, trace, moment.ends)
    asked = {
        row
        for path, first, _, last, _ in moment.asked
        if path == PROBABILITIES
        for row in range(first, last + 1)
    }
    if not scenario.writes_itself:
        row = state.position
        found = trace[PROBABILITIES].value[row]
        p = None if row in asked else _rounded(float(found.max()))
        return Sentence(
            verdict, predicted=Predicted(row, scenario.output_vocabulary[int(found.argmax())], p)
        )
    edit = state.last_edit
    is_known = edit is not None and (edit.goes_back or edit.of == TRAINING)
    before = scenario if is_known else comparable(edit, scenario) or scenario
    motion = Motion(state.held, state.oscillation.on, state.learning, moment.tries)
    numbers = word_probabilities(scenario, trace)
    rounded = [
        None if p is None or at - 1 in asked else _rounded(p) for at, p in enumerate(numbers)
    ]
    return Sentence(
        verdict=verdict,
        moves=motion.reason(scenario),
        probabilities=rounded,
        changed=changed_words(before.target, scenario.target),
        end=round(end_probability(scenario, trace), 4) if moment.ends else None,
        would=let_go_writes(scenario, moment.runner) if state.held else "",
    )


def _rounded(p: float) -> float | None:
    return round(p, 4) if math.isfinite(p) else None
